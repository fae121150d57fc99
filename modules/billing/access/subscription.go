package access

import (
	"math"
	"strconv"
	"time"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/paper/edition"
)

// Product types.
const (
	Monthly   = "product_monthly"
	Yearly    = "product_yearly"
	NoProduct = "no_product"
)

// Subscription is one row: a paid subscription as the provider described it, or a trial.
type Subscription struct {
	ID                int64
	ReaderID          int64
	ProviderID        string
	Product           string
	Status            stripe.Status
	Trial             bool
	Amount            int64 // of a period
	Paid              int64 // by the latest invoice
	Currency          string
	PeriodStart       time.Time
	PeriodEnd         time.Time
	CancelAtPeriodEnd bool
	StartedAt         time.Time
	EndedAt           time.Time

	Paused    bool      // its invoices are not collected
	ResumesAt time.Time // when they are again; zero: when the reader says so
	Uncovered bool      // the running period was called off or given back
	Owing     bool      // the latest invoice can still be paid
	Next      string    // product from the next period on; "" for the same
	Refunded  int64     // of the latest invoice
	Disputed  bool      // the latest payment was taken back by the bank

	AmountOff  int64   // that a promotion code takes off the next payment, minor units
	PercentOff float64 // the same, as a part of it
	FullPaid   bool    // at least once

	PaidFrom time.Time // when the first payment was to be due; zero: at once

	Transfer bool // paid into our account: the provider knows nothing about it, and it ends by itself
}

// NextPayment is what the next payment will be, where the price is amount.
func (s *Subscription) NextPayment(amount int64) int64 {
	off := s.AmountOff + int64(math.Round(float64(amount)*s.PercentOff/100))
	return max(0, amount-off)
}

// calledOff reports whether the provider asks nobody to pay for the running period: it was skipped by a pause, or given
// up.
func (s *Subscription) calledOff() bool {
	return s.Uncovered && s.Paid == 0 && s.Refunded == 0 && !s.Disputed && !s.Trial && !s.Transfer
}

// rests reports whether a subscription takes no money for now and goes on later: it is paused, or its running period
// was called off.
func (s *Subscription) rests() bool {
	return !s.CancelAtPeriodEnd && (s.Paused || s.calledOff() && s.Renews())
}

// AccessEnded is when a subscription that has ended opened articles for the last time: where its last payment failed,
// with the grace days, before it was given up.
func (s *Subscription) AccessEnded(graceDays int) time.Time {
	if end := s.PeriodStart.AddDate(0, 0, graceDays); s.calledOff() && !s.Paused && end.Before(s.EndedAt) {
		return end
	}
	return s.EndedAt
}

// AtIntroPrice reports whether the latest or the next payment is at the introductory price of a product.
func (s *Subscription) AtIntroPrice(p *edition.Product) bool {
	return p.Intro != nil && (s.Paid == p.Intro.Amount || s.NextPayment(s.Amount) == p.Intro.Amount)
}

// Key names a subscription for good: as the provider does, or by its row.
func (s *Subscription) Key() string {
	if s.Transfer {
		return TransferKey + strconv.FormatInt(s.ID, 10)
	}
	return s.ProviderID
}

// TransferKey begins the keys of subscriptions that the provider knows nothing about.
const TransferKey = "transfer:"

// Ends says until when a subscription opens articles, and how long beyond it while money is on its way. A renewal
// that is late (the provider's message, or the payment) costs nobody access before the grace days are over.
func (s *Subscription) Ends(graceDays int) (until, tolerated time.Time) {
	grace := func(from time.Time) time.Time { return from.AddDate(0, 0, graceDays) }
	switch {
	case s.Uncovered:
		return time.Time{}, time.Time{}
	case s.Status == stripe.Trialing, s.Status == stripe.Active && (s.CancelAtPeriodEnd || s.Paused || s.Transfer):
		return s.PeriodEnd, s.PeriodEnd
	case s.Status == stripe.Active:
		return s.PeriodEnd, grace(s.PeriodEnd)
	case s.Status == stripe.PastDue: // the period that is not paid for has begun already
		until = grace(s.PeriodStart)
		if until.After(s.PeriodEnd) {
			until = s.PeriodEnd
		}
		return until, until
	}
	return time.Time{}, time.Time{}
}

// BeforeRenewal is by how much collection is on again before the first renewal that is to be paid.
const BeforeRenewal = time.Hour

// GoesOnAt is when the first payment is due after a pause, or after a period that was called off: the day that every
// page and email names; zero: it does not rest, ends instead, or goes on when its reader says so.
func (s *Subscription) GoesOnAt() time.Time {
	switch {
	case !s.rests() || s.Paused && s.ResumesAt.IsZero():
		return time.Time{}
	case s.Paused:
		return s.ResumesAt.Add(BeforeRenewal)
	}
	return s.PeriodEnd
}

// Renews reports whether a subscription will take money again.
func (s *Subscription) Renews() bool {
	return s != nil && !s.Trial && !s.Transfer && !s.CancelAtPeriodEnd &&
		(s.Status == stripe.Active || s.Status == stripe.Trialing)
}

// RefundedInFull reports whether all that was paid for the running period went back, however many refunds that took,
// and the edition does not let its readers read on all the same.
func (s *Subscription) RefundedInFull(ed *edition.Edition) bool {
	return s.Refunded > 0 && s.Refunded >= s.Paid && !ed.Billing.RefundKeepsAccess
}
