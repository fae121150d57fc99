package access

import (
	"strings"
	"time"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/paper/edition"
)

// Kinds of changes of a subscription.
const (
	ChangeCancel  = "cancel"  // at the end of the period
	ChangeEnd     = "end"     // before the period is over, as it is confirmed by email
	ChangeResume  = "resume"  // what was cancelled and has not ended
	ChangePause   = "pause"   // after the paid period, for some periods
	ChangeUnpause = "unpause" // before a pause is over
	ChangeSwitch  = "switch"  // to another product
	ChangeLater   = "later"   // to another product with the next period, as it is confirmed by email
	ChangeStay    = "stay"    // with the product, where a switch was to come
)

// NextPayment is NextPayment of openapi.yaml.
type NextPayment struct {
	At       time.Time `json:"at"`
	Amount   int64     `json:"amount"` // minor units
	Currency string    `json:"currency"`
	First    bool      `json:"first"` // nothing was paid for the subscription yet
}

// NextPaymentOf is what will be charged for a subscription without anybody's doing, and when; nil for nothing.
func NextPaymentOf(s Subscription, ed *edition.Edition) *NextPayment {
	if s.ProviderID == "" || !s.Renews() || s.Paused {
		return nil
	}
	n := &NextPayment{At: s.PeriodEnd, Amount: s.NextPayment(s.Amount), Currency: CurrencyOf(ed, &s)}
	if r := RenewalOf(s, ed); r != nil {
		n.Amount, n.First = r.Amount, r.Begins
	}
	return n
}

// CurrencyOf is what a subscription is paid in, with capital letters; that of the edition while nothing was paid.
func CurrencyOf(ed *edition.Edition, s *Subscription) string {
	if s.Currency == "" {
		return ed.Billing.Currency
	}
	return strings.ToUpper(s.Currency) // the provider writes it small
}

// Renewal is what will be charged for a subscription, and for what, when its period is over.
type Renewal struct {
	Product *edition.Product
	Amount  int64
	First   bool // payment of a full price
	Begins  bool // with the first payment, after what was given
}

// RenewalOf says how a subscription is renewed; nil when it is not, or when nobody has to be told: while an
// introductory price goes on.
func RenewalOf(s Subscription, ed *edition.Edition) *Renewal {
	p := ed.Product(s.Product)
	if s.Next != "" {
		p = ed.Product(s.Next)
	}
	if p == nil || s.Status != stripe.Active && s.Status != stripe.Trialing || s.CancelAtPeriodEnd || s.Paused {
		return nil
	}
	r := &Renewal{
		Product: p, Amount: s.NextPayment(s.Amount),
		Begins: !s.PaidFrom.IsZero() && s.Status == stripe.Trialing && s.Paid == 0 && !s.FullPaid,
	}
	r.First = !s.FullPaid && r.Amount == s.Amount && p.Interval.Unit != "year"
	switch {
	case s.Next != "":
		r.Amount, r.First = s.NextPayment(p.Amount), false
	case r.Begins:
		r.First = false
	case p.Intro != nil && s.Amount == p.Intro.Amount:
		if p.Interval.Add(Later(s.StartedAt, s.PaidFrom), p.Intro.Periods).After(s.PeriodEnd) {
			return nil
		}
		r.Amount, r.First = s.NextPayment(p.Amount), true
	}
	return r
}
