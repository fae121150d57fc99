package identity

import (
	"errors"
	"strconv"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// postAwaitApproval is asked by the browser that wants to log in; its request cookie says which login it is.
func (m *Module) postAwaitApproval(c *gin.Context) error {
	if err := web.BindNothing(c); err != nil {
		return err
	}
	ed := web.Edition(c)
	back := ed.Href(edition.Login)
	if web.IsForm(c) && c.PostForm("email") != "" {
		purpose, ok := ParsePurpose(c.PostForm("type"))
		if !ok {
			purpose = Login
		}
		back = sentPath(ed, purpose, c.PostForm("email"), c.PostForm("referrer"))
	}
	v := m.visitor(c)
	if _, in := session.From(c.Request.Context()); in && v.Browser == "" && !web.IsForm(c) {
		return web.OK(c, gin.H{"success": true, "status": "signed_in"}) // in another tab: nothing is awaited any more
	}
	if v.Browser == "" && !web.IsForm(c) {
		return web.OK(c, gin.H{"success": true, "status": "over"}) // it has asked for nothing
	}
	o, number, err := m.AwaitApproval(c.Request.Context(), v)
	if errors.Is(err, ErrApprovalPending) && !web.IsForm(c) {
		// no failure that a browser should complain of
		return web.OK(c, gin.H{"success": true, "status": "pending", "number": number})
	}
	return m.finishLogin(c, o, err, back)
}

// postApproval is the answer of the reader who is signed in elsewhere.
func (m *Module) postApproval(c *gin.Context) error {
	ed := web.Edition(c)
	var in struct {
		ID      int64 `json:"id"`
		Approve bool  `json:"approve"`
		Number  int   `json:"number"`
	}
	if web.IsForm(c) {
		in.ID, _ = strconv.ParseInt(c.PostForm("id"), 10, 64) // what is no number is nobody's login
		in.Number, _ = strconv.Atoi(c.PostForm("number"))
		in.Approve = c.PostForm("approve") != "no" // each number is a button, and so is the no
	} else if err := web.Bind(c, &in); err != nil {
		return err
	}
	profile := ed.Href(edition.Profile)
	said := "LOGIN_REFUSED"
	if in.Approve {
		said = "LOGIN_APPROVED"
	}
	return m.reply(c, m.AnswerLogin(c.Request.Context(), in.ID, in.Approve, in.Number), profile,
		web.WithStatus(profile, said), gin.H{"success": true})
}
