package secret

import (
	"crypto/hmac"
	"crypto/rand"
	"encoding/base64"
	"strings"
)

// A browser in which a reader has signed in gets a mark of the reader's address. It says nothing to anybody else.
const (
	maxKnown   = 3  // readers of one browser, the latest first
	knownNonce = 16 // bytes
)

// KnownMark finds the mark of an address among those of a browser, or returns "".
func (k Key) KnownMark(editionID, email, cookie string) string {
	for mark := range strings.SplitSeq(cookie, ".") {
		b, err := base64.RawURLEncoding.Strict().DecodeString(mark)
		if err == nil && len(b) > knownNonce &&
			hmac.Equal(b[knownNonce:], k.Derive("known", editionID, b[:knownNonce], []byte(email))) {
			return mark
		}
	}
	return ""
}

// AddKnownMark adds the mark of an address to those that a browser has.
func (k Key) AddKnownMark(editionID, email, cookie string) string {
	mark := k.KnownMark(editionID, email, cookie)
	if mark == "" {
		nonce := make([]byte, knownNonce)
		_, _ = rand.Read(nonce) // it never fails
		mark = base64.RawURLEncoding.EncodeToString(append(nonce, k.Derive("known", editionID, nonce, []byte(email))...))
	}
	marks := []string{mark}
	for other := range strings.SplitSeq(cookie, ".") {
		if len(other) == len(mark) && other != mark && len(marks) < maxKnown {
			marks = append(marks, other)
		}
	}
	return strings.Join(marks, ".")
}
