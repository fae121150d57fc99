package access

import (
	"context"
	"time"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// GiveNext gives a reader a grant's time from the end of all that the reader has, and returns when it ends. length
// returns the end of what begins at an instant. The next payment of a subscription that renews is moved behind it. The
// reader is locked.
func GiveNext(ctx context.Context, tx db.Tx, g Grant,
	length func(from time.Time) time.Time,
) (until time.Time, err error) {
	has, err := CoveredUntil(ctx, tx, g.ReaderID)
	if err != nil {
		return until, err
	}
	g.BeginsAt = Later(tx.Now, has)
	if g.Until = length(g.BeginsAt).UTC(); !g.Until.After(g.BeginsAt) {
		g.BeginsAt = time.Time{} // the reader has more anyway
	}
	if err := InsertGrant(ctx, tx, g); err != nil {
		return until, err
	}
	if err := PostponeNext(ctx, tx, g.ReaderID); err != nil {
		return until, err
	}
	return g.Until, Changed(ctx, tx, g.ReaderID)
}

// PostponeNext has the next payment of a reader's subscription moved behind what was given, if it would come before.
func PostponeNext(ctx context.Context, tx db.Tx, readerID int64) error {
	paid, err := FindPaid(ctx, tx, readerID)
	if err != nil || !paid.Renews() {
		return err
	}
	given, err := GivenNext(ctx, tx, readerID)
	if err != nil || !paid.PeriodEnd.Before(given.Truncate(time.Second)) {
		return err
	}
	return outbox.Tell(ctx, tx, event.CouponRedeemed, event.Redeemed{ReaderID: readerID})
}

// period is a time that was paid for.
type period struct{ start, end time.Time }

// LayGiven moves the time that a reader was given to where nothing is paid for, and returns whether it has moved any.
// Given time that overlaps with a paid period goes on behind that period: it was given when nobody knew yet that the
// period would be paid. Given time that is still to come begins now if the reader has nothing any more. The reader is
// locked.
func LayGiven(ctx context.Context, tx db.Tx, readerID int64) (moved bool, err error) {
	subs, err := Select(ctx, tx, "reader_id = ? ORDER BY id", readerID)
	if err != nil {
		return false, err
	}
	grants, err := listMovable(ctx, tx, readerID)
	if err != nil || len(grants) == 0 {
		return false, err
	}
	paid, reads := coverage(subs, tx.Edition.Billing.GraceDays, tx.Now)
	for _, g := range lay(grants, paid, reads, tx.Now, tx.Edition) {
		if err := moveGrant(ctx, tx, g); err != nil {
			return false, err
		}
		moved = true
	}
	return moved, nil
}

// coverage returns the running period if it is paid for, and whether a subscription opens anything now. A period that
// only waits for its first or its next payment is given time itself; a year by transfer begins behind given time.
func coverage(subs []Subscription, graceDays int, now time.Time) (paid period, reads bool) {
	for i := range subs {
		s := &subs[i]
		if _, tolerated := s.Ends(graceDays); tolerated.After(now) {
			reads = true
		}
		if s.Status == stripe.Active && !s.Uncovered && !s.Transfer && !s.Trial && s.PeriodEnd.After(paid.end) {
			paid = period{s.PeriodStart, s.PeriodEnd}
		}
	}
	return paid, reads
}

// lay returns the grants that move, at their new places. They come in the order in which they begin.
func lay(grants []Grant, paid period, reads bool, now time.Time, ed *edition.Edition) (moved []Grant) {
	next := paid.end
	for _, g := range grants {
		switch {
		case g.BeginsAt.Before(next) && g.Until.After(paid.start):
			if used := paid.start; g.BeginsAt.Before(used) { // what was read before the period stays used
				g.BeginsAt, g.Periods = used, 0
			}
		case !reads && g.BeginsAt.After(now):
			next = Later(next, now)
		default:
			next = Later(next, g.Until)
			continue
		}
		end := next.Add(g.Until.Sub(g.BeginsAt))
		if p := ed.Product(g.Product); p != nil && g.Periods > 0 {
			end = Later(end, p.Interval.Add(next.In(ed.Location), g.Periods))
		}
		g.BeginsAt, g.Until = next, end.UTC().Truncate(time.Second)
		next = g.Until
		moved = append(moved, g)
	}
	return moved
}
