package stripe

import (
	"time"

	"github.com/stripe/stripe-go/v76"
)

// Invoice is a copy of one that the provider has made.
type Invoice struct {
	ID         int64
	ProviderID string
	Number     string
	Status     string // draft, open, paid, void, uncollectible
	Product    string
	Total      int64
	Paid       int64
	Refunded   int64
	Charge     string // that has paid it; "" for none
	Disputed   bool   // all that was paid is gone, or was until the bank has decided
	Asked      bool   // the money was asked for, at least once
	Currency   string
	CreatedAt  time.Time
}

// Skipped reports whether nobody was ever to pay it: a subscription was paused.
func (in *Invoice) Skipped() bool { return in.Status == "void" && !in.Asked && in.Paid == 0 }

// toInvoice is an invoice as the provider describes it; nil for none.
func toInvoice(in *stripe.Invoice) *Invoice {
	if in == nil || in.Status == "" { // an id alone
		return nil
	}
	out := &Invoice{
		ProviderID: in.ID, Number: in.Number, Status: string(in.Status), Total: in.Total, Paid: in.AmountPaid,
		Currency: string(in.Currency), CreatedAt: unixTime(in.Created), Refunded: refundedOf(in.Charge),
		Disputed: in.Charge != nil && in.Charge.Disputed,
		Asked:    in.Attempted || in.AttemptCount > 0,
	}
	if in.Charge != nil {
		out.Charge = in.Charge.ID
	}
	return out
}

func refundedOf(c *stripe.Charge) int64 {
	if c == nil {
		return 0
	}
	return c.AmountRefunded
}
