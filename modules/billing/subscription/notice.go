package subscription

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/email"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// dueDays are the days after the beginning of a period that is not paid for on which its reader is told.
var dueDays = []int{0, 3, 7}

// fullPriceBefore is how long before it the first renewal at the full price is announced.
const fullPriceBefore = 7 * 24 * time.Hour

// SweepNotices has the readers told whose payment has failed, and those whose subscription is renewed for a year or at
// the full price for the first time. Hours that were missed are caught up: it asks about a state. Of several emails
// that have become due meanwhile, the last one goes out.
func (s *Service) SweepNotices(ctx context.Context) error {
	return errors.Join(
		remind(ctx, s.db, event.PaymentDue, func(db.Tx) reminder { return failedPayments() }, lastDue),
		remind(ctx, s.db, event.RenewalDue, func(tx db.Tx) reminder {
			return renewals(tx.Now, renewalsOf(tx.Edition))
		}, each(func(c claim) event.Renewal {
			return event.Renewal{SubscriptionID: c.SubscriptionID, PeriodEnd: c.Period.UTC()}
		})),
	)
}

// lastDue is the last email of each subscription.
func lastDue(list []claim) (out []event.Overdue, err error) {
	for _, c := range list {
		d := event.Overdue{SubscriptionID: c.SubscriptionID, PeriodEnd: c.Period.UTC()}
		if _, err := fmt.Sscanf(c.Kind, "due_%d", &d.Day); err != nil {
			return nil, err
		}
		switch last := len(out) - 1; {
		case last < 0 || out[last].SubscriptionID != d.SubscriptionID:
			out = append(out, d)
		case out[last].Day < d.Day:
			out[last] = d
		}
	}
	return out, nil
}

// announced are the products whose renewals are announced.
type announced struct {
	Years  []string // by the year
	Intros []string // "product:amount" of introductory prices that last for several periods
}

func renewalsOf(ed *edition.Edition) announced {
	a := announced{Years: []string{}, Intros: []string{}}
	for _, p := range ed.Billing.Products {
		if p.Interval.Unit == "year" {
			a.Years = append(a.Years, p.Type)
		}
		if p.Intro != nil && p.Intro.Periods > 1 {
			a.Intros = append(a.Intros, fmt.Sprintf("%s:%d", p.Type, p.Intro.Amount))
		}
	}
	return a
}

// GiveUpOverdue ends at the provider the subscriptions whose payment was asked for in vain: until the last day for it,
// or until the reader has another subscription.
func (s *Service) GiveUpOverdue(ctx context.Context) error {
	var list []access.Subscription
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = access.Select(ctx, tx, "status IN ('past_due', 'unpaid') AND NOT trial AND (period_start <= ? OR "+
			"status = 'unpaid' AND EXISTS (SELECT FROM billing_subscriptions o WHERE o.reader_id = "+
			"billing_subscriptions.reader_id AND NOT o.trial AND o.status IN ('active', 'trialing', 'past_due'))) "+
			"ORDER BY period_start LIMIT 500", tx.Now.Add(-email.WaitForPayment))
		return err
	})
	errs := []error{err}
	for _, sub := range list {
		if err := s.giveUp(ctx, sub); err != nil {
			errs = append(errs, fmt.Errorf("billing: giving up %s: %w", sub.Key(), err))
		}
	}
	return errors.Join(errs...)
}

// giveUp ends a subscription, unless another period has begun since it was listed.
func (s *Service) giveUp(ctx context.Context, sub access.Subscription) error {
	if err := s.SyncSubscription(ctx, sub.ProviderID); err != nil {
		return err
	}
	var now *access.Subscription
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		now, err = access.FindByProvider(ctx, tx, sub.ProviderID)
		return err
	})
	if err != nil || now == nil || now.Status != stripe.PastDue && now.Status != stripe.Unpaid ||
		!now.PeriodStart.Equal(sub.PeriodStart) {
		return err
	}
	return s.End(ctx, sub.ProviderID, access.GoesOn)
}
