package content

import (
	"context"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// Compare tells what SavePosts would do, and writes nothing: an ID of 0 is a post that is not there yet. Faults are
// those of SavePosts that lie in the drafts themselves.
func (m *Module) Compare(ctx context.Context, drafts []Draft) ([]Saved, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	ready := make([]*preparedPost, len(drafts))
	for i, d := range drafts {
		if ready[i], err = prepare(ed.Lang(), d); err != nil {
			return nil, err
		}
	}
	if err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return findStored(ctx, tx, ready) }); err != nil {
		return nil, err
	}
	out := make([]Saved, len(ready))
	for i, s := range ready {
		switch {
		case s.was == nil:
			out[i] = Saved{Changed: true}
		case s.Source != "":
			out[i] = Saved{s.was.ID, s.hash != s.was.SourceHash}
		default:
			out[i] = Saved{s.was.ID, s.hash != s.was.Hash}
		}
	}
	return out, nil
}
