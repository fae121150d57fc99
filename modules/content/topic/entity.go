package topic

import (
	"context"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// Entity is a weekly topic as the JSON endpoints answer it.
type Entity struct {
	ID        int64      `json:"term_id"`
	Term      Term       `json:"term_taxonomy"`
	Meta      Meta       `json:"term_meta"`
	Thumbnail *Thumbnail `json:"thumbnail_url"` // the first cover
	Date      time.Time  `json:"date"`
}

// Term names a topic.
type Term struct {
	Name        string `json:"name"`
	URL         string `json:"url"`
	Description string `json:"description"`
}

// Meta is what else is known of a topic.
type Meta struct {
	Slug   string      `json:"slug"`
	Covers []Thumbnail `json:"covers"`
}

// Thumbnail is a cover in its sizes.
type Thumbnail struct {
	Sizes post.Sizes `json:"post_thumbnail_sizes"`
}

// OfTheWeek is the current topic with the newest of its articles.
type OfTheWeek struct {
	Topic    Entity        `json:"topic"`
	Articles []post.Entity `json:"articles"`
}

// TagEntity is a tag as the JSON endpoint answers it.
type TagEntity struct {
	Slug  string `json:"slug"`
	Name  string `json:"name"`
	Posts int    `json:"count"`
	URL   string `json:"url"` // of a weekly topic's page; "" for other tags
}

func (t *Row) entity(ed *edition.Edition) Entity {
	e := Entity{
		ID: t.ID, Term: Term{Name: t.Name, URL: ed.Href(edition.Topic, t.Slug), Description: t.Description},
		Meta: Meta{Slug: t.Slug, Covers: []Thumbnail{}}, Date: t.PublishedAt,
	}
	for _, c := range t.covers {
		e.Meta.Covers = append(e.Meta.Covers, Thumbnail{post.SizesOf(c.ID)})
	}
	if len(e.Meta.Covers) > 0 {
		e.Thumbnail = &e.Meta.Covers[0]
	}
	return e
}

// FindNamed finds a weekly topic; "" and the word for it mean the current one. web.ErrNotFound when there is none.
func FindNamed(ctx context.Context, tx db.Tx, slug string) (t *Row, err error) {
	if slug == "" || slug == currentSlug(tx.Edition) {
		t, err = FindCurrent(ctx, tx)
	} else {
		t, err = find(ctx, tx, slug)
	}
	if err == nil && t == nil {
		err = web.ErrNotFound
	}
	return t, err
}

// Weekly returns a weekly topic, the current one for "".
func (ts *Topics) Weekly(ctx context.Context, slug string) (e Entity, err error) {
	err = ts.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		t, err := FindNamed(ctx, tx, slug)
		if err != nil {
			return err
		}
		e = t.entity(tx.Edition)
		return nil
	})
	return e, err
}

// Weeklies returns weekly topics, newest first, and how the list goes on.
func (ts *Topics) Weeklies(ctx context.Context, w post.Window) (out []Entity, r post.Part, err error) {
	out = []Entity{}
	err = ts.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		var tags []*Row
		tags, r, err = findAll(ctx, tx, w)
		for _, t := range tags {
			out = append(out, t.entity(tx.Edition))
		}
		return err
	})
	return out, r, err
}

// OfTheWeek returns the current topic with its newest articles; web.ErrNotFound where there is none yet.
func (ts *Topics) OfTheWeek(ctx context.Context) (out OfTheWeek, err error) {
	err = post.Read(ctx, ts.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		topic, err := FindNamed(ctx, tx, "")
		if err != nil {
			return err
		}
		r, err := post.FindIn(ctx, tx, post.InTag, []int64{topic.ID}, "article", post.Window{Limit: TeaserLength})
		if err != nil {
			return err
		}
		posts, err := post.Load(ctx, tx, t, r.IDs)
		out = OfTheWeek{
			Topic: topic.entity(tx.Edition), Articles: post.Entities(tx.Edition, post.InOrder(posts, r.IDs)),
		}
		return err
	})
	return out, err
}

// Tags returns the tags of the edition by name, with the number of their posts.
func (ts *Topics) Tags(ctx context.Context, limit, offset int) ([]TagEntity, error) {
	out := []TagEntity{}
	err := ts.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		rows, err := findAllTags(ctx, tx, limit, offset)
		for _, r := range rows {
			e := TagEntity{Slug: r.Slug, Name: r.Name, Posts: r.Posts}
			if r.Weekly {
				e.URL = tx.Edition.Href(edition.Topic, r.Slug)
			}
			out = append(out, e)
		}
		return err
	})
	return out, err
}
