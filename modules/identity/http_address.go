package identity

import (
	"net/url"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// emailChanged is the message after the second confirmation.
const emailChanged = "EMAIL_CHANGED"

type addressFields struct {
	Email string `json:"email"`
	Token string `json:"token"`
	Code  string `json:"code"`
	Keep  bool   `json:"keep_passkeys"`
}

func bindAddress(c *gin.Context) (f addressFields, err error) {
	if web.IsForm(c) {
		return addressFields{
			c.PostForm("email"), c.PostForm("token"), c.PostForm("code"), c.PostForm(keepPasskeys) != "",
		}, nil
	}
	return f, web.Bind(c, &f)
}

// addressPage is where the links of the two mails lead.
func addressPage(ed *edition.Edition, token string) string {
	return ed.Href(edition.EmailChange) + "?token=" + url.QueryEscape(token)
}

func (m *Module) postAddress(c *gin.Context) error {
	ed := web.Edition(c)
	in, err := bindAddress(c)
	if err != nil {
		return err
	}
	profile := ed.Href(edition.Profile)
	err = m.RequestAddressChange(c.Request.Context(), in.Email, limit.Network(c.ClientIP()))
	return m.reply(c, err, profile, profile, gin.H{"success": true, "data": gin.H{"redirect": profile}})
}

func (m *Module) postConfirmAddress(c *gin.Context) error {
	ed := web.Edition(c)
	in, err := bindAddress(c)
	if err != nil {
		return err
	}
	to := ed.Href(edition.Profile)
	var done bool
	if in.Token != "" {
		to = addressPage(ed, in.Token)
		done, err = m.ConfirmAddressChange(c.Request.Context(), in.Token, limit.Network(c.ClientIP()), in.Keep)
	} else {
		done, err = m.ConfirmAddressChangeByCode(c.Request.Context(), in.Code, limit.Network(c.ClientIP()), in.Keep)
	}
	back := to
	if done && in.Token == "" {
		to = web.WithStatus(to, emailChanged)
	}
	return m.reply(c, err, back, to, gin.H{"success": true, "data": gin.H{"redirect": to, "done": done}})
}

func (m *Module) postCancelAddress(c *gin.Context) error {
	ed := web.Edition(c)
	in, err := bindAddress(c)
	if err != nil {
		return err
	}
	to := ed.Href(edition.Profile)
	if in.Token != "" {
		to = addressPage(ed, in.Token)
	}
	return m.reply(c, m.CancelAddressChange(c.Request.Context(), in.Token), to, to,
		gin.H{"success": true, "data": gin.H{"redirect": to}})
}
