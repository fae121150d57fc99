package billing

import (
	"strconv"

	"example.org/broadsheet/platform/paper/edition"
)

// Purposes of links. A link of one is none of another.
const (
	linkPendingOffer = "wish"
	linkGift         = "gift"
	linkWithdrawal   = "withdrawal"
	linkMailbox      = "withdrawal-mailbox" // mailed to the address of a statement, and to nobody else
	linkDocument     = "document"
	linkTransfer     = "transfer"
)

// link signs the id of a row, for one edition and purpose.
func (m *Module) link(ed *edition.Edition, purpose string, id int64) string {
	return m.key.Sign(ed.ID, purpose, strconv.FormatInt(id, 36))
}

// follow returns the id of a link, or 0 for one that was not signed for this purpose.
func (m *Module) follow(ed *edition.Edition, purpose, link string) int64 {
	text, ok := m.key.Open(ed.ID, purpose, link)
	id, err := strconv.ParseInt(text, 36, 64)
	if !ok || err != nil || id <= 0 {
		return 0
	}
	return id
}
