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

// postEmails sends a login email once more. Other fields of the body (reference, user_data) are accepted and ignored.
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
	referrer, err := m.checkResend(c.Request.Context(), in.Email, m.visitor(c))
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

// checkResend reports whether a browser may have a login email sent to an address: a reader only to their own, a
// visitor only to the one that this browser has requested an email for. It returns where that email leads. Without it,
// this call would let anybody send email to anyone.
func (m *Module) checkResend(ctx context.Context, address string, v Visitor) (referrer string, err error) {
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
