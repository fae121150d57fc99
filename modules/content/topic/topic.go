// Package topic is tags and weekly topics, the tags with a day that are editions of their own: their pages (this file),
// the answers of the JSON endpoints (entity.go), and how they are saved and announced (save.go).
//
// Of modules/content it imports post, markup and seo.
package topic

import (
	"context"
	"fmt"
	"slices"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/seo"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/typography"
	"example.org/broadsheet/platform/web"
)

const (
	// PerPage is how many topics a page of them shows.
	PerPage = 20
	// TeaserLength is how many articles the block of the front page shows.
	TeaserLength = 5

	maxPosts  = 100 // of one weekly topic
	maxVideos = 15
)

// Topics reads and writes the tags and weekly topics of all editions.
type Topics struct{ db *db.DB }

// New makes them.
func New(d *db.DB) *Topics { return &Topics{d} }

// Topic is a weekly topic, an edition of its own.
type Topic struct {
	Slug        string       `json:"slug"`
	Title       string       `json:"title"`
	Description string       `json:"description,omitempty"`
	URL         string       `json:"url"`
	Date        time.Time    `json:"date"`
	Covers      []post.Image `json:"covers"`
}

// IndexData is what the list of weekly topics shows.
type IndexData struct {
	Current    *Topic  `json:"current,omitempty"`
	Topics     []Topic `json:"topics"`
	Offset     int     `json:"offset"`
	NextOffset int     `json:"nextOffset,omitempty"`
	Next       string  `json:"next,omitempty"`
}

// PageData is what the page of a weekly topic shows.
type PageData struct {
	Topic  Topic       `json:"topic"`
	Cards  []post.Card `json:"cards"`
	Videos []post.Card `json:"videos"`
	Newer  *Topic      `json:"newer,omitempty"`
	Older  *Topic      `json:"older,omitempty"`
}

// Block is the current weekly topic on the front page.
type Block struct {
	Topic Topic       `json:"topic"`
	Cards []post.Card `json:"cards"`
}

// currentSlug is the word in the place of a slug that means the newest topic; it is of the edition's addresses.
func currentSlug(ed *edition.Edition) string {
	if ed.RouteSet == "standard" {
		return "aktualne-vydanie"
	}
	return "current-edition"
}

func (t *Row) topic(ed *edition.Edition) Topic {
	covers := t.covers
	if covers == nil {
		covers = []post.Image{}
	}
	return Topic{
		Slug: t.Slug, Title: typography.Text(ed.IntlLocale, t.Name),
		Description: typography.Text(ed.IntlLocale, t.Description),
		URL:         ed.Href(edition.Topic, t.Slug), Date: t.PublishedAt, Covers: covers,
	}
}

// IfShown is the topic as pages have it, or nil where there is none or the edition has no such pages.
func (t *Row) IfShown(ed *edition.Edition) *Topic {
	if t == nil || ed.Href(edition.Topic, t.Slug) == "" {
		return nil
	}
	out := t.topic(ed)
	return &out
}

func topicsOf(ed *edition.Edition, tags []*Row) []Topic {
	out := make([]Topic, len(tags))
	for i, t := range tags {
		out[i] = t.topic(ed)
	}
	return out
}

// LoadIndex is the page of all weekly topics.
func (ts *Topics) LoadIndex(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	w, err := post.ReadWindow(r.Query, PerPage, PerPage)
	if err != nil {
		return nil, err
	}
	d := &IndexData{Offset: w.Offset}
	err = ts.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		tags, run, err := findAll(ctx, tx, w)
		if err != nil {
			return err
		}
		d.Topics = topicsOf(ed, tags)
		d.NextOffset, d.Next = w.Next(ed.Href(edition.TopicIndex), run)
		current, err := FindCurrent(ctx, tx)
		d.Current = current.IfShown(ed)
		return err
	})
	if err != nil {
		return nil, err
	}
	if !w.First() && len(d.Topics) == 0 {
		return nil, web.ErrNotFound
	}
	p := &page.Page{Data: d, Tags: []string{post.TopicsTag}}
	p.Meta = seo.ListMeta(ed, i18n.T(ed, "content.topics.title", nil), i18n.T(ed, "content.topics.description", nil),
		w.Canonical(ed.URL(ed.Href(edition.TopicIndex))))
	p.Meta.JSONLD = indexJSONLD(ed, p.Meta, d)
	if d.Current != nil && len(d.Current.Covers) > 0 {
		p.Meta.Image = seo.ShareImage(ed, &d.Current.Covers[0])
		p.Preload = seo.Preload(&d.Current.Covers[0], seo.Cover)
	}
	return p, nil
}

