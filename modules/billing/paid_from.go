package billing

import (
	"context"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// minWait is how long before its first payment a checkout has to be opened: the provider's least is 48 hours, and an
// order may be tried again for a while.
const minWait = 48*time.Hour + 2*intentTTL

// creditedUntil is when what was given to a reader ends, a trial as well as a code or a gift: paid time begins then.
// Zero: nothing was.
func creditedUntil(ctx context.Context, tx db.Tx, readerID int64) (time.Time, error) {
	has, err := access.ReadEntitlement(ctx, tx, readerID)
	if err != nil {
		return time.Time{}, err
	}
	givenUntil := has.GrantedUntil
	if has.Trial {
		givenUntil = access.Later(givenUntil, has.Until)
	}
	if !givenUntil.After(tx.Now) {
		return time.Time{}, nil
	}
	return givenUntil.Add(time.Second - 1).Truncate(time.Second).UTC(), nil // the provider knows whole seconds
}

// paidFrom is when the first payment of an order is due that is made at an instant; zero: at once.
func paidFrom(givenUntil, at time.Time) time.Time {
	if givenUntil.IsZero() {
		return givenUntil
	}
	return access.Later(givenUntil, at.Add(minWait))
}

// canPostpone reports whether the provider can wait with the first payment until what was given ends.
func canPostpone(givenUntil, at time.Time) bool { return !givenUntil.After(stripe.LatestTrialEnd(at)) }

// orderTime is what the page of an order says of time: when it was made, and when the first payment would be due.
type orderTime struct {
	Now      time.Time  `json:"now"`
	PaidFrom *time.Time `json:"paidFrom,omitempty"` // where that is not now
}

func orderTimeOf(givenUntil, now time.Time) *orderTime {
	t := &orderTime{Now: now.UTC()}
	if from := paidFrom(givenUntil, now); !from.IsZero() {
		t.PaidFrom = &from
	}
	return t
}

// orderTimeFor is orderTime for a reader; nil for a visitor, whose page is kept.
func (m *Module) orderTimeFor(ctx context.Context, readerID int64) (t *orderTime, err error) {
	if readerID == 0 {
		return nil, nil
	}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		givenUntil, err := creditedUntil(ctx, tx, readerID)
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
