package subscription

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/event"
)

// PostponePayment moves the next payment of a subscription behind what was given: nobody pays for days that
// were given. It may be repeated, and in any order. A subscription that the provider does not move is left to a person.
func (s *Service) PostponePayment(ctx context.Context, e event.Redeemed) error {
	var paid *access.Subscription
	var givenUntil time.Time
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if givenUntil, err = access.GivenNext(ctx, tx, e.ReaderID); err != nil {
			return err
		}
		paid, err = access.FindPaid(ctx, tx, e.ReaderID)
		return err
	})
	if err != nil || !paid.Renews() || !paid.PeriodEnd.Before(givenUntil.Truncate(time.Second)) {
		return err
	}
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return err
	}
	remote, err := acc.Subscription(ctx, paid.ProviderID)
	if err != nil {
		return unlessGone(err)
	}
	bridged, err := acc.PostponePayment(ctx, remote, givenUntil)
	if stripe.IsInvalid(err) {
		queued := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
			return s.access.NeedsReview(ctx, tx, access.ReviewExtension, remote.ID, e.ReaderID,
				"until "+givenUntil.Format(time.RFC3339))
		})
		s.log.ErrorContext(ctx, "a payment was not moved behind what was given", "edition", acc.Edition.ID, "subscription",
			remote.ID, "error", err)
		return cmp.Or(queued, jobs.Skip(err))
	}
	if err != nil {
		return unlessGone(err)
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := access.CloseReview(ctx, tx, access.ReviewExtension, remote.ID); err != nil || !bridged {
			return err
		}
		return outbox.LaterOnce(ctx, tx, event.GivenOver, event.Given{ProviderID: remote.ID}, givenUntil,
			fmt.Sprintf("given_over:%s:%d", remote.ID, givenUntil.Unix()))
	})
	return cmp.Or(err, s.SyncSubscription(ctx, remote.ID))
}

func unlessGone(err error) error {
	if stripe.IsGone(err) {
		return nil
	}
	return err
}

// endGrantedPause has a subscription take money again once the time that was given is over. It may be repeated: one
// whose time was made longer is left to the job of that.
func (s *Service) endGrantedPause(ctx context.Context, e event.Given) error {
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return err
	}
	remote, err := acc.Subscription(ctx, e.ProviderID)
	if err != nil {
		return unlessGone(err)
	}
	if remote.Given.IsZero() || remote.Given.After(s.db.Now()) || remote.Status.Final() {
		return nil
	}
	if err := acc.ResumeCollection(ctx, remote); err != nil {
		return err
	}
	return s.SyncSubscription(ctx, remote.ID)
}
