package content

import (
	"context"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/paper/edition"
)

// SetAlternates says where a post's story stands in sister editions, instead of what was said before. Fault:
// post.ErrInvalid.
func (m *Module) SetAlternates(ctx context.Context, postID int64, all []Alternate) error {
	for _, a := range all {
		if !a.valid() {
			return post.ErrInvalid.On("alternates").Becausef("%q in %q is no address in a language", a.URL, a.Lang)
		}
	}
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := writeAlternates(ctx, tx, postID, all); err != nil {
			return err
		}
		return notify.Tell(ctx, tx, notify.Content, post.Tag(postID))
	})
}

// Addresses are the absolute addresses of the stories of a source that are out, by their identity there.
func (m *Module) Addresses(ctx context.Context, source string) (map[string]string, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		rows, err := findStories(ctx, tx, source)
		for _, r := range rows {
			p := post.Post{ID: r.ID, Type: post.TypeArticle, Slug: r.Slug}
			out[r.SourceID] = ed.URL(p.Path(ed))
		}
		return err
	})
	return out, err
}
