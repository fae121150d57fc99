package identity

import (
	"mime"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

func (m *Module) leaveRoutes(r gin.IRouter) {
	r.POST("/user/export", web.Do(m.postExport))
	r.POST("/user/leave/ask", web.Do(m.postAskToLeave))
	r.POST("/user/leave", web.Do(m.postLeave))
}

// profileHref is where the forms of the profile stand.
func profileHref(c *gin.Context) string { return web.Edition(c).Href(edition.Profile) }

func (m *Module) postExport(c *gin.Context) error {
	if err := web.BindNothing(c); err != nil {
		return err
	}
	name, zip, err := m.Data.OwnExport(c.Request.Context())
	if err != nil {
		return m.reply(c, err, profileHref(c), "", nil)
	}
	c.Header("Cache-Control", "private, no-store")
	c.Header("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	c.Data(http.StatusOK, "application/zip", zip)
	return nil
}

func (m *Module) postAskToLeave(c *gin.Context) error {
	if err := web.BindNothing(c); err != nil {
		return err
	}
	back := profileHref(c)
	err := m.Data.RequestErasure(c.Request.Context())
	return m.reply(c, err, back, web.WithStatus(back, "EMAIL_SENT"), gin.H{"success": true, "status": "sent"})
}

func (m *Module) postLeave(c *gin.Context) error {
	var in struct {
		Code string `json:"code"`
	}
	if web.IsForm(c) {
		in.Code = c.PostForm("code")
	} else if err := web.Bind(c, &in); err != nil {
		return err
	}
	if strings.TrimSpace(in.Code) == "" {
		return m.reply(c, web.ErrRequirement.On("code"), profileHref(c), "", nil)
	}
	err := m.Data.ConfirmErasure(c.Request.Context(), in.Code)
	if err == nil {
		m.clearSession(c)
	}
	to := web.WithStatus("/", "ACCOUNT_DELETED")
	return m.reply(c, err, profileHref(c), to, gin.H{"success": true, "data": gin.H{"redirect": to}})
}
