package identity

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"time"

	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// leaveMailsAnHour bounds the mails with a code that deletes the account; it is the reader's own, so an hour says
// enough.
var leaveMailsAnHour = limit.Budget{Name: "identity.leave.mail", Max: 5, Window: time.Hour}

// leave is one mail with the code that deletes an account.
type leave struct {
	ID        int64
	ReaderID  int64
	Nonce     []byte
	CodeHash  []byte
	Tries     int
	ExpiresAt time.Time
}

// AskToLeave mails the session's reader a code that deletes the account, and makes earlier ones void. A browser that
// was left open in a library is not enough to delete an account: it takes the mailbox as well. Asked again within a
// minute it sends nothing.
func (m *Module) AskToLeave(ctx context.Context) error {
	s, ok := session.From(ctx)
	if !ok {
		return web.ErrNotSignedIn
	}
	within := true
	err := m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := lockAddress(ctx, tx, "leave:"+reader.Key(s.ReaderID)); err != nil {
			return err
		}
		if fresh, err := hasFreshLeave(ctx, tx, s.ReaderID); err != nil || fresh {
			return err
		}
		var err error
		if within, err = limit.Spend(ctx, tx, leaveMailsAnHour, reader.Key(s.ReaderID)); err != nil || !within {
			return err
		}
		nonce := make([]byte, 32)
		_, _ = rand.Read(nonce) // it never fails
		id, err := insertLeave(ctx, tx, s.ReaderID, nonce, m.leaveHash(tx, nonce, m.leaveCode(tx.Edition.ID, nonce)))
		if err != nil {
			return err
		}
		return outbox.Tell(ctx, tx, event.LeaveMail, event.LeaveRequested{LeaveID: id})
	})
	if err == nil && !within {
		return web.ErrTooMany
	}
	return err
}

// leaveCode is another than the code of a login by the same nonce would be.
func (m *Module) leaveCode(editionID string, nonce []byte) string {
	return m.secrets.Code(editionID, append([]byte("leave:"), nonce...))
}

func (m *Module) leaveHash(tx db.Tx, nonce []byte, code string) []byte {
	return m.secrets.CodeHash(tx.Edition.ID, append([]byte("leave:"), nonce...), code)
}

// mailLeave sends the code, unless it has become of no use meanwhile.
func (m *Module) mailLeave(ctx context.Context, e event.LeaveRequested) error {
	var letter *mail.Letter
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		l, err := findLeave(ctx, tx, e.LeaveID)
		if err != nil || l == nil || !tx.Now.Before(l.ExpiresAt) {
			return err
		}
		r, err := reader.Find(ctx, tx, l.ReaderID)
		if err != nil || r == nil {
			return err
		}
		made := leaveLetter(tx.Edition, l, r.Email, m.leaveCode(tx.Edition.ID, l.Nonce))
		letter = &made
		return nil
	})
	if err != nil || letter == nil {
		return err
	}
	return m.mailer.Send(ctx, *letter)
}

// Leave deletes the account of the session's reader by the mailed code: address, name and sessions are gone when it
// returns, and the rest follows by the outbox. Each wrong code is counted.
func (m *Module) Leave(ctx context.Context, typed string) error {
	s, ok := session.From(ctx)
	if !ok {
		return web.ErrNotSignedIn
	}
	code := secret.ParseCode(typed)
	if code == "" {
		return secret.ErrInvalidCode.On("code")
	}
	var refusal error
	err := m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		l, err := lockLeave(ctx, tx, s.ReaderID)
		if err != nil {
			return err
		}
		switch {
		case l == nil:
			refusal = secret.ErrInvalidCode.On("code")
			return nil
		case !tx.Now.Before(l.ExpiresAt):
			refusal = secret.ErrExpiredToken
			return nil
		case l.Tries >= triesPerCode:
			refusal = secret.ErrTooManyAttempts
			return nil
		case subtle.ConstantTimeCompare(l.CodeHash, m.leaveHash(tx, l.Nonce, code)) != 1:
			refusal = secret.ErrInvalidCode.On("code")
			return countLeaveTry(ctx, tx, l.ID)
		}
		_, err = m.beginErasure(ctx, tx, s.ReaderID)
		return err
	})
	if err != nil {
		return err
	}
	m.Sessions.ForgetReader(s.ReaderID)
	m.log.InfoContext(ctx, "an account was to be deleted by its reader", "security", true, "reader", s.ReaderID,
		"refusal", refusal)
	return refusal
}
