package billing

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/stripe/stripe-go/v76"
)

// isCardError tells that the bank has said no, or wants its customer to confirm.
func isCardError(err error) bool {
	var api *stripe.Error
	return errors.As(err, &api) && api.Type == stripe.ErrorTypeCard
}

// isOutage tells that the provider has answered with a failure of its own.
func isOutage(err error) bool {
	var api *stripe.Error
	return errors.As(err, &api) && api.HTTPStatusCode >= http.StatusInternalServerError
}

// change makes a change. The key makes that what is asked twice is done once; each step has a key of its own.
func (a *account) change(ctx context.Context, key string, h held, c Change) error {
	switch c.Kind {
	case changeCancel:
		if err := a.release(ctx, key+":release", h.said); err != nil { // what a schedule leads cannot be cancelled
			return err
		}
		return a.update(h.ProviderID,
			&stripe.SubscriptionParams{Params: params(ctx, key), CancelAtPeriodEnd: stripe.Bool(true)})
	case changeResume:
		return a.update(h.ProviderID,
			&stripe.SubscriptionParams{Params: params(ctx, key), CancelAtPeriodEnd: stripe.Bool(false)})
	case changePause:
		return a.update(h.ProviderID,
			&stripe.SubscriptionParams{Params: params(ctx, key), PauseCollection: &stripe.SubscriptionPauseCollectionParams{
				Behavior:  stripe.String(string(stripe.SubscriptionPauseCollectionBehaviorVoid)),
				ResumesAt: stripe.Int64(a.pauseEnd(h, c.Periods).Unix()),
			}})
	case changeUnpause:
		return a.unpause(ctx, key, h)
	case changeStay:
		return a.release(ctx, key, h.said)
	}
	price, err := a.sync(ctx, a.price(a.edition.Product(c.Product), false))
	if err != nil {
		return uncertain(err)
	}
	if longer(a.edition.Product(c.Product).Interval, a.edition.Product(h.Product).Interval) {
		return a.switchNow(ctx, key, h, price, c.At)
	}
	return a.switchLater(ctx, key, h, price, c.Product)
}

func (a *account) update(id string, p *stripe.SubscriptionParams) error {
	_, err := a.api.Subscriptions.Update(id, p)
	return uncertain(err)
}

// beforeRenewal is by how much collection is on again before the first renewal that is to be paid.
const beforeRenewal = time.Hour

// pauseEnd is when collection begins again: just before the renewal after so many periods that nobody pays for.
func (a *account) pauseEnd(h held, periods int) time.Time {
	return after(h.PeriodEnd, a.edition.Product(h.Product).Interval, periods).Add(-beforeRenewal)
}

// unpause collects again. Where the running period was not paid for, a new one begins, and is paid now.
func (a *account) unpause(ctx context.Context, key string, h held) error {
	p := &stripe.SubscriptionParams{Params: params(ctx, key)}
	p.AddExtra("pause_collection", "")
	if h.said.CalledOff {
		p.BillingCycleAnchorNow = stripe.Bool(true)
		p.ProrationBehavior = stripe.String(string(stripe.SubscriptionSchedulePhaseProrationBehaviorNone))
		p.PaymentBehavior = stripe.String("error_if_incomplete")
	}
	return a.update(h.ProviderID, p)
}

// release lets go of what a schedule has planned for a subscription.
func (a *account) release(ctx context.Context, key string, s remote) error {
	if s.Schedule == "" {
		return nil
	}
	_, err := a.api.SubscriptionSchedules.Release(s.Schedule,
		&stripe.SubscriptionScheduleReleaseParams{Params: params(ctx, key)})
	return uncertain(err)
}

// switchNow changes the price at once: what is not used is taken off, and the difference is paid or nothing changes.
func (a *account) switchNow(ctx context.Context, key string, h held, price string, at time.Time) error {
	return a.update(h.ProviderID, &stripe.SubscriptionParams{
		Params: params(ctx, key), Items: []*stripe.SubscriptionItemsParams{{ID: &h.said.Item, Price: &price}},
		ProrationBehavior: stripe.String("always_invoice"), ProrationDate: stripe.Int64(at.Unix()),
		PaymentBehavior: stripe.String("error_if_incomplete"),
	})
}

// reprice has another price count from the next renewal on; nothing is charged for what runs.
func (a *account) reprice(ctx context.Context, s remote, price string) error {
	return a.update(s.ID, &stripe.SubscriptionParams{
		Params: params(ctx, ""), Items: []*stripe.SubscriptionItemsParams{{ID: &s.Item, Price: &price}},
		ProrationBehavior: stripe.String("none"),
	})
}

// preview is what switchNow would charge, in minor units.
func (a *account) preview(ctx context.Context, s remote, price string, at time.Time) (int64, error) {
	in, err := a.api.Invoices.Upcoming(&stripe.InvoiceUpcomingParams{
		Params: params(ctx, ""), Subscription: &s.ID,
		SubscriptionItems:             []*stripe.SubscriptionItemsParams{{ID: &s.Item, Price: &price}},
		SubscriptionProrationBehavior: stripe.String("always_invoice"), SubscriptionProrationDate: stripe.Int64(at.Unix()),
	})
	if err != nil {
		return 0, uncertain(err)
	}
	return in.AmountDue, nil
}

// switchLater plans another price from the next period on, by a schedule that then lets go.
func (a *account) switchLater(ctx context.Context, key string, h held, price, product string) error {
	schedule, err := a.api.SubscriptionSchedules.New(&stripe.SubscriptionScheduleParams{
		Params: params(ctx, key+":schedule"), FromSubscription: &h.ProviderID,
	})
	if err != nil {
		return uncertain(err)
	}
	if len(schedule.Phases) == 0 {
		return errors.New("billing: schedule " + schedule.ID + " of " + h.ProviderID + " has no phase, at " +
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
	now, then := phase(h.said.PriceID), phase(price)
	now.StartDate, now.EndDate, then.Iterations = &first.StartDate, &first.EndDate, stripe.Int64(1)
	p := &stripe.SubscriptionScheduleParams{
		Params: params(ctx, key+":phases"), EndBehavior: stripe.String(string(stripe.SubscriptionScheduleEndBehaviorRelease)),
		ProrationBehavior: stripe.String(string(stripe.SubscriptionSchedulePhaseProrationBehaviorNone)),
		Phases:            []*stripe.SubscriptionSchedulePhaseParams{now, then},
	}
	p.AddMetadata(metaNext, product)
	_, err = a.api.SubscriptionSchedules.Update(schedule.ID, p)
	return uncertain(err)
}
