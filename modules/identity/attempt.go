package identity

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"
)

// secrets derives what a login mail carries. The job that writes the mail runs later, perhaps in another process and
// more than once, so it must come by the link and the code again; a database that was read by somebody else must not
// give them away. So the row holds a random nonce, and link and code are two keyed hashes of it: independent of each
// other without the key, and the same at each try.
type secrets struct{ key []byte }

func (s secrets) derive(use, editionID string, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, s.key)
	h.Write([]byte("identity." + use + "\x00" + editionID + "\x00"))
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

// link is the secret of the mail's address, 256 bits.
func (s secrets) link(editionID string, nonce []byte) string {
	return base64.RawURLEncoding.EncodeToString(s.derive("link", editionID, nonce))
}

// code is the six digits. A number of 64 bits makes the remainder even enough.
func (s secrets) code(editionID string, nonce []byte) string {
	n := binary.BigEndian.Uint64(s.derive("code", editionID, nonce))
	return fmt.Sprintf("%06d", n%1_000_000)
}

// codeHash is bound to the mail by its nonce; without the key a million codes cannot be tried against it.
func (s secrets) codeHash(editionID string, nonce []byte, code string) []byte {
	return s.derive("pepper", editionID, nonce, []byte(code))
}

// digest is how secrets of 256 bits are stored.
func digest(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// browserHash is how a browser's request cookie is stored; a browser without one is no attempt's.
func browserHash(cookie string) []byte {
	if cookie == "" {
		return []byte{}
	}
	return digest(cookie)
}

// newSecret makes 256 random bits for a cookie.
func newSecret() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // it never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// isSecret reports whether s could be one of newSecret or link; anything else need not be looked up.
func isSecret(s string) bool {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return err == nil && len(b) == 32
}

// attempt is one login mail.
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

// fromBrowser reports whether the cookie is that of the browser that asked for the mail.
func (a *attempt) fromBrowser(cookie string) bool {
	return cookie != "" && subtle.ConstantTimeCompare(a.BrowserHash, digest(cookie)) == 1
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

// judgeLink says why a link opens nothing.
func (a *attempt) judgeLink(now time.Time) error {
	switch {
	case a == nil || a.Purpose == Uninvited:
		return ErrInvalidHash
	case a.LinkUsedAt != nil:
		return ErrTokenUsed
	case a.SupersededAt != nil:
		return ErrNotLastToken
	case !now.Before(a.ExpiresAt):
		return ErrExpiredToken
	}
	return nil
}

// judgeCode says why a code opens nothing. a is the address's newest mail; older tells that the code is that of an
// earlier one, capped that the address has had too many wrong codes.
func (a *attempt) judgeCode(now time.Time, right, older, capped bool) error {
	switch {
	case a == nil:
		return ErrInvalidCode // as for a wrong one: it says nothing about the address
	case a.CodeUsedAt != nil:
		return ErrCodeUsed
	case older || a.SupersededAt != nil: // the newest one is void where its address is no reader's any more
		return ErrNotLastToken
	case !now.Before(a.ExpiresAt):
		return ErrExpiredToken
	case capped || a.Tries >= triesPerCode:
		return ErrTooManyAttempts
	case !right || a.Purpose == Uninvited:
		return ErrInvalidCode
	}
	return nil
}

// tell is what a browser is told of the verdict on a code. A code counts only where a mail to its address was asked
// for, and what has become of a mail is told there alone, or to whoever has the code of it: else anybody could ask who
// has signed in today.
func (a *attempt) tell(verdict error, has bool) error {
	dead := errors.Is(verdict, ErrCodeUsed) || errors.Is(verdict, ErrNotLastToken) || errors.Is(verdict, ErrExpiredToken)
	switch {
	case a == nil, dead && !has && !a.Own, !dead && !a.Counts:
		return ErrInvalidCode
	}
	return verdict
}

// cleanCode keeps the digits of what was typed or pasted ("123 456"), or returns "" when that is no code.
func cleanCode(s string) string {
	s = strings.NewReplacer(" ", "", "\u00a0", "", "-", "").Replace(strings.TrimSpace(s))
	if len(s) != 6 || strings.Trim(s, "0123456789") != "" {
		return ""
	}
	return s
}
