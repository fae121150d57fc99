package content

import (
	"context"

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
	return listing(c, "per_page", latestPosts, m.Latest)
}

func (m *Module) getEssays(c *gin.Context) error {
	return listing(c, "per_page", topic.TeaserLength, m.Essays)
}

func (m *Module) getVideos(c *gin.Context) error {
	return listing(c, "per_page", videosPerPage, m.Videos)
}

func (m *Module) getVideosByCategory(c *gin.Context) error {
	return listing(c, "per_page", videosBeside, func(ctx context.Context, w post.Window) (List, error) {
		return m.ByCategory(ctx, c.Param("slug"), "video", w)
	})
}

// getVideosByWeekly has a parameter that is spelled as in no other call.
func (m *Module) getVideosByWeekly(c *gin.Context) error {
	return listing(c, "perPage", videosBeside, func(ctx context.Context, w post.Window) (List, error) {
		return m.ByTopic(ctx, c.Query("slug"), "video", w)
	})
}

func (m *Module) getVideosByAuthor(c *gin.Context) error {
	return listing(c, "per_page", videosBeside, func(ctx context.Context, w post.Window) (List, error) {
		return m.ByAuthor(ctx, c.Param("slug"), "video", w)
	})
}

func (m *Module) getByAuthor(c *gin.Context) error {
	return listing(c, "per_page", authorPosts, func(ctx context.Context, w post.Window) (List, error) {
		return m.ByAuthor(ctx, c.Param("slug"), "article", w)
	})
}

func (m *Module) getWeeklyArticles(c *gin.Context) error {
	return listing(c, "per_page", maxPerPage, func(ctx context.Context, w post.Window) (List, error) {
		return m.ByTopic(ctx, c.Query("slug"), "article", w)
	})
}

func (m *Module) getWeekly(c *gin.Context) error {
	e, err := m.topics.Weekly(c.Request.Context(), c.Query("slug"))
	return answer(c, e, err)
}

func (m *Module) getWeeklies(c *gin.Context) error {
	w, err := windowOf(c, "per_page", topic.PerPage)
	if err != nil {
		return err
	}
	list, r, err := m.topics.Weeklies(c.Request.Context(), w)
	if err != nil {
		return err
	}
	setNextLink(c, w, r)
	return shared(c, list)
}

func (m *Module) getOfTheWeek(c *gin.Context) error {
	e, err := m.topics.OfTheWeek(c.Request.Context())
	return answer(c, e, err)
}

func (m *Module) getTags(c *gin.Context) error {
	limit, offset, err := window(c, topic.PerPage, maxPerPage)
	if err != nil {
		return err
	}
	list, err := m.topics.Tags(c.Request.Context(), limit, offset)
	return answer(c, list, err)
}

func (m *Module) getAuthor(c *gin.Context) error {
	a, err := m.AuthorOf(c.Request.Context(), c.Param("slug"))
	return answer(c, a, err)
}

func (m *Module) getReactions(c *gin.Context) error {
	r, err := m.Reactions(c.Request.Context(), c.Query("id"))
	return answer(c, r, err)
}

func (m *Module) getLatestLines(c *gin.Context) error {
	limit, err := web.Int(c, "limit", linesShown, 1, maxPerPage)
	if err != nil {
		return err
	}
	list, err := m.LatestLines(c.Request.Context(), limit)
	return answer(c, list, err)
}

func (m *Module) getTopViewed(c *gin.Context) error {
	limit, err := web.Int(c, "limit", topViewed, 1, maxPerPage)
	if err != nil {
		return err
	}
	list, err := m.MostRead(c.Request.Context(), limit, 0, topViewedDays)
	return answer(c, list, err)
}
