package subscription

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
)

// SettleIntents finds out what happened to checkouts that nobody has reported about.
func (s *Service) SettleIntents(ctx context.Context) error {
	return s.settleIntents(ctx, stripe.SettleAfter)
}

// SettleAllIntents is SettleIntents for those of the last minutes as well, whose buyers may still be paying.
func (s *Service) SettleAllIntents(ctx context.Context) error { return s.settleIntents(ctx, 0) }

func (s *Service) settleIntents(ctx context.Context, age time.Duration) error {
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return err
	}
	var list []Intent
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = listOpenIntents(ctx, tx, tx.Now.Add(-age))
		return err
	})
	errs := []error{err}
	for _, in := range list {
		if err := s.settleOne(ctx, acc, in); err != nil {
			errs = append(errs, fmt.Errorf("billing: checkout %d: %w", in.ID, err))
		}
	}
	return errors.Join(errs...)
}

func (s *Service) settleOne(ctx context.Context, acc *stripe.Account, in Intent) error {
	over := !in.ExpiresAt.After(s.db.Now())
	switch {
	case in.SessionID == "" && over:
		return s.settle(ctx, in.ID, intentExpired)
	case in.SessionID == "":
		return nil
	}
	look := acc.Checkout
	if over {
		look = acc.CloseCheckout
	}
	c, err := look(ctx, in.SessionID)
	if stripe.IsGone(err) {
		return s.settle(ctx, in.ID, intentExpired)
	}
	if err != nil {
		return err
	}
	return s.outcome(ctx, in, c)
}
