package content

import (
	"context"
	"net/url"
	"strconv"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/platform/web"
)

// Sizes of a page of the lists, where the call names none.
const (
	latestPosts   = 40
	videosPerPage = 20
	videosBeside  = 15 // of a category, a topic
	linesShown    = 10
	topViewed     = 5
	topViewedDays = 30
)

func (m *Module) getLatest(c *gin.Context) error {
	return m.listing(c, listCall{size: "per_page", perPage: latestPosts, tags: []string{post.FrontTag}}, m.Latest)
}

func (m *Module) getEssays(c *gin.Context) error {
	return m.listing(c, listCall{size: "per_page", perPage: topic.TeaserLength, tags: []string{post.FrontTag}}, m.Essays)
}

func (m *Module) getVideos(c *gin.Context) error {
	return m.listing(c, listCall{size: "per_page", perPage: videosPerPage, tags: []string{post.FrontTag}}, m.Videos)
}

func (m *Module) getVideosByCategory(c *gin.Context) error {
	slug := c.Param("slug")
	l := listCall{size: "per_page", perPage: videosBeside, tags: []string{post.CategoryTag(slug)}}
	return m.listing(c, l, func(ctx context.Context, w post.Window) (List, error) {
		return m.ByCategory(ctx, slug, "video", w)
	})
}

// getVideosByWeekly has a parameter that is spelled as in no other call.
func (m *Module) getVideosByWeekly(c *gin.Context) error {
	return m.byTopic(c, "perPage", videosBeside, "video")
}

func (m *Module) getWeeklyArticles(c *gin.Context) error {
	return m.byTopic(c, "per_page", maxPerPage, "article")
}

// byTopic lists what was written for the weekly topic that the call names, or for the current one.
func (m *Module) byTopic(c *gin.Context, size string, perPage int, list string) error {
	slug := c.Query("slug")
	l := listCall{
		size: size, perPage: perPage, about: url.Values{"slug": {slug}},
		tags: []string{post.TopicTag(slug), post.TopicNameTag(slug)},
	}
	if slug == "" {
		l.about, l.tags = nil, []string{post.TopicsTag, post.FrontTag}
	}
	return m.listing(c, l, func(ctx context.Context, w post.Window) (List, error) {
		return m.ByTopic(ctx, slug, list, w)
	})
}

func (m *Module) getVideosByAuthor(c *gin.Context) error { return m.byAuthor(c, videosBeside, "video") }

func (m *Module) getByAuthor(c *gin.Context) error { return m.byAuthor(c, authorPosts, "article") }

func (m *Module) byAuthor(c *gin.Context, perPage int, list string) error {
	slug := c.Param("slug")
	l := listCall{size: "per_page", perPage: perPage, tags: []string{post.AuthorTag(slug)}}
	return m.listing(c, l, func(ctx context.Context, w post.Window) (List, error) {
		return m.ByAuthor(ctx, slug, list, w)
	})
}

func (m *Module) getWeekly(c *gin.Context) error {
	slug := c.Query("slug")
	tags := []string{post.TopicsTag, post.FrontTag, post.TopicTag(slug), post.TopicNameTag(slug)}
	return m.kept(c, url.Values{"slug": {slug}}, func(ctx context.Context) (reply, error) {
		e, err := m.topics.Weekly(ctx, slug)
		return reply{value: e, tags: tags}, err
	})
}

func (m *Module) getWeeklies(c *gin.Context) error {
	l := listCall{size: "per_page", perPage: topic.PerPage, tags: []string{post.TopicsTag, post.FrontTag}}
	return m.part(c, l, func(ctx context.Context, w post.Window) (any, post.Part, error) {
		return m.topics.Weeklies(ctx, w)
	})
}

func (m *Module) getTags(c *gin.Context) error {
	limit, offset, err := window(c, topic.PerPage, maxPerPage)
	if err != nil {
		return err
	}
	q := url.Values{"per_page": {strconv.Itoa(limit)}, "offset": {strconv.Itoa(offset)}}
	return m.kept(c, q, func(ctx context.Context) (reply, error) {
		list, err := m.topics.Tags(ctx, limit, offset)
		return reply{value: list, tags: []string{post.TopicsTag, post.FrontTag}, rare: offset > keptParts*limit}, err
	})
}

func (m *Module) getAuthor(c *gin.Context) error {
	slug := c.Param("slug")
	return m.kept(c, nil, func(ctx context.Context) (reply, error) {
		a, err := m.AuthorOf(ctx, slug)
		return reply{value: a, tags: []string{post.AuthorTag(slug)}}, err
	})
}

// getReactions is as new as the discussion, which tells no list of what was said in it.
func (m *Module) getReactions(c *gin.Context) error {
	id := c.Query("id")
	return m.kept(c, url.Values{"id": {id}}, func(ctx context.Context) (reply, error) {
		r, err := m.Reactions(ctx, id)
		return reply{value: r, rare: true}, err
	})
}

func (m *Module) getLatestLines(c *gin.Context) error {
	limit, err := web.Int(c, "limit", linesShown, 1, maxPerPage)
	if err != nil {
		return err
	}
	return m.kept(c, url.Values{"limit": {strconv.Itoa(limit)}}, func(ctx context.Context) (reply, error) {
		list, err := m.LatestLines(ctx, limit)
		return reply{value: list, tags: []string{post.FrontTag}}, err
	})
}

func (m *Module) getTopViewed(c *gin.Context) error {
	limit, err := web.Int(c, "limit", topViewed, 1, maxPerPage)
	if err != nil {
		return err
	}
	return m.mostRead(c, limit, 0, topViewedDays)
}
