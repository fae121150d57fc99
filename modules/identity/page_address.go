package identity

import (
	"context"
	"time"

	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/page"
)

// addressData is EmailChangeData of openapi.yaml.
type addressData struct {
	Step  string    `json:"step"`  // confirm, waiting, done, late, or broken for a bad link; passkey, passkeyGone
	Token string    `json:"token"` // of the page's forms
	Side  side      `json:"side"`
	From  string    `json:"from"` // masked for the new address, which may be a stranger's
	To    string    `json:"to"`
	Until time.Time `json:"until"`
}

// profileChange is ProfileChange of openapi.yaml.
type profileChange struct {
	Email        string    `json:"email"`
	OldConfirmed bool      `json:"oldConfirmed"`
	NewConfirmed bool      `json:"newConfirmed"`
	Until        time.Time `json:"until"`
}

// addressPage looks at a link and uses nothing up: mail scanners open links too.
func (m *Module) addressPage(ctx context.Context, r *page.Request) (*page.Page, error) {
	d := addressData{Step: "broken"}
	if link := r.Query.Get("passkey"); link != "" {
		return m.undoPage(ctx, r, link)
	}
	if link := r.Query.Get("token"); secret.Valid(link) {
		err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
			a, err := findChangeByLink(ctx, tx, secret.Hash(link))
			if err != nil || a == nil {
				return err
			}
			switch refusal := a.refusal(tx.Now); {
			case a.DoneAt != nil:
				d.Step = "done"
			case a.late(tx.Now):
				d.Step = "late"
			case refusal != nil:
				return nil //nolint:nilerr // the page says that the link is of no use
			case a.confirmed(a.Side):
				d.Step = "waiting"
			default:
				d.Step = "confirm"
			}
			d.Token, d.Side, d.From, d.To, d.Until = link, a.Side, a.OldEmail, a.NewEmail, a.ExpiresAt
			if a.Side == newSide {
				d.From = emailaddr.Mask(a.OldEmail)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return privatePage(r, "emailChange", d), nil
}

// undoPage is where the email about a new passkey leads: a button there removes it. Looking at it changes nothing.
func (m *Module) undoPage(ctx context.Context, r *page.Request, link string) (*page.Page, error) {
	there, known, err := m.passkeys.IsThere(ctx, link)
	if err != nil {
		return nil, err
	}
	d := addressData{Step: "broken", Token: link}
	switch {
	case there:
		d.Step = "passkey"
	case known:
		d.Step = "passkeyGone"
	}
	return privatePage(r, "passkeyUndo", d), nil
}

// profileAddressChange is what a reader's profile says of a change that waits; nil for none.
func (m *Module) profileAddressChange(ctx context.Context, readerID int64) (c *profileChange, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		a, err := findOpenChange(ctx, tx, readerID)
		if a != nil {
			c = &profileChange{a.NewEmail, a.OldConfirmedAt != nil, a.NewConfirmedAt != nil, a.ExpiresAt}
		}
		return err
	})
	return c, err
}
