package passkey

import (
	"context"
	"time"

	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// OfferAgain is how long a "not now" holds.
const OfferAgain = 180 * 24 * time.Hour

// Decline notes that the reader of ctx wants no passkey now. The profile still makes one.
func (p *Passkeys) Decline(ctx context.Context) error {
	s, ok := session.From(ctx)
	if !ok {
		return web.ErrNotSignedIn
	}
	return p.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return putDeclined(ctx, tx, s.ReaderID) })
}

// OfferDue reports whether a reader who has logged in by email is to be offered a passkey: one who has none and has not
// declined one lately.
func OfferDue(ctx context.Context, tx db.Tx, readerID int64) (bool, error) {
	return isOfferDue(ctx, tx, readerID, tx.Now.Add(-OfferAgain))
}

// MailChange tells a reader that an account can be entered by a passkey that it could not be entered by before, or no
// longer: who has got hold of a session must not settle in unnoticed.
func (p *Passkeys) MailChange(ctx context.Context, e event.PasskeyChange) error {
	var r *reader.Reader
	var ed *edition.Edition
	err := p.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		ed = tx.Edition
		r, err = reader.Find(ctx, tx, e.ReaderID)
		return err
	})
	if err != nil || r == nil {
		return err
	}
	return p.mailer.Send(ctx, changeEmail(ed, e, r.Email, p.undoAddress(ed, e)))
}