// topicPosts is a topic with what it holds.
type topicPosts struct {
	tag, newer, older *Row
	articles, videos  []*post.Post
}

// read reads a weekly topic; web.ErrNotFound when there is none.
func (ts *Topics) read(ctx context.Context, slug string) (s topicPosts, err error) {
	err = post.Read(ctx, ts.db, func(ctx context.Context, tx db.Tx, t *post.Tree) (err error) {
		if s.tag, err = FindNamed(ctx, tx, slug); err != nil {
			return err
		}
		if s.newer, s.older, err = findNeighbours(ctx, tx, s.tag); err != nil {
			return err
		}
		articles, err := post.FindIn(ctx, tx, post.InTag, []int64{s.tag.ID}, "article", post.Window{Limit: maxPosts})
		if err != nil {
			return err
		}
		videos, err := post.FindIn(ctx, tx, post.InTag, []int64{s.tag.ID}, "video", post.Window{Limit: maxVideos})
		if err != nil {
			return err
		}
		posts, err := post.Load(ctx, tx, t, slices.Concat(articles.IDs, videos.IDs))
		s.articles, s.videos = post.InOrder(posts, articles.IDs), post.InOrder(posts, videos.IDs)
		return err
	})
	return s, err
}

// LoadPage is the page of a weekly topic.
func (ts *Topics) LoadPage(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	s, err := ts.read(ctx, r.Params["tagSlug"])
	if err != nil {
		return nil, err
	}
	d := &PageData{
		Topic: s.tag.topic(ed), Cards: post.CardsOf(ed, s.articles), Videos: post.CardsOf(ed, s.videos),
		Newer: s.newer.IfShown(ed), Older: s.older.IfShown(ed),
	}
	p := &page.Page{Data: d, Tags: post.WithCardTags([]string{post.TopicTag(s.tag.Slug)}, d.Cards, d.Videos)}
	if r.Params["tagSlug"] != s.tag.Slug {
		p.Tags = append(p.Tags, post.TopicsTag) // another topic may become the current one
	}
	p.Meta = seo.ListMeta(ed, s.tag.Name, s.tag.Description, ed.URL(d.Topic.URL))
	p.Meta.JSONLD = pageJSONLD(ed, p.Meta, d)
	if len(d.Topic.Covers) > 0 {
		p.Meta.Image = seo.ShareImage(ed, &d.Topic.Covers[0])
	}
	if len(d.Cards) > 0 {
		p.Preload = seo.Preload(d.Cards[0].Picture, seo.Lead)
	}
	return p, nil
}

func schedule(ctx context.Context, tx db.Tx, t *Row) error {
	at := t.PublishedAt.Truncate(time.Microsecond)
	if !at.After(tx.Now) {
		return nil
	}
	key := fmt.Sprintf("%s:%d:%d", event.TopicDue, t.ID, at.UnixMicro())
	return outbox.LaterOnce(ctx, tx, event.TopicDue, event.DueTopic{TagID: t.ID, At: at}, at, key)
}

// Appear announces a weekly topic whose time has come, unless it has another by now.
func (ts *Topics) Appear(ctx context.Context, e event.DueTopic) error {
	return ts.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		t, err := findTopicOn(ctx, tx, e.TagID, e.At)
		if err != nil || t == nil {
			return err
		}
		return notifyChange(ctx, tx, t, nil, nil)
	})
}

// Tag gathers posts under a word. One with a day is a weekly topic, an edition of its own.
type Tag struct {
	Slug        string // identity within the edition
	Name        string
	Description string
	Published   time.Time // of a weekly topic; zero for other tags
	Covers      []string  // media ids of up to three pictures that were saved
}
