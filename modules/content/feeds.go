package content

import (
	"context"
	"slices"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// Post returns a post as the reader of the session may read it. With spend a credit is used where one is needed;
// without, what costs a credit is withheld. web.ErrNotFound when the post is not out. It counts no reading.
func (m *Module) Post(ctx context.Context, id int64, spend bool) (*post.FullEntity, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	s, err := m.readStory(ctx, id)
	if err != nil {
		return nil, err
	}
	a, err := m.decide(ctx, session.ReaderID(ctx), id, s.post.Type, s.body.locked, spend)
	if err != nil {
		return nil, err
	}
	text := m.reveal(s.body, a)
	e := &post.FullEntity{
		Entity: s.post.Entity(ed), Content: text.HTML, Access: a.level, Reason: a.reason, Paragraphs: text.Paragraphs,
		Withheld: text.Withheld,
		Related:  post.Entities(ed, s.related), TopViewed: post.Entities(ed, s.mostRead),
	}
	e.Video = text.Video
	if !text.Open {
		e.Access = accessLocked
	}
	return e, nil
}

// Blocks returns the newest posts of the front page's categories, by key.
func (m *Module) Blocks(ctx context.Context) (map[string][]post.Entity, error) {
	out := map[string][]post.Entity{}
	err := post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		var groups [][]int64
		for _, key := range frontSections {
			var ids []int64
			if c := t.ByKey[key]; c != nil {
				ids = c.Subtree()
			}
			groups = append(groups, ids)
		}
		ids, err := post.FindNewest(ctx, tx, groups, "article", perSection, 0)
		if err != nil {
			return err
		}
		posts, err := post.Load(ctx, tx, t, slices.Concat(ids...))
		for i, key := range frontSections {
			out[key] = post.Entities(tx.Edition, post.InOrder(posts, ids[i]))
		}
		return err
	})
	return out, err
}

// Carousel returns the featured posts.
func (m *Module) Carousel(ctx context.Context) ([]post.Slide, error) {
	out := []post.Slide{}
	posts, err := m.list(ctx, post.Featured.Top(carousel))
	if err != nil {
		return nil, err
	}
	ed, err := edition.From(ctx)
	for _, p := range posts {
		out = append(out, p.Slide(ed))
	}
	return out, err
}

// Picks returns the editors' picks.
func (m *Module) Picks(ctx context.Context) ([]post.Entity, error) {
	return m.listed(ctx, post.Picked.Top(picksLength))
}

// Minutes returns short news, newest first, from the one with an id on (0: from the newest).
func (m *Module) Minutes(ctx context.Context, from int64, w post.Window) (l List, err error) {
	err = post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		var selected *post.Post
		if from > 0 {
			posts, err := post.Load(ctx, tx, t, []int64{from})
			if err != nil {
				return err
			}
			if selected = posts[from]; selected == nil || selected.Type != post.TypeMinute {
				return web.ErrNotFound
			}
		}
		r, err := post.FindMinutes(ctx, tx, selected, w)
		if err != nil {
			return err
		}
		l, err = entityList(ctx, tx, t, r)
		return err
	})
	return l, err
}

// MostRead returns the most read posts of some days.
func (m *Module) MostRead(ctx context.Context, limit, offset, days int) (out []post.Entity, err error) {
	err = post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		ids, err := post.MostRead(ctx, tx, limit, offset, days)
		if err != nil {
			return err
		}
		posts, err := post.Load(ctx, tx, t, ids)
		out = post.Entities(tx.Edition, post.InOrder(posts, ids))
		return err
	})
	return out, err
}

// OpinionFeed is the block of opinions as JSON.
type OpinionFeed struct {
	Title    string        `json:"section_title"`
	Versus   []post.Entity `json:"versus"`
	Articles []post.Entity `json:"articles"`
}

// Opinions returns the newest opinions, and a pair of them if two were set against each other.
func (m *Module) Opinions(ctx context.Context) (feed OpinionFeed, err error) {
	err = post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		lists, err := post.FindLists(ctx, tx, post.Opinions.Top(8), post.Versus)
		if err != nil {
			return err
		}
		pair := lists[post.Versus.Name]
		if feed.Title, err = post.FindVersus(ctx, tx, pair); err != nil {
			return err
		}
		if c := t.ByKey[opinionKey]; c != nil && feed.Title == "" {
			feed.Title = c.Name
		}
		posts, err := post.Load(ctx, tx, t, slices.Concat(pair, lists[post.Opinions.Name]))
		feed.Versus, feed.Articles = post.Entities(tx.Edition, post.InOrder(posts, pair)),
			post.Entities(tx.Edition, post.InOrder(posts, lists[post.Opinions.Name]))
		return err
	})
	return feed, err
}

func (m *Module) list(ctx context.Context, w post.ListQuery) (out []*post.Post, err error) {
	err = post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		lists, err := post.FindLists(ctx, tx, w)
		if err != nil {
			return err
		}
		posts, err := post.Load(ctx, tx, t, lists[w.Name])
		out = post.InOrder(posts, lists[w.Name])
		return err
	})
	return out, err
}

func (m *Module) listed(ctx context.Context, w post.ListQuery) ([]post.Entity, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	posts, err := m.list(ctx, w)
	return post.Entities(ed, posts), err
}
