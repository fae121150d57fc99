package identity

import (
	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// commentNameSet is the message after a form that was taken.
const commentNameSet = "COMMENT_NAME_SET"

func (m *Module) postCommentName(c *gin.Context) error {
	var in struct {
		Token    string `json:"user_token"`
		Name     string `json:"comment_name"`
		Referrer string `json:"referrer"`
	}
	if web.IsForm(c) {
		in.Token, in.Name, in.Referrer = c.PostForm("user_token"), c.PostForm("comment_name"), c.PostForm("referrer")
	} else if err := web.Bind(c, &in); err != nil {
		return err
	}
	s, ok := session.From(c.Request.Context())
	err := error(web.ErrNotSignedIn)
	if ok && (in.Token == "" || in.Token == s.Handle) {
		err = m.SetCommentName(c.Request.Context(), s.ReaderID, in.Name)
	}
	back := web.LocalPath(in.Referrer)
	return reply(c, err, back, web.WithStatus(back, commentNameSet), gin.H{"success": true})
}
