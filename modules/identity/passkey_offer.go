package identity

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

// offerAgain is how long a "not now" holds: a passkey is offered after a login by email to who has none.
const offerAgain = 180 * 24 * time.Hour

// DeclinePasskey notes that the reader of ctx wants no passkey now. The profile still makes one.
func (m *Module) DeclinePasskey(ctx context.Context) error {
	s, ok := session.From(ctx)
	if !ok {
		return web.ErrNotSignedIn
	}
	return m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return declinePasskey(ctx, tx, s.ReaderID) })
}

// mailPasskey tells a reader that an account can be entered by a passkey that it could not be entered by before, or no
// longer: who has got hold of a session must not settle in unnoticed.
func (m *Module) mailPasskey(ctx context.Context, e event.PasskeyChange) error {
	var r *reader.Reader
	var ed *edition.Edition
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		ed = tx.Edition
		r, err = reader.Find(ctx, tx, e.ReaderID)
		return err
	})
	if err != nil || r == nil {
		return err
	}
	return m.mailer.Send(ctx, passkeyLetter(ed, e, r.Email))
}
