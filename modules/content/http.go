package content

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/views"
	"example.org/broadsheet/platform/web"
)

// Routes are the module's endpoints.
func (m *Module) Routes(r gin.IRouter) {
	for _, e := range []struct {
		path string
		fn   func(*gin.Context) error
	}{
		{"/content/post/:id", m.getPost},
		{"/content/posts/by_category/index", m.getBlocks},
		{"/content/posts/by_category/:slug", m.getByCategory},
		{"/content/posts/by_author/:slug", m.getByAuthor},
		{"/content/posts/latest", m.getLatest},
		{"/content/posts/weekly_topic", m.getEssays},
		{"/content/posts/top_viewed", m.getTopViewed},
		{"/content/latest_list", m.getLatestLines},
		{"/content/videos", m.getVideos},
		{"/content/videos/by_category/:slug", m.getVideosByCategory},
		{"/content/videos/by_category/:slug/", m.getVideosByCategory},
		{"/content/videos/by_weekly", m.getVideosByWeekly},
		{"/content/videos/by_author/:slug", m.getVideosByAuthor},
		{"/content/weekly_articles", m.getWeeklyArticles},
		{"/content/weekly_details", m.getWeekly},
		{"/content/weeklies_details", m.getWeeklies},
		{"/content/topic_of_the_week", m.getOfTheWeek},
		{"/content/tags", m.getTags},
		{"/content/author/:slug", m.getAuthor},
		{"/wp-json/standard/v1/standard-post-react/", m.getReactions},
		{"/content/carousel/index", m.getCarousel},
		{"/content/editors_picks", m.getPicks},
		{"/content/most_read_posts", m.getMostRead},
		{"/content/minute", m.getMinutes},
		{"/content/minute/:id", m.getMinutes},
		{"/content/opinion", m.getOpinion},
		{"/content/search/most_searched", m.getMostSearched},
		{"/content/search/most_read_authors", m.getMostReadAuthors},
		{"/content/search/authors/:term", m.getSearchAuthors},
		{"/content/search/:term", m.getSearch},
		{"/content/page/:slug", m.getPage},
	} {
		r.GET(e.path, web.Do(e.fn))
		r.HEAD(e.path, web.Do(e.fn))
	}
}

func (m *Module) getPost(c *gin.Context) error {
	id, err := web.ID(c, "id")
	if err != nil {
		return err
	}
	e, err := m.Post(c.Request.Context(), id, !web.IsPrefetch(c.Request))
	if err != nil {
		return err
	}
	if reads := !web.IsPrefetch(c.Request) && !web.IsAutomated(c.Request); reads && e.Type != post.TypePage &&
		e.Type != post.TypeMinute {
		m.views.Count(c.Request.Context(), id)
	}
	if e.Locked {
		return web.OK(c, e)
	}
	return shared(c, e)
}

func (m *Module) getByCategory(c *gin.Context) error {
	return listing(c, "per_page", laterPage, func(ctx context.Context, w post.Window) (List, error) {
		return m.ByCategory(ctx, c.Param("slug"), "article", w)
	})
}

func (m *Module) getBlocks(c *gin.Context) error {
	blocks, err := m.Blocks(c.Request.Context())
	return answer(c, blocks, err)
}

func (m *Module) getCarousel(c *gin.Context) error {
	slides, err := m.Carousel(c.Request.Context())
	return answer(c, slides, err)
}

func (m *Module) getPicks(c *gin.Context) error {
	list, err := m.Picks(c.Request.Context())
	return answer(c, list, err)
}

func (m *Module) getMostRead(c *gin.Context) error {
	limit, err := web.Int(c, "limit", mostReadLong, 1, 50)
	if err != nil {
		return err
	}
	offset, err := web.Int(c, "offset", 0, 0, 20)
	if err != nil {
		return err
	}
	days, err := web.Int(c, "per_days", mostReadDays, 1, views.MaxDays)
	if err != nil {
		return err
	}
	list, err := m.MostRead(c.Request.Context(), limit, offset, days)
	return answer(c, list, err)
}

func (m *Module) getMinutes(c *gin.Context) error {
	var from int64
	if p := c.Param("id"); p != "" {
		var err error
		if from, err = strconv.ParseInt(p, 10, 64); err != nil || from < 0 {
			return web.ErrNotFound
		}
	}
	return listing(c, "per_page", minutesPerPage, func(ctx context.Context, w post.Window) (List, error) {
		return m.Minutes(ctx, from, w)
	})
}

func (m *Module) getOpinion(c *gin.Context) error {
	feed, err := m.Opinions(c.Request.Context())
	return answer(c, feed, err)
}

func (m *Module) getPage(c *gin.Context) error {
	p, err := m.Page(c.Request.Context(), c.Param("slug"))
	if err == nil && p.Locked {
		return web.OK(c, p)
	}
	return answer(c, p, err)
}

const maxPerPage = 50

// window reads per_page and offset of a list that is followed by number alone.
func window(c *gin.Context, perPage, most int) (limit, offset int, err error) {
	if limit, err = web.Int(c, "per_page", perPage, 1, most); err != nil {
		return 0, 0, err
	}
	offset, err = web.Int(c, "offset", 0, 0, post.MaxOffset)
	return limit, offset, err
}

// windowOf reads how many, how many before, and after which. Far down a list, the last is the way to go on.
func windowOf(c *gin.Context, sizeName string, perPage int) (w post.Window, err error) {
	if w.Limit, err = web.Int(c, sizeName, perPage, 1, maxPerPage); err != nil {
		return w, err
	}
	if w.Offset, err = web.Int(c, "offset", 0, 0, post.MaxFollow); err != nil {
		return w, err
	}
	w.After = c.Query("after")
	w, ok := w.Parse()
	if !ok {
		return w, web.ErrInvalidArgs.On("after").Becausef("%q after %d posts is no place in a list", w.After, w.Offset)
	}
	return w, nil
}

// listing answers a part of a list.
func listing(c *gin.Context, sizeName string, perPage int,
	read func(context.Context, post.Window) (List, error),
) error {
	w, err := windowOf(c, sizeName, perPage)
	if err != nil {
		return err
	}
	l, err := read(c.Request.Context(), w)
	if err != nil {
		return err
	}
	setNextLink(c, w, l.next)
	return shared(c, l.Posts)
}

// setNextLink names the next part of a list in the header (RFC 8288), by its place, so that what is published meanwhile
// neither repeats a post nor hides one.
func setNextLink(c *gin.Context, w post.Window, r post.Part) {
	if !r.More {
		return
	}
	q := c.Request.URL.Query()
	q.Set("offset", strconv.Itoa(w.Offset+len(r.IDs)))
	q.Set("after", r.Last.String())
	c.Header("Link", "<"+c.Request.URL.EscapedPath()+"?"+q.Encode()+`>; rel="next"`)
}

func answer(c *gin.Context, v any, err error) error {
	if err != nil {
		return err
	}
	return shared(c, v)
}

// shared answers with what is the same for everybody. Caches may keep it when no session is involved, and who has it
// already is told so.
func shared(c *gin.Context, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	c.Header("Vary", "Cookie") // who logs in must not get what the browser kept for the visitor
	control := "public, max-age=60, stale-while-revalidate=300"
	if web.SessionToken(c.Request) != "" {
		control = "private, no-store"
	}
	sum := sha256.Sum256(b)
	h := c.Writer.Header()
	h.Set("Cache-Control", control)
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Etag", `"`+hex.EncodeToString(sum[:12])+`"`)
	http.ServeContent(c.Writer, c.Request, "", time.Time{}, bytes.NewReader(b))
	return nil
}
