package content

import (
	"context"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/web"
)

// TopicEntity is a weekly topic as the JSON endpoints answer it.
type TopicEntity struct {
	ID        int64           `json:"term_id"`
	Term      TopicTerm       `json:"term_taxonomy"`
	Meta      TopicMeta       `json:"term_meta"`
	Thumbnail *TopicThumbnail `json:"thumbnail_url"` // the first cover
	Date      time.Time       `json:"date"`
}

// TopicTerm names a topic.
type TopicTerm struct {
	Name        string `json:"name"`
	URL         string `json:"url"`
	Description string `json:"description"`
}

// TopicMeta is what else is known of a topic.
type TopicMeta struct {
	Slug   string           `json:"slug"`
	Covers []TopicThumbnail `json:"covers"`
}

// TopicThumbnail is a cover in its sizes.
type TopicThumbnail struct {
	Sizes post.Sizes `json:"post_thumbnail_sizes"`
}

// TopicOfTheWeek is the current topic with the newest of its articles.
type TopicOfTheWeek struct {
	Topic    TopicEntity   `json:"topic"`
	Articles []post.Entity `json:"articles"`
}

// TagEntity is a tag as the JSON endpoint answers it.
type TagEntity struct {
	Slug  string `json:"slug"`
	Name  string `json:"name"`
	Posts int    `json:"count"`
	URL   string `json:"url"` // of a weekly topic's page; "" for other tags
}

func (t *tag) entity(ed *edition.Edition) TopicEntity {
	e := TopicEntity{
		ID: t.ID, Term: TopicTerm{Name: t.Name, URL: ed.Href(edition.Topic, t.Slug), Description: t.Description},
		Meta: TopicMeta{Slug: t.Slug, Covers: []TopicThumbnail{}}, Date: t.PublishedAt,
	}
	for _, c := range t.covers {
		e.Meta.Covers = append(e.Meta.Covers, TopicThumbnail{post.SizesOf(c.ID)})
	}
	if len(e.Meta.Covers) > 0 {
		e.Thumbnail = &e.Meta.Covers[0]
	}
	return e
}

// namedTopic finds a weekly topic; "" and the word for it mean the current one. web.ErrNotFound when there is none.
func namedTopic(ctx context.Context, tx db.Tx, slug string) (t *tag, err error) {
	if slug == "" || slug == currentTopicSlug(tx.Edition) {
		t, err = findCurrentTopic(ctx, tx)
	} else {
		t, err = findTopic(ctx, tx, slug)
	}
	if err == nil && t == nil {
		err = web.ErrNotFound
	}
	return t, err
}

// Weekly returns a weekly topic, the current one for "".
func (m *Module) Weekly(ctx context.Context, slug string) (e TopicEntity, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		t, err := namedTopic(ctx, tx, slug)
		if err != nil {
			return err
		}
		e = t.entity(tx.Edition)
		return nil
	})
	return e, err
}

// weeklies returns weekly topics, newest first, and how the list goes on.
func (m *Module) weeklies(ctx context.Context, w post.Window) (out []TopicEntity, r post.Part, err error) {
	out = []TopicEntity{}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		var tags []*tag
		tags, r, err = findTopics(ctx, tx, w)
		for _, t := range tags {
			out = append(out, t.entity(tx.Edition))
		}
		return err
	})
	return out, r, err
}

// OfTheWeek returns the current topic with its newest articles; web.ErrNotFound where there is none yet.
func (m *Module) OfTheWeek(ctx context.Context) (out TopicOfTheWeek, err error) {
	err = post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		topic, err := namedTopic(ctx, tx, "")
		if err != nil {
			return err
		}
		r, err := post.FindIn(ctx, tx, post.InTag, []int64{topic.ID}, "article", post.Window{Limit: topicTeaser})
		if err != nil {
			return err
		}
		l, err := entityList(ctx, tx, t, r)
		out = TopicOfTheWeek{Topic: topic.entity(tx.Edition), Articles: l.Posts}
		return err
	})
	return out, err
}

// Tags returns the tags of the edition by name, with the number of their posts.
func (m *Module) Tags(ctx context.Context, limit, offset int) ([]TagEntity, error) {
	out := []TagEntity{}
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
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
