package stripe

import (
	"context"
	"slices"
	"time"

	"github.com/stripe/stripe-go/v76"
)

// DisputeState is how far a dispute is.
type DisputeState string

// The states. The bank asks in an inquiry, and has taken no money yet.
const (
	DisputeInquiry DisputeState = "inquiry"
	DisputeOpen    DisputeState = "open" // the money is gone until it is decided
	DisputeWon     DisputeState = "won"  // the money is back, also because the payer took the dispute back
	DisputeLost    DisputeState = "lost"
	DisputeClosed  DisputeState = "closed" // an inquiry that came to nothing
)

// Takes reports whether the money of the payment is gone.
func (s DisputeState) Takes() bool { return s == DisputeOpen || s == DisputeLost }

// Decided reports whether the bank has said its last word.
func (s DisputeState) Decided() bool { return s != DisputeInquiry && s != DisputeOpen }

// Follows reports whether a state can come after another: an older reading never counts again.
func (s DisputeState) Follows(before DisputeState) bool {
	rank := func(s DisputeState) int { return slices.Index([]DisputeState{"", DisputeInquiry, DisputeOpen}, s) }
	return s.Decided() || !before.Decided() && rank(s) >= rank(before)
}

// Dispute is a payment that its payer has had the bank look into.
type Dispute struct {
	ID, Charge string
	Amount     int64 // minor units
	Currency   string
	State      DisputeState
	OpenedAt   time.Time
}

func disputeState(status stripe.DisputeStatus) DisputeState {
	switch status {
	case stripe.DisputeStatusWarningNeedsResponse, stripe.DisputeStatusWarningUnderReview:
		return DisputeInquiry
	case stripe.DisputeStatusWarningClosed, "charge_refunded", "prevented":
		return DisputeClosed
	case stripe.DisputeStatusWon:
		return DisputeWon
	case stripe.DisputeStatusLost:
		return DisputeLost
	}
	return DisputeOpen // needs_response, under_review, and what the provider may invent
}

// Disputes lists the disputes about a charge.
func (a *Account) Disputes(ctx context.Context, charge string) (list []Dispute, err error) {
	it := a.api.Disputes.List(&stripe.DisputeListParams{
		ListParams: stripe.ListParams{Context: ctx, Limit: stripe.Int64(100)}, Charge: &charge,
	})
	for it.Next() {
		d := it.Dispute()
		list = append(list, Dispute{
			ID: d.ID, Charge: charge, Amount: d.Amount, Currency: string(d.Currency), State: disputeState(d.Status),
			OpenedAt: unixTime(d.Created),
		})
	}
	return list, Uncertain(it.Err())
}

// resolveDispute finds out whether the money of an invoice is gone: its charge was disputed, if only in an inquiry or
// long ago.
func (a *Account) resolveDispute(ctx context.Context, in *Invoice) error {
	if in == nil || !in.Disputed {
		return nil
	}
	list, err := a.Disputes(ctx, in.Charge)
	in.Disputed = takenBack(list, in.Refunded, in.Paid)
	return err
}

// takenBack reports whether all of a payment went back, by disputes and by refunds.
func takenBack(list []Dispute, refunded, paid int64) bool {
	taken := int64(0)
	for _, d := range list {
		if d.State.Takes() {
			taken += d.Amount
		}
	}
	return taken > 0 && taken+refunded >= paid
}
