package access

import (
	"time"

	"example.org/broadsheet/modules/billing/stripe"
)

// minPostponement is how long before its first payment a checkout has to be opened: the provider's least is 48 hours,
// and an order may be tried again for a while.
const minPostponement = 48*time.Hour + 2*IntentTTL

// PaidFrom is when the first payment of an order is due that is made at an instant; zero: at once.
func PaidFrom(givenUntil, at time.Time) time.Time {
	if givenUntil.IsZero() {
		return givenUntil
	}
	whole := givenUntil.Add(time.Second - 1).Truncate(time.Second) // the provider knows no parts of a second
	return Later(whole, at.Add(minPostponement))
}

// CanPostpone reports whether the provider can wait with the first payment until what was given ends.
func CanPostpone(givenUntil, at time.Time) bool { return !givenUntil.After(stripe.LatestTrialEnd(at)) }

// IntentTTL is how long a checkout is offered again instead of a new one.
const IntentTTL = 30 * time.Minute
