package content

import (
	"context"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/search"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/paper/edition"
)

// Withdraw takes posts of a source out of the paper, by their identity there, and returns how many were not out of it
// already. Saving one of them again brings it back.
func (m *Module) Withdraw(ctx context.Context, source string, sourceIDs []string) (int, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return 0, err
	}
	var gone []*preparedPost
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := post.LockWriting(ctx, tx); err != nil {
			return err
		}
		if gone, err = findPublished(ctx, tx, source, sourceIDs); err != nil || len(gone) == 0 {
			return err
		}
		before, err := findRanks(ctx, tx, gone)
		if err != nil {
			return err
		}
		if err := withdrawPosts(ctx, tx, gone); err != nil {
			return err
		}
		if err := m.search.Index(ctx, tx, changedIDs(gone)); err != nil {
			return err
		}
		return announce(ctx, tx, gone, before, nil)
	})
	if err != nil {
		return 0, err
	}
	for _, s := range gone {
		m.gates.forget(gateKey{ed.ID, s.row.ID})
	}
	return len(gone), nil
}

// RemoveCategory deletes a category that is not in the edition's document and has none below it, and takes its posts
// out of it; any other is left as it is. removed says whether there was such a one.
func (m *Module) RemoveCategory(ctx context.Context, slug string) (removed bool, err error) {
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := post.LockWriting(ctx, tx); err != nil {
			return err
		}
		if removed, err = deleteCategory(ctx, tx, slug); err != nil || !removed {
			return err
		}
		if err := search.Outdate(ctx, tx, 0); err != nil {
			return err
		}
		return notify.Tell(ctx, tx, notify.Content) // it stands above articles and in lists
	})
	return removed, err
}
