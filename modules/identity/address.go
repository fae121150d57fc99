package identity

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"time"

	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/modules/identity/passkey"
	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// What a change of address can be answered.
var (
	ErrEmailUnchanged = fault.New(fault.Invalid, "EMAIL_UNCHANGED")
	ErrEmailTaken     = fault.New(fault.Conflict, "EMAIL_TAKEN")
	ErrNotChanged     = fault.New(fault.Gone, "EMAIL_NOT_CHANGED") // confirmed too late, or cancelled
)

// A change waits for two people's mailboxes, or for one person's old one: a day, where a login has minutes. Its codes
// countForEdition for nothing without the session of the reader.
const (
	addressTTL   = 24 * time.Hour
	addressKept  = 365 * 24 * time.Hour
	addressTries = 5
)

var addressesOfReader = limit.Budget{Name: "identity.address.day", Max: 5, Window: 24 * time.Hour}

// side is one of the two addresses of a change.
type side string

const (
	oldSide side = "old"
	newSide side = "new"
)

// addressChange is one row of the changes of address.
type addressChange struct {
	ID             int64
	ReaderID       int64
	SessionID      int64
	OldEmail       string
	NewEmail       string
	Taken          bool
	Nonce          []byte
	Tries          int
	CreatedAt      time.Time
	ExpiresAt      time.Time
	OldConfirmedAt *time.Time
	NewConfirmedAt *time.Time
	SupersededAt   *time.Time
	DoneAt         *time.Time
	Side           side // whose link found it
}

func addressLink(s secret.Key, editionID string, nonce []byte, of side) string {
	return s.Link(editionID, s.Derive("address", editionID, nonce, []byte(of)))
}

func addressCode(s secret.Key, editionID string, nonce []byte, of side) string {
	return s.Code(editionID, s.Derive("address", editionID, nonce, []byte(of)))
}

// refusal says why nothing of the change can be confirmed any more.
func (a *addressChange) refusal(now time.Time) error {
	switch {
	case a == nil:
		return secret.ErrInvalidHash
	case a.DoneAt != nil:
		return secret.ErrTokenUsed
	case a.SupersededAt != nil || a.late(now):
		return ErrNotChanged
	}
	return nil
}

// late reports whether a change was not confirmed in time.
func (a *addressChange) late(now time.Time) bool {
	return a.DoneAt == nil && a.SupersededAt == nil && !now.Before(a.ExpiresAt)
}

func (a *addressChange) confirmed(of side) bool {
	return (of == oldSide && a.OldConfirmedAt != nil) || (of == newSide && a.NewConfirmedAt != nil)
}

// RequestAddressChange emails the reader's old and new addresses, which both have to confirm the change. The answer
// does not reveal whether another reader has the new address: that reader gets an email saying so, with nothing to
// confirm.
func (m *Module) RequestAddressChange(ctx context.Context, address, network string) error {
	s, ok := session.From(ctx)
	if !ok {
		return web.ErrNotSignedIn
	}
	email, err := emailaddr.Parse(address)
	if err != nil {
		return err
	}
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	if err := emailaddr.CheckDomain(ed, email); err != nil {
		return err
	}
	r, err := reader.Load(ctx, m.db, s.ReaderID)
	if err != nil {
		return err
	}
	if r.Email == email {
		return ErrEmailUnchanged.On("email")
	}
	var verdict error
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := lockAddress(ctx, tx, r.Email); err != nil {
			return err
		}
		open, err := findOpenChange(ctx, tx, s.ReaderID)
		if err != nil || (open != nil && open.NewEmail == email && tx.Now.Sub(open.CreatedAt) < secret.ResendAfter) {
			return err // asked for a moment ago: its mails are on their way
		}
		if refuses, err := mail.Refuses(ctx, tx, email); err != nil || refuses {
			verdict = mail.ErrRefused.On("email")
			return err
		}
		within, err := limit.SpendInTurn(ctx, tx, limit.Use{Budget: emailsOfNetwork, Key: network},
			limit.Use{Budget: addressesOfReader, Key: reader.Key(s.ReaderID)},
			limit.Use{Budget: emailsAnHour, Key: email}, limit.Use{Budget: emailsADay, Key: email})
		if err != nil {
			return err
		}
		if !within {
			verdict = web.ErrTooMany
			return nil
		}
		return m.createChange(ctx, tx,
			&addressChange{ReaderID: s.ReaderID, SessionID: s.ID, OldEmail: r.Email, NewEmail: email})
	})
	if err != nil {
		return err
	}
	m.log.InfoContext(ctx, "address change requested", "security", true, "reader", s.ReaderID, "refusal", verdict)
	return verdict
}

