// Package secret makes what a reader proves an identity by: the links and codes of emails (this file), the tokens of
// cookies, and the marks of a browser in which a reader has signed in before (known.go).
//
// It reads no database and imports platform/fault and platform/typed alone. Begin with Key: every link and code is
// derived from it.
package secret

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/typed"
)

// What a link or a code can be answered.
var (
	ErrInvalidHash     = fault.New(fault.Invalid, "INVALID_HASH")
	ErrTokenUsed       = fault.New(fault.Gone, "TOKEN_USED")
	ErrCodeUsed        = fault.New(fault.Gone, "CODE_USED")
	ErrNotLastToken    = fault.New(fault.Gone, "NOT_LAST_TOKEN")
	ErrExpiredToken    = fault.New(fault.Gone, "EXPIRED_TOKEN")
	ErrTooManyAttempts = fault.New(fault.TooMany, "TOO_MANY_ATTEMPTS")
	ErrInvalidCode     = fault.New(fault.Invalid, "INVALID_CODE")
)

// Limits of the codes and links of emails.
const (
	TTL         = 10 * time.Minute
	MaxTries    = 5           // of one code
	ResendAfter = time.Minute // before that no second email is sent
)

// Key is the secret of the installation, from which the links and codes of emails are derived. The job that writes an
// email runs later, perhaps in another process and more than once, so it must arrive at the same link and code again;
// a database that somebody else has read must not give them away. So the row holds a random nonce, and link and code
// are two keyed hashes of it: independent of each other without the key, and the same at each try.
type Key []byte

// Derive returns a keyed hash for one use in one edition.
func (k Key) Derive(use, editionID string, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, k)
	h.Write([]byte("identity." + use + "\x00" + editionID + "\x00"))
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

// Link is the secret of the mail's address, 256 bits.
func (k Key) Link(editionID string, nonce []byte) string {
	return base64.RawURLEncoding.EncodeToString(k.Derive("link", editionID, nonce))
}

// Code is the six digits that prove the same as the link. A number of 64 bits makes the remainder even enough.
func (k Key) Code(editionID string, nonce []byte) string {
	n := binary.BigEndian.Uint64(k.Derive("code", editionID, nonce))
	return fmt.Sprintf("%06d", n%1_000_000)
}

// CodeHash is how a code is stored. It is bound to the mail by its nonce; without the key a million codes cannot be
// tried against it.
func (k Key) CodeHash(editionID string, nonce []byte, code string) []byte {
	return k.Derive("pepper", editionID, nonce, []byte(code))
}

// Tombstone is the hash by which an import knows an address whose reader has left.
func (k Key) Tombstone(editionID, email string) []byte {
	return k.Derive("tombstone", editionID, []byte(email))
}

// Hash is how secrets of 256 bits are stored.
func Hash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// New makes 256 random bits for a cookie.
func New() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // it never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// Valid reports whether s could be a secret of New or Link; anything else need not be looked up.
func Valid(s string) bool {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return err == nil && len(b) == 32
}

// ParseCode keeps the digits of a text that was typed or pasted ("123 456"). It returns "" if they are no code.
func ParseCode(s string) string {
	s = typed.Code(s)
	if len(s) != 6 || strings.Trim(s, "0123456789") != "" {
		return ""
	}
	return s
}
