// Package links makes the addresses that lead into the pages of sales, and the signed links in emails. It imports
// nothing of billing.
package links

import (
	"net/url"
	"strconv"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/signedlink"
)

// Purposes of signed links. A link for one is good for no other.
const (
	PendingOffer = "wish"
	Gift         = "gift"
	Withdrawal   = "withdrawal"
	Mailbox      = "withdrawal-mailbox" // mailed to the address of a statement, and to nobody else
	Document     = "document"
	Transfer     = "transfer"
)

// Signer signs the ids of rows.
type Signer struct{ Key signedlink.Key }

// Sign returns the link to a row, for one edition and purpose.
func (s Signer) Sign(ed *edition.Edition, purpose string, id int64) string {
	return s.Key.Sign(ed.ID, purpose, strconv.FormatInt(id, 36))
}

// Open returns the id of a link, or 0 for one that was not signed for this purpose.
func (s Signer) Open(ed *edition.Edition, purpose, link string) int64 {
	text, ok := s.Key.Open(ed.ID, purpose, link)
	id, err := strconv.ParseInt(text, 36, 64)
	if !ok || err != nil || id <= 0 {
		return 0
	}
	return id
}

// Steps are the pages of the route Sale.
const (
	StepCoupon     = "coupon"
	StepCampaign   = "campaign"
	StepGift       = "gift"
	StepWithdrawal = "withdrawal"
	StepTransfer   = "transfer"
)

// Sale is the path of a step, with a query of pairs; those without a value are left out.
func Sale(ed *edition.Edition, step string, pairs ...string) string {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	to := ed.Href(edition.Sale, step)
	if len(q) > 0 {
		to += "?" + q.Encode()
	}
	return to
}
