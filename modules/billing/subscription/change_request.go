package subscription

import (
	"context"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
)

// RequestChange asks the provider for a change. The key makes that what is asked twice is done once; each step has a
// key of its own.
func RequestChange(ctx context.Context, acc *stripe.Account, key string, h Live, c Change) error {
	switch c.Kind {
	case access.ChangeCancel:
		return acc.CancelAtEnd(ctx, key, h.remote)
	case access.ChangeResume:
		return acc.SetCancelAtEnd(ctx, key, h.ProviderID, false)
	case access.ChangePause:
		return acc.Pause(ctx, key, h.ProviderID, pauseEnd(acc, h, c.Periods))
	case access.ChangeUnpause:
		return acc.Unpause(ctx, key, h.remote)
	case access.ChangeStay:
		return acc.Release(ctx, key, h.remote)
	}
	price, err := acc.EnsurePrice(ctx, acc.PriceOf(acc.Edition.Product(c.Product), false))
	if err != nil {
		return stripe.Uncertain(err)
	}
	if longer(acc.Edition.Product(c.Product).Interval, acc.Edition.Product(h.Product).Interval) {
		return acc.SwitchNow(ctx, key, h.remote, price, c.At)
	}
	return acc.SwitchLater(ctx, key, h.remote, price, c.Product)
}

// pauseEnd is when collection begins again: just before the renewal after so many periods that nobody pays for.
func pauseEnd(acc *stripe.Account, h Live, periods int) time.Time {
	return acc.Edition.Product(h.Product).Interval.Next(h.remote.Anchor, h.PeriodEnd, periods).Add(-access.BeforeRenewal)
}
