package billing

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"

	"example.org/broadsheet/platform/edition"
)

// Purposes of links. A link of one is none of another.
const (
	linkWish       = "wish"
	linkGift       = "gift"
	linkWithdrawal = "withdrawal"
	linkMailbox    = "withdrawal-mailbox" // mailed to the address of a statement, and to nobody else
	linkDocument   = "document"
	linkTransfer   = "transfer"
)

// link signs the number of a row, for one edition and purpose: who was not given it cannot make it.
func (m *Module) link(ed *edition.Edition, purpose string, id int64) string {
	text := strconv.FormatInt(id, 36)
	return text + "." + base64.RawURLEncoding.EncodeToString(m.mac(ed, purpose, []byte(text))[:18])
}

// follow reads a link; 0 for one that we did not make for this.
func (m *Module) follow(ed *edition.Edition, purpose, link string) int64 {
	text, _, _ := strings.Cut(link, ".")
	id, err := strconv.ParseInt(text, 36, 64)
	if err != nil || id <= 0 || !hmac.Equal([]byte(link), []byte(m.link(ed, purpose, id))) {
		return 0
	}
	return id
}

func (m *Module) mac(ed *edition.Edition, purpose string, text []byte) []byte {
	h := hmac.New(sha256.New, m.key)
	h.Write([]byte(ed.ID + "\x00" + purpose + "\x00"))
	h.Write(text)
	return h.Sum(nil)
}
