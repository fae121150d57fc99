package paywall

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// Routes adds the module's endpoints.
func (m *Module) Routes(r gin.IRouter) {
	r.GET("/fns/user-can-read-article", web.Do(m.getOpened))
}

// VideoLink notes the video that the address of a page names, ?video-komentar={id}&data={date}, in the record of the
// reader who opens it: by a document, or by the call for a page's data. The date is for people and says nothing that
// the video does not know. It stands before the pages, and whatever becomes of it, the page goes out.
func (m *Module) VideoLink() gin.HandlerFunc {
	return func(c *gin.Context) {
		ctx := c.Request.Context()
		reader, id := session.ReaderID(ctx), videoOf(c.Request)
		if reader == 0 || id == 0 || c.Request.Method != http.MethodGet || web.IsPrefetch(c.Request) {
			return
		}
		if _, err := m.OpenVideo(ctx, reader, id); err != nil {
			m.log.ErrorContext(ctx, "an opened video was not recorded", "video", id, "error", err)
		}
	}
}

// videoOf finds the id in the address of a page or in the address that a call asks for; 0 for none.
func videoOf(r *http.Request) int64 {
	q := r.URL.Query()
	if page, err := url.Parse(q.Get("url")); err == nil && q.Has("url") {
		q = page.Query()
	}
	id, err := strconv.ParseInt(q.Get("video-komentar"), 10, 64)
	if err != nil || id < 0 {
		return 0
	}
	return id
}

// getOpened answers for the session's reader alone; a handle of somebody else's session is told so.
func (m *Module) getOpened(c *gin.Context) error {
	s, ok := session.From(c.Request.Context())
	if !ok {
		return web.ErrNotSignedIn
	}
	if h := c.Query("user_hash"); h != "" && h != s.Handle {
		return web.OK(c, gin.H{"success": false, "description": "INVALID_HASH"})
	}
	r, err := m.Opened(c.Request.Context(), s.ReaderID)
	if err != nil {
		return err
	}
	return web.OK(c, gin.H{"success": true, "data": r})
}
