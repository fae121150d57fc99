package subscription

import (
	"context"
	"errors"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/db"
)

// Running are the subscriptions of an edition that the provider has not ended.
type Running struct {
	Count  int
	Renews int       // of them: the provider goes on charging their readers
	Last   time.Time // end of the period that is the last to end; zero for none
}

// RunningIn counts the subscriptions of the edition of ctx that the provider has not ended.
func RunningIn(ctx context.Context, d *db.DB) (r Running, err error) {
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		r, err = countRunning(ctx, tx)
		return err
	})
	return r, err
}

// EndAll has every subscription of an edition end: with its period if that is paid for, else at once. Its readers are
// told by email. One that fails does not keep the others back, and it may be repeated.
func (s *Service) EndAll(ctx context.Context) error {
	var list []access.Subscription
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = access.Select(ctx, tx, notEnded+" ORDER BY id")
		return err
	})
	errs := []error{err}
	for i := range list {
		errs = append(errs, s.End(ctx, list[i].ProviderID, access.WithPeriod))
	}
	return errors.Join(errs...)
}
