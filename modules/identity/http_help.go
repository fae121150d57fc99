package identity

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/identity/help"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// helpFields are those of the form, and HelpDraft of openapi.yaml.
type helpFields struct {
	Name    string `json:"name"`
	Email   string `json:"email"`
	Message string `json:"message"`
}

func bindHelp(c *gin.Context) (f helpFields, referrer, trap string, err error) {
	if web.IsForm(c) {
		return helpFields{c.PostForm("name"), c.PostForm("email"), c.PostForm("message")}, c.PostForm("referrer"),
			c.PostForm(web.TrapField), nil
	}
	var in struct {
		Name     string `json:"name"`
		Email    string `json:"email"`
		Message  string `json:"message"`
		Referrer string `json:"referrer"`
		Website  string `json:"website"`
	}
	err = web.Bind(c, &in)
	return helpFields{in.Name, in.Email, in.Message}, in.Referrer, in.Website, err
}

func (m *Module) postHelpMessage(c *gin.Context) error {
	ed := web.Edition(c)
	in, referrer, trap, err := bindHelp(c)
	if err != nil {
		return err
	}
	if !web.Honeypot(c, trap) {
		err = m.help.Ask(c.Request.Context(),
			help.Message{Name: in.Name, Email: in.Email, Text: in.Message, Network: limit.Network(c.ClientIP())})
	}
	m.saveForm(c, helpForm, in.draft(), err)
	form := ed.Href(edition.Login)
	if r := web.LocalPath(referrer); r != "/" {
		form += "?referrer=" + url.QueryEscape(r)
	}
	to := web.WithStatus(form, "EMAIL_SENT")
	return m.reply(c, err, form, to, gin.H{"success": true, "status": "sent", "data": gin.H{"redirect": to}})
}

// draft is the form as a cookie carries it to the page that shows it again.
func (f helpFields) draft() string {
	text, err := json.Marshal(f)
	if err != nil {
		return ""
	}
	return string(text)
}

// helpDraft is what this browser has typed into the form when it was refused; nil for nothing.
func helpDraft(ctx context.Context) *helpFields {
	f := new(helpFields)
	if json.Unmarshal([]byte(web.SavedForm(ctx, helpForm)), f) != nil {
		return nil
	}
	return f
}
