package identity

import (
	"errors"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// commentNameSet is the message after a form that was taken.
const commentNameSet = "COMMENT_NAME_SET"

// postCommentName takes a name from a script, from the plain form of a discussion, which says where it stands, or from
// the one of the focus page.
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
	ed := web.Edition(c)
	s, ok := session.From(c.Request.Context())
	err := error(web.ErrNotSignedIn)
	if ok && (in.Token == "" || in.Token == s.Handle) {
		err = m.names.Set(c.Request.Context(), s.ReaderID, in.Name)
	}
	m.saveForm(c, nameForm, in.Name, err)
	back, to := web.LocalPath(in.Referrer), web.LocalPath(in.Referrer)
	if in.Referrer == "" {
		back, to = ed.Href(edition.Focus)+"?type="+focusCommentName, ed.Href(edition.Profile)
		if errors.Is(err, web.ErrNotSignedIn) {
			back = ed.Href(edition.Login)
		}
	}
	return reply(c, err, back, web.WithStatus(to, commentNameSet), gin.H{"success": true})
}
