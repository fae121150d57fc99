package stripe

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/stripe/stripe-go/v76"

	"example.org/broadsheet/platform/paper/edition"
)

// LatestTrialEnd is how long after the anchor of its periods the next payment of a subscription can be moved to, less a
// day: the provider allows two years. Who has paid for longer than that cannot have it moved at all.
func LatestTrialEnd(anchor time.Time) time.Time {
	return edition.Interval{Unit: "year", Count: 2}.Add(anchor, 1).AddDate(0, 0, -1)
}

// PostponePayment has a subscription take its next payment at a later instant; nothing is paid for the time between.
// Done again it changes nothing. bridged tells that payments are called off until then, and that ResumeCollection has
// to be done at that instant.
func (a *Account) PostponePayment(ctx context.Context, s Subscription, until time.Time) (bridged bool, err error) {
	none := stripe.String(string(stripe.SubscriptionSchedulePhaseProrationBehaviorNone))
	if !until.After(LatestTrialEnd(s.Anchor)) {
		return false,
			a.update(s.ID,
				&stripe.SubscriptionParams{Params: params(ctx, ""), TrialEnd: stripe.Int64(until.Unix()), ProrationBehavior: none})
	}
	// Nothing is paid until then, anyway.
	if s.Paused && s.Given.IsZero() && !s.ResumesAt.IsZero() && !s.ResumesAt.Before(until) {
		return false, nil
	}
	p := &stripe.SubscriptionParams{Params: params(ctx, ""), PauseCollection: &stripe.SubscriptionPauseCollectionParams{
		Behavior:  stripe.String(string(stripe.SubscriptionPauseCollectionBehaviorVoid)),
		ResumesAt: stripe.Int64(until.Unix()),
	}}
	p.AddMetadata(metaGivenUntil, strconv.FormatInt(until.Unix(), 10))
	return true, a.update(s.ID, p)
}

// ResumeCollection ends what PostponePayment has called off: where the running period was not paid for, a new one
// begins now, and is paid, once.
func (a *Account) ResumeCollection(ctx context.Context, s Subscription) error {
	_, err := once(fmt.Sprintf("given:%s:%d", s.ID, s.Given.Unix()), func() (string, error) {
		now, err := a.Subscription(ctx, s.ID)
		if err != nil || !now.Given.IsZero() {
			return "", err
		}
		return now.ID, nil
	}, func(key string) (string, error) {
		p := &stripe.SubscriptionParams{Params: params(ctx, key)}
		p.AddExtra("pause_collection", "")
		p.AddMetadata(metaGivenUntil, "")
		if s.CalledOff {
			p.BillingCycleAnchorNow = stripe.Bool(true)
			p.ProrationBehavior = stripe.String(string(stripe.SubscriptionSchedulePhaseProrationBehaviorNone))
		}
		_, err := a.api.Subscriptions.Update(s.ID, p)
		return s.ID, err
	})
	return Uncertain(err)
}
