package billing

import (
	"context"
	"errors"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/privacy"
)

// Export is what a reader has bought, tried and was given.
func (m *Module) Export(ctx context.Context, r privacy.Reader) (list []privacy.Table, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err = privacy.Read(ctx, tx, r, exportTables...)
		return err
	})
	return list, err
}

// Erase ends what a reader has: a checkout that is open can be paid no more, subscriptions are cancelled at the
// provider at once and not paid back, a trial and given access are over. Subscriptions, payments and the provider's
// customer stay, as the law on accounts wants it; they name a number behind which nobody stands any more.
func (m *Module) Erase(ctx context.Context, r privacy.Reader) error {
	var open *subscription.Intent
	var live []access.Subscription
	find := func() error {
		return m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			if open, err = subscription.FindIntent(ctx, tx, "reader_id = ? AND state = 'open'", r.ID); err != nil {
				return err
			}
			live, err = access.Select(ctx, tx, "reader_id = ? AND provider_id IS NOT NULL AND status NOT IN "+
				"('canceled', 'incomplete_expired')", r.ID)
			return err
		})
	}
	if err := find(); err != nil {
		return err
	}
	if open != nil || len(live) > 0 {
		if err := m.endCheckout(ctx, open); err != nil {
			return err
		}
		if err := find(); err != nil { // the checkout may have become a subscription
			return err
		}
		if err := m.endSubscriptions(ctx, live); err != nil {
			return err
		}
	}
	err := m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := access.LockReader(ctx, tx, r.ID); err != nil {
			return err
		}
		if err := access.EndTrial(ctx, tx, r.ID); err != nil {
			return err
		}
		if err := transfer.Forget(ctx, tx, r.ID); err != nil {
			return err
		}
		if err := transfer.VoidOf(ctx, tx, r.ID); err != nil {
			return err
		}
		if err := privacy.Forget(ctx, tx, r, eraseStatements...); err != nil {
			return err
		}
		if err := deleteTrialGrants(ctx, tx, person.Email(r.Email), r.Until); err != nil {
			return err
		}
		return access.Changed(ctx, tx, r.ID)
	})
	m.Access.ForgetHere(ctx, r.ID)
	return err
}

func (m *Module) endCheckout(ctx context.Context, open *subscription.Intent) error {
	if open == nil {
		return nil
	}
	acc, err := m.provider.Account(ctx)
	if err != nil {
		return err
	}
	// Nobody wants that, so it is closed.
	_, err = m.Subscriptions.ReopenCheckout(ctx, acc, *open, access.NoProduct, time.Time{})
	return err
}

func (m *Module) endSubscriptions(ctx context.Context, live []access.Subscription) error {
	var errs []error
	for _, s := range live {
		errs = append(errs, m.Subscriptions.End(ctx, s.ProviderID, access.AtOnce))
	}
	return errors.Join(errs...)
}
