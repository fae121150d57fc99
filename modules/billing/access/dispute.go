package access

import (
	"context"
	"time"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
)

// Dispute is a payment that its payer has had the bank look into, and what followed.
type Dispute struct {
	ProviderID   string
	Charge       string
	Subscription string // that was paid for; "" for a gift
	Paid         string // the invoice of a subscription, the payment of a gift
	ReaderID     int64  // 0 for a gift
	Amount       int64
	Currency     string
	State        stripe.DisputeState
	OpenedAt     time.Time
	ShutAt       time.Time // zero while nothing is shut because of it
	ShutUntil    time.Time // the end of what was paid for
	EndedAt      time.Time // when the subscription was ended, or let end, at the provider
	GivenAt      time.Time // when the time that was shut was given back
}

// Turn is news of a dispute.
type Turn string

// The turns. A reader gets one email at each.
const (
	TurnNone Turn = ""
	TurnShut Turn = "shut" // the money is gone, and what it has paid for is shut
	TurnHeld Turn = "held" // the money is gone, and nothing renews; what runs was paid otherwise
	TurnWon  Turn = "won"
	TurnLost Turn = "lost"
)

// minGiven is the least time that is worth giving back.
const minGiven = time.Hour

// NoteDispute writes what the provider says of a dispute, and returns the row with what was known before. shuts reports
// whether it takes away what is read now, until an instant. An older reading changes nothing: its turn is TurnNone.
func (s *Service) NoteDispute(ctx context.Context, tx db.Tx, d Dispute, shuts bool,
	until time.Time,
) (*Dispute, Turn, error) {
	before, err := findDispute(ctx, tx, d.ProviderID)
	if err != nil {
		return nil, TurnNone, err
	}
	was := stripe.DisputeState("")
	if before != nil {
		if was = before.State; !d.State.Follows(was) {
			return before, TurnNone, nil
		}
		d.ShutAt, d.ShutUntil, d.EndedAt, d.GivenAt = before.ShutAt, before.ShutUntil, before.EndedAt, before.GivenAt
	}
	if shuts && d.State.Takes() && d.ShutAt.IsZero() && until.After(tx.Now) {
		d.ShutAt, d.ShutUntil = tx.Now, until
	}
	turn := TurnNone
	switch {
	case d.State == was:
	case d.State == stripe.DisputeOpen && !d.ShutAt.IsZero():
		turn = TurnShut
	case d.State == stripe.DisputeOpen:
		turn = TurnHeld
	case d.State == stripe.DisputeWon && was.Takes():
		turn = TurnWon
	case d.State == stripe.DisputeLost && before == nil && d.ShutAt.IsZero():
		d.EndedAt = tx.Now // long past: what was paid since stays
	case d.State == stripe.DisputeLost:
		turn = TurnLost
	}
	if err := putDispute(ctx, tx, d); err != nil {
		return nil, TurnNone, err
	}
	return &d, turn, s.reviewDispute(ctx, tx, d, was)
}

// reviewDispute has a person look at a dispute that can be answered, and at none that is decided.
func (s *Service) reviewDispute(ctx context.Context, tx db.Tx, d Dispute, was stripe.DisputeState) error {
	if d.State == was {
		return nil
	}
	for _, id := range []string{d.ProviderID, d.Paid} {
		if err := CloseReview(ctx, tx, ReviewDispute, id); err != nil {
			return err
		}
	}
	switch d.State {
	case stripe.DisputeInquiry:
		return s.NeedsReview(ctx, tx, ReviewDispute, d.ProviderID, d.ReaderID, "an inquiry about "+d.Paid)
	case stripe.DisputeOpen:
		return s.NeedsReview(ctx, tx, ReviewDispute, d.Paid, d.ReaderID, "dispute "+d.ProviderID)
	}
	return nil
}

// GiveBack gives a reader the time that a dispute, which was won, had shut. The reader is locked.
func GiveBack(ctx context.Context, tx db.Tx, d *Dispute) error {
	if d.State != stripe.DisputeWon || d.ShutAt.IsZero() || !d.GivenAt.IsZero() {
		return nil
	}
	sub, err := FindByProvider(ctx, tx, d.Subscription)
	if err != nil {
		return err
	}
	end, product := d.ShutUntil, NoProduct
	if sub != nil {
		if product = sub.Product; sub.Status.Live() && !sub.Uncovered && end.After(tx.Now) { // the rest is open again
			end = tx.Now
		}
	}
	if length := end.Sub(d.ShutAt); length >= minGiven {
		g := Grant{ReaderID: d.ReaderID, Reason: "dispute " + d.ProviderID, Product: product}
		_, err := GiveNext(ctx, tx, g, func(from time.Time) time.Time { return from.Add(length).Truncate(time.Second) })
		if err != nil {
			return err
		}
	}
	d.GivenAt = tx.Now
	return putDispute(ctx, tx, *d)
}
