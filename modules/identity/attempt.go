package identity

import (
	"crypto/subtle"
	"errors"
	"time"

	"example.org/broadsheet/modules/identity/secret"
)

// attempt is one login email.
type attempt struct {
	ID           int64
	Email        string
	Purpose      Purpose
	Nonce        []byte
	CodeHash     []byte
	BrowserHash  []byte
	Referrer     string
	Tries        int
	CreatedAt    time.Time
	ExpiresAt    time.Time
	LinkUsedAt   *time.Time
	CodeUsedAt   *time.Time
	SupersededAt *time.Time
	Device       string // that asked
	Agreed       string // documents that the form named by which it was asked for, see Agreements
	ApprovedBy   int64  // session that said yes
	ApprovedAt   *time.Time
	DeniedAt     *time.Time
	Own          bool // whose code is typed in a browser that asked for it
	Counts       bool // or that has asked for another one to this address, which has not expired
}

// fromBrowser reports whether the cookie is that of the browser that requested the email.
func (a *attempt) fromBrowser(cookie string) bool {
	return cookie != "" && subtle.ConstantTimeCompare(a.BrowserHash, secret.Hash(cookie)) == 1
}

// accepted is the outcome of an attempt whose link, code or approval opens a session. Only the browser that asked for
// the email is known to have shown its reader the form.
func (a *attempt) accepted(browser string) outcome {
	o := outcome{email: a.Email, referrer: a.Referrer, byEmail: a.ApprovedAt == nil}
	if a.fromBrowser(browser) {
		o.agreed = a.Agreed
	}
	return o
}

// linkRefusal returns why a link opens nothing.
func (a *attempt) linkRefusal(now time.Time) error {
	switch {
	case a == nil || a.Purpose == Uninvited:
		return secret.ErrInvalidHash
	case a.LinkUsedAt != nil:
		return secret.ErrTokenUsed
	case a.SupersededAt != nil:
		return secret.ErrNotLastToken
	case !now.Before(a.ExpiresAt):
		return secret.ErrExpiredToken
	}
	return nil
}

// codeRefusal returns why a code opens nothing. a is the newest email to the address; older means that the code is that
// of an earlier one, capped that the address has had too many wrong codes.
func (a *attempt) codeRefusal(now time.Time, right, older, capped bool) error {
	switch {
	case a == nil:
		return secret.ErrInvalidCode // as for a wrong one: it says nothing about the address
	case a.CodeUsedAt != nil:
		return secret.ErrCodeUsed
	case older || a.SupersededAt != nil: // the newest one is void where its address is no reader's any more
		return secret.ErrNotLastToken
	case !now.Before(a.ExpiresAt):
		return secret.ErrExpiredToken
	case capped || a.Tries >= secret.MaxTries:
		return secret.ErrTooManyAttempts
	case !right || a.Purpose == Uninvited:
		return secret.ErrInvalidCode
	}
	return nil
}

// publicRefusal is the refusal of a code as a browser gets it. A code counts only in a browser that has requested an
// email to its address, and the fate of that email is told only there, whatever code was typed: otherwise anybody could
// try codes, uncounted, to learn who has signed in today.
func (a *attempt) publicRefusal(verdict error) error {
	dead := errors.Is(verdict, secret.ErrCodeUsed) || errors.Is(verdict, secret.ErrNotLastToken) ||
		errors.Is(verdict, secret.ErrExpiredToken)
	if a == nil || dead && !a.Own || !dead && !a.Counts {
		return secret.ErrInvalidCode
	}
	return verdict
}

// browserHash is how a browser's request cookie is stored; a browser without one is no attempt's.
func browserHash(cookie string) []byte {
	if cookie == "" {
		return []byte{}
	}
	return secret.Hash(cookie)
}
