package content

import (
	"context"
	"slices"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/seo"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/page"
	"example.org/broadsheet/platform/typography"
	"example.org/broadsheet/platform/web"
)

const (
	topicsPerPage = 20
	topicPosts    = 100 // of one weekly topic
	topicVideos   = 15
	topicTeaser   = 5 // articles in the block of the front page
)

// Topic is a weekly topic, an edition of its own.
type Topic struct {
	Slug        string       `json:"slug"`
	Title       string       `json:"title"`
	Description string       `json:"description,omitempty"`
	URL         string       `json:"url"`
	Date        time.Time    `json:"date"`
	Covers      []post.Image `json:"covers"`
}

// TopicIndexData is what the list of weekly topics shows.
type TopicIndexData struct {
	Current    *Topic  `json:"current,omitempty"`
	Topics     []Topic `json:"topics"`
	Offset     int     `json:"offset"`
	NextOffset int     `json:"nextOffset,omitempty"`
	Next       string  `json:"next,omitempty"`
}

// TopicData is what the page of a weekly topic shows.
type TopicData struct {
	Topic  Topic       `json:"topic"`
	Cards  []post.Card `json:"cards"`
	Videos []post.Card `json:"videos"`
	Newer  *Topic      `json:"newer,omitempty"`
	Older  *Topic      `json:"older,omitempty"`
}

// TopicBlock is the current weekly topic on the front page.
type TopicBlock struct {
	Topic Topic       `json:"topic"`
	Cards []post.Card `json:"cards"`
}

// currentTopicSlug is the word in the place of a slug that means the newest topic; it is of the edition's addresses.
func currentTopicSlug(ed *edition.Edition) string {
	if ed.RouteSet == "standard" {
		return "aktualne-vydanie"
	}
	return "current-edition"
}

func (t *tag) topic(ed *edition.Edition) Topic {
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

// or is the topic as pages have it, or nil where there is none or the edition has no such pages.
func (t *tag) or(ed *edition.Edition) *Topic {
	if t == nil || ed.Href(edition.Topic, t.Slug) == "" {
		return nil
	}
	out := t.topic(ed)
	return &out
}

func asTopics(ed *edition.Edition, tags []*tag) []Topic {
	out := make([]Topic, len(tags))
	for i, t := range tags {
		out[i] = t.topic(ed)
	}
	return out
}

func (m *Module) loadTopicIndex(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	w, err := post.ReadWindow(r.Query, topicsPerPage, topicsPerPage)
	if err != nil {
		return nil, err
	}
	d := &TopicIndexData{Offset: w.Offset}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		tags, run, err := findTopics(ctx, tx, w)
		if err != nil {
			return err
		}
		d.Topics = asTopics(ed, tags)
		d.NextOffset, d.Next = w.Next(ed.Href(edition.TopicIndex), run)
		current, err := findCurrentTopic(ctx, tx)
		d.Current = current.or(ed)
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
	p.Meta.JSONLD = topicsData(ed, p.Meta, d)
	if d.Current != nil && len(d.Current.Covers) > 0 {
		p.Meta.Image = seo.ShareImage(ed, &d.Current.Covers[0])
		p.Preload = seo.Preload(&d.Current.Covers[0], seo.Cover)
	}
	return p, nil
}

// topicShelf is a topic with what it holds.
type topicShelf struct {
	tag, newer, older *tag
	articles, videos  []*post.Post
}

// readTopic reads a weekly topic; web.ErrNotFound when there is none.
func (m *Module) readTopic(ctx context.Context, slug string) (s topicShelf, err error) {
	err = post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) (err error) {
		if s.tag, err = namedTopic(ctx, tx, slug); err != nil {
			return err
		}
		if s.newer, s.older, err = findNeighbours(ctx, tx, s.tag); err != nil {
			return err
		}
		articles, err := post.FindIn(ctx, tx, post.InTag, []int64{s.tag.ID}, "article", post.Window{Limit: topicPosts})
		if err != nil {
			return err
		}
		videos, err := post.FindIn(ctx, tx, post.InTag, []int64{s.tag.ID}, "video", post.Window{Limit: topicVideos})
		if err != nil {
			return err
		}
		posts, err := post.Load(ctx, tx, t, slices.Concat(articles.IDs, videos.IDs))
		s.articles, s.videos = post.InOrder(posts, articles.IDs), post.InOrder(posts, videos.IDs)
		return err
	})
	return s, err
}

func (m *Module) loadTopic(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	s, err := m.readTopic(ctx, r.Params["tagSlug"])
	if err != nil {
		return nil, err
	}
	d := &TopicData{
		Topic: s.tag.topic(ed), Cards: post.CardsOf(ed, s.articles), Videos: post.CardsOf(ed, s.videos),
		Newer: s.newer.or(ed), Older: s.older.or(ed),
	}
	p := &page.Page{Data: d, Tags: post.WithCardTags([]string{post.TopicTag(s.tag.Slug)}, d.Cards, d.Videos)}
	if r.Params["tagSlug"] != s.tag.Slug {
		p.Tags = append(p.Tags, post.TopicsTag) // another topic may become the current one
	}
	p.Meta = seo.ListMeta(ed, s.tag.Name, s.tag.Description, ed.URL(d.Topic.URL))
	p.Meta.JSONLD = topicData(ed, p.Meta, d)
	if len(d.Topic.Covers) > 0 {
		p.Meta.Image = seo.ShareImage(ed, &d.Topic.Covers[0])
	}
	if len(d.Cards) > 0 {
		p.Preload = seo.Preload(d.Cards[0].Picture, seo.Lead)
	}
	return p, nil
}
