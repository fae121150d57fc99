package content

import (
	"context"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/web"
)

// Discussable reports whether a post is out and one that readers discuss.
func (m *Module) Discussable(ctx context.Context, postID int64) (bool, error) {
	g, err := m.gate(ctx, postID)
	return g.Out && g.Type != post.TypePage, err
}

// Headline is the title and the local path of such a post; web.ErrNotFound for any other.
func (m *Module) Headline(ctx context.Context, postID int64) (title, path string, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		posts, err := post.Load(ctx, tx, post.NewTree(nil), []int64{postID})
		p := posts[postID]
		if err != nil {
			return err
		}
		if p == nil || p.Type == post.TypePage {
			return web.ErrNotFound
		}
		title, path = p.Title, p.Path(tx.Edition)
		return nil
	})
	return title, path, err
}

// countDiscussed keeps the number of a post's comments. Lists that show it are at most as old as a page may be, so that
// a lively discussion does not have the front page made anew all day.
func (m *Module) countDiscussed(ctx context.Context, e event.Discussed) error {
	n, err := m.discussed(ctx, e.PostID)
	if err != nil {
		return err
	}
	return m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return putDiscussed(ctx, tx, e.PostID, n) })
}
