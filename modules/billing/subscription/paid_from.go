package subscription

import (
	"context"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// OrderTime is what the page of an order says of time: when it was made, and when the first payment would be due.
type OrderTime struct {
	Now      time.Time  `json:"now"`
	PaidFrom *time.Time `json:"paidFrom,omitempty"` // where that is not now
	// End of what the reader has without paying; the year of a transfer begins then.
	Given *time.Time `json:"given,omitempty"`
}

func orderTimeOf(givenUntil, now time.Time) *OrderTime {
	t := &OrderTime{Now: now.UTC()}
	if from := access.PaidFrom(givenUntil, now); !from.IsZero() {
		t.PaidFrom, t.Given = &from, &givenUntil
	}
	return t
}

// OrderTimeFor is orderTime for a reader; nil for a visitor, whose page is kept.
func (s *Service) OrderTimeFor(ctx context.Context, readerID int64) (t *OrderTime, err error) {
	if readerID == 0 {
		return nil, nil
	}
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		givenUntil, err := access.CreditedUntil(ctx, tx, readerID)
		t = orderTimeOf(givenUntil, tx.Now)
		return err
	})
	return t, err
}

// awaitsIntro reports whether the first payment is still to come, and would not cost the introductory price that was
// agreed.
func awaitsIntro(ed *edition.Edition, r stripe.Subscription) bool {
	p := ed.Product(r.Product)
	return r.Intro && r.Status == stripe.Trialing && r.NeverPaid && r.Discount == nil && p != nil && p.Intro != nil &&
		p.Intro.Periods == 1
}
