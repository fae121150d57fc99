package content

import (
	"context"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/page"
)

// Video finds a video that is out and that a page can lay over itself; nil for anything else.
func (m *Module) Video(ctx context.Context, id int64) (v *page.Video, err error) {
	err = post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		posts, err := post.Load(ctx, tx, t, []int64{id})
		p := posts[id]
		if err != nil || p == nil {
			return err
		}
		c := p.Card(tx.Edition)
		if c.Video != nil || p.Type == post.TypeVideo {
			v = &page.Video{Card: c, URL: c.URL, Locked: c.Video == nil, Tag: post.Tag(id)}
		}
		return nil
	})
	return v, err
}
