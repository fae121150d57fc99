package billing

import (
	"context"
	"time"

	"github.com/stripe/stripe-go/v76"
)

// postpone moves the next payment of a subscription to a later instant; nothing is paid for the time between. Done again it
// changes nothing.
func (a *account) postpone(ctx context.Context, id string, until time.Time) error {
	_, err := a.api.Subscriptions.Update(id, &stripe.SubscriptionParams{
		Params: params(ctx, ""), TrialEnd: stripe.Int64(until.Unix()),
		ProrationBehavior: stripe.String(string(stripe.SubscriptionSchedulePhaseProrationBehaviorNone)),
	})
	return uncertain(err)
}
