package access

import (
	"context"
	"time"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
)

// minPostponement is how long before its first payment a checkout has to be opened: the provider's least is 48 hours,
// and an order may be tried again for a while.
const minPostponement = 48*time.Hour + 2*IntentTTL

// CreditedUntil is when what was given to a reader ends, a trial as well as a code or a gift: paid time begins then.
// Zero: nothing was.
func CreditedUntil(ctx context.Context, tx db.Tx, readerID int64) (time.Time, error) {
	has, err := ReadEntitlement(ctx, tx, readerID)
	if err != nil {
		return time.Time{}, err
	}
	givenUntil := has.GrantedUntil
	if has.Trial {
		givenUntil = Later(givenUntil, has.Until)
	}
	if !givenUntil.After(tx.Now) {
		return time.Time{}, nil
	}
	return givenUntil.Add(time.Second - 1).Truncate(time.Second).UTC(), nil // the provider knows whole seconds
}

// PaidFrom is when the first payment of an order is due that is made at an instant; zero: at once.
func PaidFrom(givenUntil, at time.Time) time.Time {
	if givenUntil.IsZero() {
		return givenUntil
	}
	return Later(givenUntil, at.Add(minPostponement))
}

// CanPostpone reports whether the provider can wait with the first payment until what was given ends.
func CanPostpone(givenUntil, at time.Time) bool { return !givenUntil.After(stripe.LatestTrialEnd(at)) }

// IntentTTL is how long a checkout is offered again instead of a new one.
const IntentTTL = 30 * time.Minute
