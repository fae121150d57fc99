package content

import (
	"context"
	"slices"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// Post returns a post as the reader of the session may read it. With spend a credit is used where one is needed;
// without, what costs a credit is withheld. web.ErrNotFound when the post is not out. It counts no reading.
func (m *Module) Post(ctx context.Context, id int64, spend bool) (*FullEntity, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	s, err := m.readStory(ctx, id)
	if err != nil {
		return nil, err
	}
	a, err := m.ask(ctx, session.ReaderID(ctx), id, s.post.Type, s.body.locked, spend)
	if err != nil {
		return nil, err
	}
	text := m.reveal(s.body, a)
	e := &FullEntity{
		Entity: s.post.entity(ed), Content: text.HTML, Access: a.level, Reason: a.reason, Paragraphs: text.Paragraphs,
		Withheld: text.Withheld,
		Related:  entities(ed, s.related), TopViewed: entities(ed, s.mostRead),
	}
	e.Video = text.Video
	if !text.Open {
		e.Access = accessLocked
	}
	return e, nil
}

// Blocks returns the newest posts of the front page's categories, by key.
func (m *Module) Blocks(ctx context.Context) (map[string][]Entity, error) {
	out := map[string][]Entity{}
	err := m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) error {
		var groups [][]int64
		for _, key := range frontSections {
			var ids []int64
			if c := t.byKey[key]; c != nil {
				ids = c.within()
			}
			groups = append(groups, ids)
		}
		ids, err := findNewest(ctx, tx, groups, "article", perSection, 0)
		if err != nil {
			return err
		}
		posts, err := loadPosts(ctx, tx, t, slices.Concat(ids...))
		for i, key := range frontSections {
			out[key] = entities(tx.Edition, inOrder(posts, ids[i]))
		}
		return err
	})
	return out, err
}

// Carousel returns the featured posts.
func (m *Module) Carousel(ctx context.Context) ([]Slide, error) {
	out := []Slide{}
	posts, err := m.list(ctx, featuredPosts.page(carousel))
	if err != nil {
		return nil, err
	}
	ed, err := edition.From(ctx)
	for _, p := range posts {
		out = append(out, p.slide(ed))
	}
	return out, err
}

// Picks returns the editors' picks.
func (m *Module) Picks(ctx context.Context) ([]Entity, error) {
	return m.listed(ctx, pickedPosts.page(picksLength))
}

// Minutes returns short news, newest first, from the one with an id on (0: from the newest).
func (m *Module) Minutes(ctx context.Context, from int64, w Window) (l List, err error) {
	err = m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) error {
		var selected *post
		if from > 0 {
			posts, err := loadPosts(ctx, tx, t, []int64{from})
			if err != nil {
				return err
			}
			if selected = posts[from]; selected == nil || selected.Type != TypeMinute {
				return web.ErrNotFound
			}
		}
		r, err := findMinutes(ctx, tx, selected, w)
		if err != nil {
			return err
		}
		l, err = entityList(ctx, tx, t, r)
		return err
	})
	return l, err
}

// MostRead returns the most read posts of some days.
func (m *Module) MostRead(ctx context.Context, limit, offset, days int) (out []Entity, err error) {
	err = m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) error {
		ids, err := findMostRead(ctx, tx, limit, offset, days)
		if err != nil {
			return err
		}
		posts, err := loadPosts(ctx, tx, t, ids)
		out = entities(tx.Edition, inOrder(posts, ids))
		return err
	})
	return out, err
}

// OpinionFeed is the block of opinions as JSON.
type OpinionFeed struct {
	Title    string   `json:"section_title"`
	Versus   []Entity `json:"versus"`
	Articles []Entity `json:"articles"`
}

// Opinions returns the newest opinions, and a pair of them if two were set against each other.
func (m *Module) Opinions(ctx context.Context) (feed OpinionFeed, err error) {
	err = m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) error {
		lists, err := findLists(ctx, tx, opinionPosts.page(8), versusPosts)
		if err != nil {
			return err
		}
		pair := lists[versusPosts.name]
		if feed.Title, err = findVersus(ctx, tx, pair); err != nil {
			return err
		}
		if c := t.byKey[opinionKey]; c != nil && feed.Title == "" {
			feed.Title = c.Name
		}
		posts, err := loadPosts(ctx, tx, t, slices.Concat(pair, lists[opinionPosts.name]))
		feed.Versus, feed.Articles = entities(tx.Edition, inOrder(posts, pair)),
			entities(tx.Edition, inOrder(posts, lists[opinionPosts.name]))
		return err
	})
	return feed, err
}

// read opens the store with the tree, which every list needs.
func (m *Module) read(ctx context.Context, fn func(context.Context, db.Tx, *tree) error) error {
	return m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		t, err := loadTree(ctx, tx)
		if err != nil {
			return err
		}
		return fn(ctx, tx, t)
	})
}

func (m *Module) list(ctx context.Context, w wanted) (out []*post, err error) {
	err = m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) error {
		lists, err := findLists(ctx, tx, w)
		if err != nil {
			return err
		}
		posts, err := loadPosts(ctx, tx, t, lists[w.name])
		out = inOrder(posts, lists[w.name])
		return err
	})
	return out, err
}

func (m *Module) listed(ctx context.Context, w wanted) ([]Entity, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	posts, err := m.list(ctx, w)
	return entities(ed, posts), err
}
