package content

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strconv"

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
		{"/content/posts/by_category/index", whole(m, m.Blocks, post.FrontTag)},
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
		{"/content/topic_of_the_week", whole(m, m.topics.OfTheWeek, post.FrontTag, post.TopicsTag)},
		{"/content/tags", m.getTags},
		{"/content/author/:slug", m.getAuthor},
		{"/wp-json/standard/v1/standard-post-react/", m.getReactions},
		{"/content/carousel/index", whole(m, m.Carousel, post.FrontTag)},
		{"/content/editors_picks", whole(m, m.Picks, post.FrontTag)},
		{"/content/most_read_posts", m.getMostRead},
		{"/content/minute", m.getMinutes},
		{"/content/minute/:id", m.getMinutes},
		{"/content/opinion", whole(m, m.Opinions, post.FrontTag)},
		{"/content/search/most_searched", whole(m, m.search.MostSearched)},
		{"/content/search/most_read_authors", m.getMostReadAuthors},
		{"/content/search/authors/:term", m.getSearchAuthors},
		{"/content/search/:term", m.getSearch},
		{"/content/page/:slug", m.getPage},
	} {
		r.GET(e.path, web.Do(e.fn))
		r.HEAD(e.path, web.Do(e.fn))
	}
}

// getPost answers from memory with what everybody may read. What is locked depends on who asks.
func (m *Module) getPost(c *gin.Context) error {
	id, err := web.ID(c, "id")
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	g, err := m.gate(ctx, id)
	if err != nil {
		return err
	}
	if g.Out && !g.Locked {
		err = m.kept(c, nil, func(ctx context.Context) (reply, error) {
			e, err := m.Post(ctx, id, false)
			if err == nil && e.Locked {
				err = errPersonal // by now
			}
			return reply{value: e}, err
		})
		if err == nil {
			m.countView(c, id, g.Type)
		}
		if !errors.Is(err, errPersonal) {
			return err
		}
	}
	e, err := m.Post(ctx, id, !web.IsPrefetch(c.Request))
	if err != nil {
		return err
	}
	m.countView(c, id, e.Type)
	return web.OK(c, e)
}

// countView counts what a person reads by a call.
func (m *Module) countView(c *gin.Context, id int64, kind post.Type) {
	if !web.IsPrefetch(c.Request) && !web.IsAutomated(c.Request) && kind != post.TypePage && kind != post.TypeMinute {
		m.views.Count(c.Request.Context(), id)
	}
}

func (m *Module) getByCategory(c *gin.Context) error {
	slug := c.Param("slug")
	l := listCall{size: "per_page", perPage: laterPage, tags: []string{post.CategoryTag(slug)}}
	return m.listing(c, l, func(ctx context.Context, w post.Window) (List, error) {
		return m.ByCategory(ctx, slug, "article", w)
	})
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
	return m.mostRead(c, limit, offset, days)
}

func (m *Module) mostRead(c *gin.Context, limit, offset, days int) error {
	q := url.Values{"limit": {strconv.Itoa(limit)}, "offset": {strconv.Itoa(offset)}, "days": {strconv.Itoa(days)}}
	return m.kept(c, q, func(ctx context.Context) (reply, error) {
		list, err := m.MostRead(ctx, limit, offset, days)
		return reply{value: list, tags: []string{post.FrontTag}}, err
	})
}

func (m *Module) getMinutes(c *gin.Context) error {
	var from int64
	if p := c.Param("id"); p != "" {
		var err error
		if from, err = strconv.ParseInt(p, 10, 64); err != nil || from < 0 {
			return web.ErrNotFound
		}
	}
	l := listCall{size: "per_page", perPage: minutesPerPage, tags: []string{post.MinutesTag}}
	return m.listing(c, l, func(ctx context.Context, w post.Window) (List, error) { return m.Minutes(ctx, from, w) })
}

func (m *Module) getPage(c *gin.Context) error {
	slug := c.Param("slug")
	err := m.kept(c, nil, func(ctx context.Context) (reply, error) {
		p, err := m.Page(ctx, slug)
		if err != nil {
			return reply{}, err
		}
		if p.Locked {
			err = errPersonal
		}
		return reply{value: p, tags: []string{post.Tag(p.ID), post.PagesTag}}, err
	})
	if !errors.Is(err, errPersonal) {
		return err
	}
	p, err := m.Page(c.Request.Context(), slug)
	if err != nil {
		return err
	}
	return web.OK(c, p)
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

// listCall is a call that answers a part of a list.
type listCall struct {
	size    string // the parameter that says how many posts
	perPage int    // where it does not
	about   url.Values
	tags    []string // of the list
}

// listing answers a part of a list.
func (m *Module) listing(c *gin.Context, l listCall, read func(context.Context, post.Window) (List, error)) error {
	return m.part(c, l, func(ctx context.Context, w post.Window) (any, post.Part, error) {
		list, err := read(ctx, w)
		return list.Posts, list.next, err
	})
}

// part is listing for a list of anything.
func (m *Module) part(c *gin.Context, l listCall,
	read func(context.Context, post.Window) (any, post.Part, error),
) error {
	w, err := windowOf(c, l.size, l.perPage)
	if err != nil {
		return err
	}
	q := url.Values{l.size: {strconv.Itoa(w.Limit)}, "offset": {strconv.Itoa(w.Offset)}}
	maps.Copy(q, l.about)
	if w.After != "" {
		q.Set("after", w.After)
	}
	path := c.Request.URL.EscapedPath()
	return m.kept(c, q, func(ctx context.Context) (reply, error) {
		list, next, err := read(ctx, w)
		r := reply{value: list, tags: l.tags, rare: w.After != "" || w.Offset > keptParts*w.Limit}
		if next.More {
			r.header = http.Header{"Link": {nextLink(path, q, w.Offset, next)}}
		}
		return r, err
	})
}

// nextLink names the next part of a list (RFC 8288) by its place, so that what is published meanwhile neither repeats a
// post nor hides one.
func nextLink(path string, query url.Values, offset int, p post.Part) string {
	q := maps.Clone(query)
	q.Set("offset", strconv.Itoa(offset+len(p.IDs)))
	q.Set("after", p.Last.String())
	return "<" + path + "?" + q.Encode() + `>; rel="next"`
}
