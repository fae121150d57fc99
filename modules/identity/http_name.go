package identity

import (
	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// commentNameSet is the message after a form that was taken.
const commentNameSet = "COMMENT_NAME_SET"

// postCommentName takes a name from a script, from the plain form of a discussion, which says where it stands, or from
// the one of the focus page.
func (m *Module) postCommentName(c *gin.Context) error {
	var in struct {
		Name     string `json:"comment_name"`
		Referrer string `json:"referrer"`
	}
	if web.IsForm(c) {
		in.Name, in.Referrer = c.PostForm("comment_name"), c.PostForm("referrer")
	} else if err := web.Bind(c, &in); err != nil {
		return err
	}
	ed := web.Edition(c)
	reader, err := web.Reader(c)
	if err == nil {
		err = m.names.Set(c.Request.Context(), reader, in.Name)
	}
	m.saveForm(c, nameForm, in.Name, err)
	back, to := web.LocalPath(in.Referrer), web.LocalPath(in.Referrer)
	if in.Referrer == "" {
		back, to = ed.Href(edition.Focus)+"?type="+focusCommentName, ed.Href(edition.Profile)
	}
	return m.reply(c, err, back, web.WithStatus(to, commentNameSet), gin.H{"success": true})
}
