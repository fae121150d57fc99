// Package signedlink makes and reads the tokens of links in emails: a short text with a signature, so that nobody can
// make one who was not sent it, and no row has to be stored for it. A token is good for one edition and one purpose.
package signedlink

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// macSize is how many bytes of a signature a token carries.
const macSize = 18

// Key signs. It has 32 bytes or more.
type Key []byte

// Sign returns a token "text.signature".
func (k Key) Sign(editionID, purpose, text string) string {
	return text + "." + base64.RawURLEncoding.EncodeToString(k.MAC(editionID, purpose, []byte(text))[:macSize])
}

// Open returns the text of a token, and whether it was signed for this edition and purpose.
func (k Key) Open(editionID, purpose, token string) (text string, ok bool) {
	dot := strings.LastIndexByte(token, '.')
	if dot < 0 {
		return "", false
	}
	text = token[:dot]
	return text, hmac.Equal([]byte(token), []byte(k.Sign(editionID, purpose, text)))
}

// MAC is HMAC-SHA256 of edition, purpose and text, with a zero byte between them.
func (k Key) MAC(editionID, purpose string, text []byte) []byte {
	h := hmac.New(sha256.New, k)
	h.Write([]byte(editionID + "\x00" + purpose + "\x00"))
	h.Write(text)
	return h.Sum(nil)
}
