package subscription

import (
	"context"
	"errors"
	"fmt"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/event"
)

// identify drops the number of a reader that the provider's metadata names, unless that reader has the public id
// that comes with it. After a dump was restored, the numbers of lost readers are given to others.
func (s *Service) identify(ctx context.Context, remote *stripe.Subscription) error {
	if remote.ReaderID == 0 {
		return nil
	}
	id, err := s.contacts.PublicID(ctx, remote.ReaderID)
	if err != nil && !errors.Is(err, event.ErrReaderLeft) {
		return err
	}
	if err != nil || remote.PublicID != id {
		remote.ReaderID = 0
	}
	return nil
}

// setReader writes at the provider whose a subscription is, where that is not written there or is no longer right: it
// was begun before readers had public ids, or a person has found out whose it is.
func (s *Service) setReader(ctx context.Context, acc *stripe.Account, remote stripe.Subscription) error {
	if !remote.Status.Live() {
		return nil
	}
	var known *access.Subscription
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		known, err = access.FindByProvider(ctx, tx, remote.ID)
		return err
	})
	if err != nil || known == nil {
		return err
	}
	id, err := s.contacts.PublicID(ctx, known.ReaderID)
	if errors.Is(err, event.ErrReaderLeft) || err == nil && id == remote.PublicID {
		return nil
	}
	if err == nil {
		err = acc.SetReader(ctx, remote.ID, known.ReaderID, id)
	}
	if err != nil {
		return fmt.Errorf("billing: whose %s is: %w", remote.ID, err)
	}
	return nil
}
