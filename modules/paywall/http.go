package paywall

import (
	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// Routes adds the module's endpoints.
func (m *Module) Routes(r gin.IRouter) {
	r.GET("/fns/user-can-read-article", web.Do(m.getOpened))
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
