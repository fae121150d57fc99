package content

import (
	"context"
	"strconv"
	"strings"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// List is a part of a list of posts.
type List struct {
	Posts []post.Entity
	next  post.Part
}

// Line is a post as the shortest list names it.
type Line struct {
	ID    int64     `json:"post_id"`
	Title string    `json:"post_title"`
	URL   string    `json:"post_url"`
	Date  time.Time `json:"post_date"`
	Type  post.Type `json:"post_type"`
}

// Reactions is how much was said about a post.
type Reactions struct {
	ID        int64 `json:"post_id"`
	Reactions int   `json:"reactions"` // comments
}

// entityList loads the posts of a run.
func entityList(ctx context.Context, tx db.Tx, t *post.Tree, r post.Part) (List, error) {
	posts, err := post.Load(ctx, tx, t, r.IDs)
	return List{Posts: post.Entities(tx.Edition, post.InOrder(posts, r.IDs)), next: r}, err
}

// where is one of the lists over all posts.
func (m *Module) where(ctx context.Context, condition string, w post.Window) (l List, err error) {
	err = post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		r, err := post.FindWhere(ctx, tx, condition, w)
		if err != nil {
			return err
		}
		l, err = entityList(ctx, tx, t, r)
		return err
	})
	return l, err
}

// Latest returns articles of all categories, newest first.
func (m *Module) Latest(ctx context.Context, w post.Window) (List, error) {
	return m.where(ctx, "list = 'article'", w)
}

// Essays returns the articles that were written for weekly topics, newest first.
func (m *Module) Essays(ctx context.Context, w post.Window) (List, error) {
	return m.where(ctx, "type = 'weekly_topic_article' AND list <> ''", w)
}

// Videos returns videos, newest first.
func (m *Module) Videos(ctx context.Context, w post.Window) (List, error) {
	return m.where(ctx, "list = 'video'", w)
}

// LatestLines returns the newest articles by headline.
func (m *Module) LatestLines(ctx context.Context, limit int) ([]Line, error) {
	l, err := m.Latest(ctx, post.Window{Limit: limit})
	out := make([]Line, len(l.Posts))
	for i, e := range l.Posts {
		out[i] = Line{ID: e.ID, Title: e.Title, URL: e.URL, Date: e.Date, Type: e.Type}
	}
	return out, err
}

// ByCategory returns articles or videos of a category and those below it, newest first. web.ErrNotFound for a category
// that there is not.
func (m *Module) ByCategory(ctx context.Context, slug, list string, w post.Window) (l List, err error) {
	err = post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		c := t.BySlug[slug]
		if c == nil {
			return web.ErrNotFound
		}
		r, err := post.FindIn(ctx, tx, post.InCategory, c.Subtree(), list, w)
		if err != nil {
			return err
		}
		l, err = entityList(ctx, tx, t, r)
		return err
	})
	return l, err
}

// ByAuthor returns articles or videos of an author, newest first; web.ErrNotFound for one that there is not.
func (m *Module) ByAuthor(ctx context.Context, slug, list string, w post.Window) (l List, err error) {
	err = post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		id, _, err := post.FindAuthor(ctx, tx, slug)
		if err != nil {
			return err
		}
		r, err := post.FindIn(ctx, tx, post.ByAuthor, []int64{id}, list, w)
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
func (m *Module) ByTopic(ctx context.Context, slug, list string, w post.Window) (l List, err error) {
	err = post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		topic, err := topic.FindNamed(ctx, tx, slug)
		if err != nil {
			return err
		}
		r, err := post.FindIn(ctx, tx, post.InTag, []int64{topic.ID}, list, w)
		if err != nil {
			return err
		}
		l, err = entityList(ctx, tx, t, r)
		return err
	})
	return l, err
}

// AuthorOf returns an author; web.ErrNotFound for one that there is not.
func (m *Module) AuthorOf(ctx context.Context, slug string) (a post.EntityAuthor, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		_, b, err := post.FindAuthor(ctx, tx, slug)
		a = b.Entity()
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
		posts, err := post.Load(ctx, tx, post.NewTree(nil), []int64{r.ID})
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
