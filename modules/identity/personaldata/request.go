package personaldata

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"time"

	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/advisory"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// emailsAnHour bounds the mails with a code that deletes the account; it is the reader's own, so an hour says
// enough.
var emailsAnHour = limit.Budget{Name: "identity.leave.mail", Max: 5, Window: time.Hour}

// request is one email with the code that deletes an account.
type request struct {
	ID        int64
	ReaderID  int64
	Nonce     []byte
	CodeHash  []byte
	Tries     int
	ExpiresAt time.Time
}

// RequestErasure mails the session's reader a code that deletes the account, and makes earlier ones void. A browser
// that was left open in a library is not enough to delete an account: it takes the mailbox as well. Asked again within
// a minute it sends nothing.
func (p *Service) RequestErasure(ctx context.Context) error {
	s, ok := session.From(ctx)
	if !ok {
		return web.ErrNotSignedIn
	}
	within := true
	err := p.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := advisory.LockInTx(ctx, tx, "identity.ask:leave:"+reader.Key(s.ReaderID)); err != nil {
			return err
		}
		if fresh, err := hasFreshRequest(ctx, tx, s.ReaderID); err != nil || fresh {
			return err
		}
		var err error
		if within, err = limit.Spend(ctx, tx, emailsAnHour, reader.Key(s.ReaderID)); err != nil || !within {
			return err
		}
		nonce := make([]byte, 32)
		_, _ = rand.Read(nonce) // it never fails
		id, err := insertRequest(ctx, tx, s.ReaderID, nonce, p.codeHash(tx, nonce, p.code(tx.Edition.ID, nonce)))
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

// code is another than the code of a login by the same nonce would be.
func (p *Service) code(editionID string, nonce []byte) string {
	return p.secrets.Code(editionID, append([]byte("leave:"), nonce...))
}

func (p *Service) codeHash(tx db.Tx, nonce []byte, code string) []byte {
	return p.secrets.CodeHash(tx.Edition.ID, append([]byte("leave:"), nonce...), code)
}

// MailCode sends the code, unless it has become of no use meanwhile.
func (p *Service) MailCode(ctx context.Context, e event.LeaveRequested) error {
	var message *mail.Message
	err := p.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		l, err := findRequest(ctx, tx, e.LeaveID)
		if err != nil || l == nil || !tx.Now.Before(l.ExpiresAt) {
			return err
		}
		r, err := reader.Find(ctx, tx, l.ReaderID)
		if err != nil || r == nil {
			return err
		}
		made := codeEmail(tx.Edition, l, r.Email, p.code(tx.Edition.ID, l.Nonce))
		message = &made
		return nil
	})
	if err != nil || message == nil {
		return err
	}
	return p.mailer.Send(ctx, *message)
}

// ErrNotDeleted refuses a code for the deletion of an account that came too late.
var ErrNotDeleted = fault.New(fault.Gone, "ACCOUNT_NOT_DELETED")

// ConfirmErasure deletes the account of the session's reader by the mailed code: address, name and sessions are gone
// when it returns, and the rest follows by the outbox. Each wrong code is counted.
func (p *Service) ConfirmErasure(ctx context.Context, typed string) error {
	s, ok := session.From(ctx)
	if !ok {
		return web.ErrNotSignedIn
	}
	code := secret.ParseCode(typed)
	if code == "" {
		return secret.ErrInvalidCode.On("code")
	}
	var refusal error
	err := p.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		l, err := lockRequest(ctx, tx, s.ReaderID)
		if err != nil {
			return err
		}
		switch {
		case l == nil:
			refusal = secret.ErrInvalidCode.On("code")
			return nil
		case !tx.Now.Before(l.ExpiresAt):
			refusal = ErrNotDeleted
			return nil
		case l.Tries >= secret.MaxTries:
			refusal = secret.ErrTooManyAttempts
			return nil
		case subtle.ConstantTimeCompare(l.CodeHash, p.codeHash(tx, l.Nonce, code)) != 1:
			refusal = secret.ErrInvalidCode.On("code")
			return countTry(ctx, tx, l.ID)
		}
		_, err = p.Begin(ctx, tx, s.ReaderID)
		return err
	})
	if err != nil {
		return err
	}
	p.sessions.ForgetReader(s.ReaderID)
	p.log.InfoContext(ctx, "account deletion by its reader", "security", true, "reader", s.ReaderID,
		"refusal", refusal)
	return refusal
}

// Status reports whether the login of the session's reader is fresh enough for an export, and whether a code that can
// still be entered was mailed.
func (p *Service) Status(ctx context.Context) (fresh, requested bool, err error) {
	s, ok := session.From(ctx)
	if !ok {
		return false, false, web.ErrNotSignedIn
	}
	err = p.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		var err error
		if fresh, err = sessions.IsFresh(ctx, tx, s.ID); err != nil {
			return err
		}
		requested, err = hasOpenRequest(ctx, tx, s.ReaderID)
		return err
	})
	return fresh, requested, err
}
