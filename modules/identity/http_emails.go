package identity

import (
	"context"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// postEmails sends a login mail once more. What else stands in the body (reference, user_data) is accepted and goes
// into no mail.
func (m *Module) postEmails(c *gin.Context) error {
	var in struct {
		Email string `json:"email"`
		Type  string `json:"type"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	ed := web.Edition(c)
	purpose, ok := ParsePurpose(in.Type)
	if !ok || in.Type == "" {
		return web.ErrInvalidArgs.On("type")
	}
	referrer, err := m.mayMail(c.Request.Context(), in.Email, m.visitor(c))
	if err != nil {
		return err
	}
	email, err := m.ask(c, loginFields{Email: in.Email, Referrer: referrer})
	if err != nil {
		return err
	}
	return web.OK(c,
		gin.H{"success": true, "status": "sent", "data": gin.H{"redirect": sentPath(ed, purpose, email, referrer)}})
}

// mayMail reports whether a browser may have an address written to: a reader's only the own one, a visitor's only the
// one that a login mail is under way to from this very browser. It returns where that mail leads. Else this call would
// be a way to have anybody written to.
func (m *Module) mayMail(ctx context.Context, address string, v Visitor) (referrer string, err error) {
	email, err := emailaddr.Parse(address)
	if err != nil {
		return "", err
	}
	if s, ok := session.From(ctx); ok {
		r, err := reader.Load(ctx, m.db, s.ReaderID)
		if err == nil && r.Email != email {
			err = web.ErrForeignUserID.On("email")
		}
		return "/", err
	}
	var a *attempt
	if v.Browser != "" {
		err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			a, err = findAskedAttempt(ctx, tx, email, browserHash(v.Browser))
			return err
		})
	}
	if err == nil && (a == nil || a.LinkUsedAt != nil || a.CodeUsedAt != nil || a.DeniedAt != nil) {
		return "", web.ErrRequirement.On("email")
	}
	if err != nil {
		return "", err
	}
	return a.Referrer, nil
}
