package subscription

import (
	"context"
	"fmt"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
)

// End ends a subscription at the provider as access.EndingOf decides, with all its invoices that are not paid, and
// stores what the provider says then. It may be repeated.
func (s *Service) End(ctx context.Context, id string, ifPaid access.Ending) error {
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return err
	}
	remote, err := acc.Subscription(ctx, id)
	if stripe.IsGone(err) {
		return nil
	}
	if err == nil {
		_, err = s.end(ctx, acc, remote, ifPaid)
	}
	if err != nil {
		return fmt.Errorf("billing: ending %s: %w", id, err)
	}
	return s.SyncSubscription(ctx, id)
}

// end has the provider end a subscription, and returns what it says then. An invoice can be paid at this very moment:
// the invoices are voided before it is decided. Meanwhile the subscription is marked to end with its period, so that
// what is interrupted here is finished at the next look.
func (s *Service) end(ctx context.Context, acc *stripe.Account, remote stripe.Subscription,
	ifPaid access.Ending,
) (stripe.Subscription, error) {
	decide := func() access.Ending { return access.EndingOf(RowOf(acc.Edition, remote, 0), ifPaid) }
	if remote.Status.Final() || decide() == access.GoesOn {
		return remote, nil
	}
	if ifPaid == access.AtOnce {
		if err := acc.Cancel(ctx, remote.ID); err != nil {
			return remote, err
		}
		if _, err := acc.VoidUnpaid(ctx, remote.ID); err != nil {
			return remote, err
		}
		return acc.Subscription(ctx, remote.ID)
	}
	marked := remote.CancelAtPeriodEnd
	if !marked {
		if err := acc.CancelAtEnd(ctx, "", remote); err != nil {
			return remote, err
		}
	}
	found, err := acc.VoidUnpaid(ctx, remote.ID)
	if err == nil && (found || !marked) {
		remote, err = acc.Subscription(ctx, remote.ID)
	}
	if err != nil {
		return remote, err
	}
	switch decide() {
	case access.AtOnce:
		err = acc.Cancel(ctx, remote.ID)
	case access.GoesOn: // it was paid at this moment
		err = acc.SetCancelAtEnd(ctx, "", remote.ID, false)
	case access.WithPeriod:
		return remote, nil
	}
	if err != nil {
		return remote, err
	}
	return acc.Subscription(ctx, remote.ID)
}

// settleEnd finishes the end of a subscription that was cancelled, whoever did it: in the profile, in the provider's
// portal or on its desk, or the provider itself after its last try. Subscriptions of other editions stay as they are.
func (s *Service) settleEnd(ctx context.Context, acc *stripe.Account,
	remote stripe.Subscription,
) (stripe.Subscription, error) {
	if !remote.CancelAtPeriodEnd && !remote.Status.Final() {
		return remote, nil
	}
	if known, err := s.isOurs(ctx, remote); err != nil || !known {
		return remote, err
	}
	if !remote.Status.Final() {
		return s.end(ctx, acc, remote, access.WithPeriod)
	}
	found, err := acc.VoidUnpaid(ctx, remote.ID)
	if err != nil || !found {
		return remote, err
	}
	return acc.Subscription(ctx, remote.ID)
}

// isOurs reports whether a subscription was begun in this edition, or is that of one of its readers.
func (s *Service) isOurs(ctx context.Context, remote stripe.Subscription) (ours bool, err error) {
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		if ours = remote.Edition == tx.Edition.ID; ours {
			return nil
		}
		reader, err := access.FindCustomerReader(ctx, tx, remote.Customer)
		if err != nil || reader != 0 {
			ours = reader != 0
			return err
		}
		row, err := access.FindByProvider(ctx, tx, remote.ID)
		ours = row != nil
		return err
	})
	return ours, err
}
