package identity

import (
	"strconv"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// keepPasskeys is the box of a form that leaves an account its passkeys.
const keepPasskeys = "keep_passkeys"

func (m *Module) getSessions(c *gin.Context) error {
	list, err := m.Sessions.List(c.Request.Context())
	if err != nil {
		return err
	}
	return web.OK(c, gin.H{"sessions": list})
}

func (m *Module) postEndSession(c *gin.Context) error {
	ed := web.Edition(c)
	var in struct {
		ID     int64 `json:"id"`
		Others bool  `json:"others"`
		Keep   bool  `json:"keep_passkeys"`
	}
	if web.IsForm(c) {
		in.ID, _ = strconv.ParseInt(c.PostForm("id"), 10, 64) // what is no number is nobody's session
		in.Others, in.Keep = c.PostForm("others") != "", c.PostForm(keepPasskeys) != ""
	} else if err := web.Bind(c, &in); err != nil {
		return err
	}
	if in.Others && in.ID != 0 {
		return web.ErrInvalidArgs.On("others") // one, or all but this one
	}
	var current bool
	var err error
	if in.Others {
		_, err = m.LogOutElsewhere(c.Request.Context(), in.Keep)
	} else {
		current, err = m.Sessions.End(c.Request.Context(), in.ID)
	}
	to := ed.Href(edition.Profile)
	if current {
		m.clearSession(c)
		to = "/"
	}
	return m.reply(c, err, ed.Href(edition.Profile), to, gin.H{"success": true})
}
