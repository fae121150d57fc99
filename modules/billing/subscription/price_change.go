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
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// How long before the renewal from which it counts another price is told, and how far ahead at most.
const (
	priceToldBefore  = 30 * 24 * time.Hour
	priceToldEarlier = 60 * 24 * time.Hour
	priceMadeBefore  = 24 * time.Hour // at the provider
)

// firstAt is the first renewal of a subscription for which another price can be told in time; zero where that is too
// far ahead to be told now.
func firstAt(s access.Subscription, p *edition.Product, from, now time.Time) time.Time {
	at, anchor := s.PeriodEnd, s.PeriodEnd
	if p.Interval.Add(s.PeriodStart, 1).Equal(s.PeriodEnd) { // whose day of the month the period's end may not have
		anchor = s.PeriodStart
	}
	for n := 1; at.Before(from) || at.Before(now.Add(priceToldBefore)); n++ {
		at = p.Interval.Next(anchor, s.PeriodEnd, n)
	}
	if at.After(now.Add(priceToldEarlier)) {
		return time.Time{}
	}
	return at
}

// SweepPrices tells those who have bought before of another price that is to count for them too, as the edition's
// document says.
func (s *Service) SweepPrices(ctx context.Context) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for i := range ed.Billing.Products {
		p := &ed.Billing.Products[i]
		from := p.AllFrom(ed.Location)
		if from.IsZero() || from.After(s.db.Now().Add(priceToldEarlier)) || p.Amount == 0 {
			continue
		}
		var list []access.Subscription
		err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			list, err = listOtherPrices(ctx, tx, p)
			return err
		})
		errs = append(errs, err)
		for _, sub := range list {
			if err := s.announcePrice(ctx, sub, p, from); err != nil {
				errs = append(errs, fmt.Errorf("billing: announcing a price of %s: %w", sub.Key(), err))
			}
			if ctx.Err() != nil {
				return errors.Join(errs...)
			}
		}
	}
	return errors.Join(errs...)
}

// announcePrice tells the reader of one subscription.
func (s *Service) announcePrice(ctx context.Context, sub access.Subscription, p *edition.Product,
	from time.Time,
) error {
	at := firstAt(sub, p, from, s.db.Now())
	if at.IsZero() {
		return nil
	}
	return s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		id, err := insertPriceChange(ctx, tx,
			email.PriceChange{SubscriptionID: sub.ID, Amount: p.Amount, Was: sub.Amount, FromAt: at})
		if err != nil || id == 0 { // another process was faster
			return err
		}
		return outbox.Tell(ctx, tx, event.PriceChanging, event.PriceChange{PriceChangeID: id})
	})
}

// ApplyPrices gives a subscription the price that was announced to its reader, a day before the renewal from which it
// counts.
func (s *Service) ApplyPrices(ctx context.Context) error {
	var list []email.PriceChange
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = listDuePrices(ctx, tx, tx.Now.Add(priceMadeBefore))
		return err
	})
	if err != nil || len(list) == 0 {
		return err
	}
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, c := range list {
		if err := s.applyPrice(ctx, acc, c); err != nil {
			errs = append(errs, fmt.Errorf("billing: price of %s: %w", c.ProviderID, err))
		}
	}
	return errors.Join(errs...)
}

func (s *Service) applyPrice(ctx context.Context, acc *stripe.Account, c email.PriceChange) error {
	remote, err := acc.Subscription(ctx, c.ProviderID)
	if err != nil {
		return err
	}
	p := acc.Edition.Product(remote.Product)
	if p == nil || p.Amount != c.Amount || remote.Amount != c.Was || remote.Schedule != "" ||
		remote.Status != stripe.Active {
		return s.SyncSubscription(ctx, c.ProviderID) // something else was agreed meanwhile
	}
	// The notice of a first full price is not for this.
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return markRenewal(ctx, tx, c.SubscriptionID, remote.PeriodEnd)
	})
	if err != nil {
		return err
	}
	price, err := acc.EnsurePrice(ctx, acc.PriceOf(p, false))
	if err == nil {
		err = acc.Reprice(ctx, remote, price)
	}
	if err == nil {
		err = s.SyncSubscription(ctx, c.ProviderID)
	}
	if err != nil {
		return err
	}
	return s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return markPriceChange(ctx, tx, c.ID) })
}
