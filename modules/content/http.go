package content

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

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
		{"/content/carousel/index", m.getCarousel},
		{"/content/editors_picks", m.getPicks},
		{"/content/most_read_posts", m.getMostRead},
		{"/content/minute", m.getMinutes},
		{"/content/minute/:id", m.getMinutes},
		{"/content/opinion", m.getOpinion},
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
	e, err := m.Post(c.Request.Context(), id, !web.LooksOnly(c.Request))
	if err != nil {
		return err
	}
	if e.Locked {
		return web.OK(c, e)
	}
	return shared(c, e)
}

func (m *Module) getByCategory(c *gin.Context) error {
	limit, offset, err := window(c, laterPage, 50)
	if err != nil {
		return err
	}
	list, err := m.ByCategory(c.Request.Context(), c.Param("slug"), limit, offset)
	return answer(c, list, err)
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
	days, err := web.Int(c, "per_days", mostReadDays, 1, 30)
	if err != nil {
		return err
	}
	list, err := m.MostRead(c.Request.Context(), limit, days)
	return answer(c, list, err)
}

func (m *Module) getMinutes(c *gin.Context) error {
	limit, offset, err := window(c, 10, 50)
	if err != nil {
		return err
	}
	var from int64
	if p := c.Param("id"); p != "" {
		if from, err = strconv.ParseInt(p, 10, 64); err != nil || from < 0 {
			return web.ErrNotFound
		}
	}
	list, err := m.Minutes(c.Request.Context(), from, limit, offset)
	return answer(c, list, err)
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

// window reads per_page and offset.
func window(c *gin.Context, perPage, most int) (limit, offset int, err error) {
	if limit, err = web.Int(c, "per_page", perPage, 1, most); err != nil {
		return 0, 0, err
	}
	offset, err = web.Int(c, "offset", 0, 0, maxOffset)
	return limit, offset, err
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
