package content

import (
	"context"
	"strconv"
	"strings"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/web"
)

// List is a part of a list of posts.
type List struct {
	Posts []Entity
	next  run
}

// Line is a post as the shortest list names it.
type Line struct {
	ID    int64     `json:"post_id"`
	Title string    `json:"post_title"`
	URL   string    `json:"post_url"`
	Date  time.Time `json:"post_date"`
	Type  Type      `json:"post_type"`
}

// Reactions is how much was said about a post.
type Reactions struct {
	ID        int64 `json:"post_id"`
	Reactions int   `json:"reactions"` // comments
}

// entityList loads the posts of a run.
func entityList(ctx context.Context, tx db.Tx, t *tree, r run) (List, error) {
	posts, err := loadPosts(ctx, tx, t, r.ids)
	return List{Posts: entities(tx.Edition, inOrder(posts, r.ids)), next: r}, err
}

// where is one of the lists over all posts.
func (m *Module) where(ctx context.Context, condition string, w Window) (l List, err error) {
	err = m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) error {
		r, err := findListed(ctx, tx, condition, w)
		if err != nil {
			return err
		}
		l, err = entityList(ctx, tx, t, r)
		return err
	})
	return l, err
}

// Latest returns articles of all categories, newest first.
func (m *Module) Latest(ctx context.Context, w Window) (List, error) {
	return m.where(ctx, "list = 'article'", w)
}

// Essays returns the articles that were written for weekly topics, newest first.
func (m *Module) Essays(ctx context.Context, w Window) (List, error) {
	return m.where(ctx, "type = 'weekly_topic_article' AND list <> ''", w)
}

// Videos returns videos, newest first.
func (m *Module) Videos(ctx context.Context, w Window) (List, error) {
	return m.where(ctx, "list = 'video'", w)
}

// LatestLines returns the newest articles by headline.
func (m *Module) LatestLines(ctx context.Context, limit int) ([]Line, error) {
	l, err := m.Latest(ctx, Window{Limit: limit})
	out := make([]Line, len(l.Posts))
	for i, e := range l.Posts {
		out[i] = Line{ID: e.ID, Title: e.Title, URL: e.URL, Date: e.Date, Type: e.Type}
	}
	return out, err
}

// ByCategory returns articles or videos of a category and those below it, newest first. web.ErrNotFound for a category
// that there is not.
func (m *Module) ByCategory(ctx context.Context, slug, list string, w Window) (l List, err error) {
	err = m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) error {
		c := t.bySlug[slug]
		if c == nil {
			return web.ErrNotFound
		}
		r, err := findShelved(ctx, tx, inCategory, c.within(), list, w)
		if err != nil {
			return err
		}
		l, err = entityList(ctx, tx, t, r)
		return err
	})
	return l, err
}

// ByAuthor returns articles or videos of an author, newest first; web.ErrNotFound for one that there is not.
func (m *Module) ByAuthor(ctx context.Context, slug, list string, w Window) (l List, err error) {
	err = m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) error {
		id, _, err := findAuthor(ctx, tx, slug)
		if err != nil {
			return err
		}
		r, err := findShelved(ctx, tx, byAuthor, []int64{id}, list, w)
		if err != nil {
			return err
		}
		l, err = entityList(ctx, tx, t, r)
		return err
	})
	return l, err
}

// ByTopic returns articles or videos of a weekly topic, the current one for "", newest first; web.ErrNotFound for one
// that there is not.
func (m *Module) ByTopic(ctx context.Context, slug, list string, w Window) (l List, err error) {
	err = m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) error {
		topic, err := namedTopic(ctx, tx, slug)
		if err != nil {
			return err
		}
		r, err := findShelved(ctx, tx, inTag, []int64{topic.ID}, list, w)
		if err != nil {
			return err
		}
		l, err = entityList(ctx, tx, t, r)
		return err
	})
	return l, err
}

// AuthorOf returns an author; web.ErrNotFound for one that there is not.
func (m *Module) AuthorOf(ctx context.Context, slug string) (a EntityAuthor, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		_, b, err := findAuthor(ctx, tx, slug)
		a = b.entity()
		return err
	})
	return a, err
}

// Reactions counts the comments of a post. The id may be followed by the edition, "17-at", as comments are addressed.
// web.ErrInvalidArgs for what is no id, web.ErrNotFound for a post or an edition that is not there.
func (m *Module) Reactions(ctx context.Context, id string) (r Reactions, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return r, err
	}
	number, suffix, found := strings.Cut(id, "-")
	if r.ID, err = strconv.ParseInt(number, 10, 64); err != nil || r.ID <= 0 {
		return r, web.ErrInvalidArgs.On("id").Becausef("%q is not the number of a post", id)
	}
	if found && suffix != ed.Suffix && suffix != ed.ID {
		return r, web.ErrNotFound
	}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		posts, err := loadPosts(ctx, tx, newTree(nil), []int64{r.ID})
		if p := posts[r.ID]; p != nil {
			r.Reactions = p.Comments
			return err
		}
		if err == nil {
			err = web.ErrNotFound
		}
		return err
	})
	return r, err
}