func (m *Module) createChange(ctx context.Context, tx db.Tx, a *addressChange) error {
	taken, _, err := findAddress(ctx, tx, a.NewEmail)
	if err != nil {
		return err
	}
	if err := supersedeChanges(ctx, tx, a.ReaderID); err != nil {
		return err
	}
	a.Taken, a.ExpiresAt, a.Nonce = taken, tx.Now.Add(addressTTL), make([]byte, 32)
	_, _ = rand.Read(a.Nonce) // it never fails
	id := tx.Edition.ID
	changeID, err := insertChange(ctx, tx, a, secret.Hash(addressLink(m.secrets, id, a.Nonce, oldSide)),
		secret.Hash(addressLink(m.secrets, id, a.Nonce, newSide)))
	if err != nil {
		return err
	}
	return outbox.Tell(ctx, tx, event.AddressMail, event.AddressChange{ChangeID: changeID})
}

// ConfirmAddressChange confirms one side of a change by the link of its email, in any browser. It reports whether that
// was the second side: then the address is changed, and every session but the one that asked for the change has ended;
// the passkeys of the account are removed, unless the second side keeps them.
func (m *Module) ConfirmAddressChange(ctx context.Context, link, network string,
	keepPasskeys bool,
) (done bool, err error) {
	if !secret.Valid(link) {
		return false, secret.ErrInvalidHash
	}
	return m.confirmChange(ctx, network, keepPasskeys, func(ctx context.Context, tx db.Tx) (*addressChange, error) {
		return findChangeByLink(ctx, tx, secret.Hash(link))
	}, func(a *addressChange, _ string) side { return a.Side })
}

// ConfirmAddressChangeByCode is ConfirmAddressChange by the code of either email, for the reader who is signed in.
// Wrong codes are counted.
func (m *Module) ConfirmAddressChangeByCode(ctx context.Context, typed, network string,
	keepPasskeys bool,
) (done bool, err error) {
	s, ok := session.From(ctx)
	if !ok {
		return false, web.ErrNotSignedIn
	}
	code := secret.ParseCode(typed)
	if code == "" {
		return false, secret.ErrInvalidCode.On("code")
	}
	return m.confirmChange(ctx, network, keepPasskeys, func(ctx context.Context, tx db.Tx) (*addressChange, error) {
		a, err := findOpenChange(ctx, tx, s.ReaderID)
		if err == nil && a == nil {
			err = ErrNotChanged
		}
		return a, err
	}, func(a *addressChange, editionID string) side {
		for _, of := range []side{oldSide, newSide} {
			if subtle.ConstantTimeCompare([]byte(code), []byte(addressCode(m.secrets, editionID, a.Nonce, of))) == 1 &&
				(of == oldSide || !a.Taken) {
				return of
			}
		}
		return ""
	})
}

