package stripe

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/stripe/stripe-go/v76"
)

// SetCancelAtEnd has a subscription end with its period, or go on after all.
func (a *Account) SetCancelAtEnd(ctx context.Context, key, id string, cancel bool) error {
	return a.update(id, &stripe.SubscriptionParams{Params: params(ctx, key), CancelAtPeriodEnd: stripe.Bool(cancel)})
}

// Pause calls the payments of a subscription off until an instant.
func (a *Account) Pause(ctx context.Context, key, id string, until time.Time) error {
	return a.update(id,
		&stripe.SubscriptionParams{Params: params(ctx, key), PauseCollection: &stripe.SubscriptionPauseCollectionParams{
			Behavior:  stripe.String(string(stripe.SubscriptionPauseCollectionBehaviorVoid)),
			ResumesAt: stripe.Int64(until.Unix()),
		}})
}

func (a *Account) update(id string, p *stripe.SubscriptionParams) error {
	_, err := a.api.Subscriptions.Update(id, p)
	return Uncertain(err)
}

// Unpause collects again. Where the running period was not paid for, a new one begins, and is paid now.
func (a *Account) Unpause(ctx context.Context, key string, s Subscription) error {
	p := &stripe.SubscriptionParams{Params: params(ctx, key)}
	p.AddExtra("pause_collection", "")
	if s.CalledOff {
		p.BillingCycleAnchorNow = stripe.Bool(true)
		p.ProrationBehavior = stripe.String(string(stripe.SubscriptionSchedulePhaseProrationBehaviorNone))
		p.PaymentBehavior = stripe.String("error_if_incomplete")
	}
	return a.update(s.ID, p)
}

// Release lets go of what a schedule has planned for a subscription. It may be repeated.
func (a *Account) Release(ctx context.Context, key string, s Subscription) error {
	if s.Schedule == "" {
		return nil
	}
	_, err := a.api.SubscriptionSchedules.Release(s.Schedule,
		&stripe.SubscriptionScheduleReleaseParams{Params: params(ctx, key)})
	return unlessDone(err)
}

// SwitchNow changes the price at once: what is not used is taken off, and the difference is paid or nothing changes.
func (a *Account) SwitchNow(ctx context.Context, key string, s Subscription, price string, at time.Time) error {
	return a.update(s.ID, &stripe.SubscriptionParams{
		Params: params(ctx, key), Items: []*stripe.SubscriptionItemsParams{{ID: &s.Item, Price: &price}},
		ProrationBehavior: stripe.String("always_invoice"), ProrationDate: stripe.Int64(at.Unix()),
		PaymentBehavior: stripe.String("error_if_incomplete"),
	})
}

// Reprice has another price count from the next renewal on; nothing is charged for what runs.
func (a *Account) Reprice(ctx context.Context, s Subscription, price string) error {
	return a.update(s.ID, &stripe.SubscriptionParams{
		Params: params(ctx, ""), Items: []*stripe.SubscriptionItemsParams{{ID: &s.Item, Price: &price}},
		ProrationBehavior: stripe.String("none"),
	})
}

// Preview is what SwitchNow would charge, in minor units.
func (a *Account) Preview(ctx context.Context, s Subscription, price string, at time.Time) (int64, error) {
	in, err := a.api.Invoices.Upcoming(&stripe.InvoiceUpcomingParams{
		Params: params(ctx, ""), Subscription: &s.ID,
		SubscriptionItems:             []*stripe.SubscriptionItemsParams{{ID: &s.Item, Price: &price}},
		SubscriptionProrationBehavior: stripe.String("always_invoice"), SubscriptionProrationDate: stripe.Int64(at.Unix()),
	})
	if err != nil {
		return 0, Uncertain(err)
	}
	return in.AmountDue, nil
}

// SwitchLater plans another price from the next period on, by a schedule that then lets go.
func (a *Account) SwitchLater(ctx context.Context, key string, s Subscription, price, product string) error {
	schedule, err := a.api.SubscriptionSchedules.New(&stripe.SubscriptionScheduleParams{
		Params: params(ctx, key+":schedule"), FromSubscription: &s.ID,
	})
	if err != nil {
		return Uncertain(err)
	}
	if len(schedule.Phases) == 0 {
		return errors.New("billing: schedule " + schedule.ID + " of " + s.ID + " has no phase, at " +
			strconv.FormatInt(schedule.Created, 10))
	}
	first := schedule.Phases[0]
	phase := func(id string) *stripe.SubscriptionSchedulePhaseParams {
		p := &stripe.SubscriptionSchedulePhaseParams{
			Items:             []*stripe.SubscriptionSchedulePhaseItemParams{{Price: &id, Quantity: stripe.Int64(1)}},
			ProrationBehavior: stripe.String(string(stripe.SubscriptionSchedulePhaseProrationBehaviorNone)),
		}
		if first.Coupon != nil { // that is still on
			p.Coupon = &first.Coupon.ID
		}
		return p
	}
	now, then := phase(s.PriceID), phase(price)
	now.StartDate, now.EndDate, then.Iterations = &first.StartDate, &first.EndDate, stripe.Int64(1)
	p := &stripe.SubscriptionScheduleParams{
		Params: params(ctx, key+":phases"), EndBehavior: stripe.String(string(stripe.SubscriptionScheduleEndBehaviorRelease)),
		ProrationBehavior: stripe.String(string(stripe.SubscriptionSchedulePhaseProrationBehaviorNone)),
		Phases:            []*stripe.SubscriptionSchedulePhaseParams{now, then},
	}
	p.AddMetadata(metaNext, product)
	_, err = a.api.SubscriptionSchedules.Update(schedule.ID, p)
	return Uncertain(err)
}