// confirmChange runs one attempt to confirm. which returns the side whose secret was shown, or "" for a wrong one.
func (m *Module) confirmChange(ctx context.Context, network string, keepPasskeys bool,
	find func(context.Context, db.Tx) (*addressChange, error),
	which func(*addressChange, string) side,
) (done bool, err error) {
	var refusal error
	var a *addressChange
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		within, err := limit.Spend(ctx, tx, attemptsOfNetwork, network)
		if err != nil {
			return err
		}
		if !within {
			refusal = secret.ErrTooManyAttempts
			return nil
		}
		if a, err = find(ctx, tx); err != nil {
			return err
		}
		if a != nil {
			of := a.Side
			if a, err = m.lockChange(ctx, tx, a); err != nil {
				return err
			}
			a.Side = of
		}
		if refusal = a.refusal(tx.Now); refusal != nil {
			return nil //nolint:nilerr // handed out after the commit
		}
		if a.Tries >= addressTries {
			refusal = secret.ErrTooManyAttempts
			return nil
		}
		a.Side = which(a, tx.Edition.ID)
		switch {
		case a.Side == "":
			refusal = secret.ErrInvalidCode.On("code")
			return countChangeTry(ctx, tx, a.ID)
		case a.confirmed(a.Side):
			refusal = secret.ErrTokenUsed
			return nil
		}
		if err := markConfirmed(ctx, tx, a.ID, a.Side); err != nil {
			return err
		}
		if (a.Side == oldSide && a.NewConfirmedAt == nil) || (a.Side == newSide && a.OldConfirmedAt == nil) {
			return nil
		}
		if done, err = m.applyChange(ctx, tx, a); err == nil && !done {
			refusal = ErrEmailTaken
		}
		if err != nil || !done || keepPasskeys {
			return err
		}
		return passkey.RemoveAll(ctx, tx, a.ReaderID)
	})
	if err != nil {
		return false, err
	}
	if refusal != nil {
		m.log.InfoContext(ctx, "address change refused", "security", true, "error", refusal)
		return false, refusal
	}
	if done {
		m.Sessions.ForgetReader(a.ReaderID)
		m.log.InfoContext(ctx, "address changed", "security", true, "reader", a.ReaderID)
	}
	return done, nil
}

// lockChange locks a change and its two addresses until the transaction ends, so that nobody requests a login there
// meanwhile.
func (m *Module) lockChange(ctx context.Context, tx db.Tx, a *addressChange) (*addressChange, error) {
	for _, email := range []string{min(a.OldEmail, a.NewEmail), max(a.OldEmail, a.NewEmail)} {
		if err := lockAddress(ctx, tx, email); err != nil {
			return nil, err
		}
	}
	return lockChange(ctx, tx, a.ID)
}

// applyChange gives the reader the new address, and reports whether it was still free. Login emails to both addresses
// are void, or the old one would make a new account.
func (m *Module) applyChange(ctx context.Context, tx db.Tx, a *addressChange) (done bool, err error) {
	for _, email := range []string{a.OldEmail, a.NewEmail} {
		if err := supersedeAttempts(ctx, tx, email); err != nil {
			return false, err
		}
	}
	moved, err := putEmail(ctx, tx, a.ReaderID, a.OldEmail, a.NewEmail)
	if err != nil {
		return false, err
	}
	if !moved { // somebody has registered with it since
		return false, supersedeChanges(ctx, tx, a.ReaderID)
	}
	if err := markChangeDone(ctx, tx, a.ID); err != nil {
		return false, err
	}
	if _, err := sessions.EndAllBut(ctx, tx, a.ReaderID, a.SessionID); err != nil {
		return false, err
	}
	if err := notify.Tell(ctx, tx, notify.Reader, reader.Key(a.ReaderID)); err != nil {
		return false, err
	}
	return true, outbox.Tell(ctx, tx, event.AddressChanged, event.AddressChange{ChangeID: a.ID})
}

// CancelAddressChange cancels a change: the one of a link, or with "" the one that the session's reader has open.
func (m *Module) CancelAddressChange(ctx context.Context, link string) error {
	s, ok := session.From(ctx)
	if !ok && link == "" {
		return web.ErrNotSignedIn
	}
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		readerID := s.ReaderID
		if link != "" {
			a, err := findChangeByLink(ctx, tx, secret.Hash(link))
			if err != nil {
				return err
			}
			if refusal := a.refusal(tx.Now); refusal != nil {
				return refusal
			}
			readerID = a.ReaderID
		}
		return supersedeChanges(ctx, tx, readerID)
	})
}
