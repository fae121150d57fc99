package subscription

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"golang.org/x/time/rate"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/web"
)

// errForged is a message that nobody with our secret has signed just now.
var errForged = web.ErrInvalidArgs.On("Stripe-Signature")

// Receive verifies a message of the provider and stores it once, together with the work it asks for.
func (s *Service) Receive(ctx context.Context, body []byte, signature string) error {
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return err
	}
	e, err := acc.Verify(body, signature)
	if err != nil {
		s.noteRefused(ctx, acc.Edition.ID, err)
		return errForged.Because(err)
	}
	return s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		known, err := putEvent(ctx, tx, e)
		if err != nil || known {
			return err
		}
		return outbox.Once(ctx, tx, event.ProviderEvent, event.ProviderReported{EventID: e.ID}, "event:"+e.ID)
	})
}

// noteRefused counts a message that was refused, and logs one a minute of each edition: a wrong secret would otherwise
// show itself days later, in payments that nobody has noticed.
func (s *Service) noteRefused(ctx context.Context, editionID string, err error) {
	why := stripe.RefusalOf(err)
	s.observeRefused(editionID, why)
	often, _ := s.refused.LoadOrStore(editionID, &rate.Sometimes{Interval: time.Minute})
	often.(*rate.Sometimes).Do(func() {
		s.log.WarnContext(ctx, "stripe: a webhook was refused; is the webhook secret that of the edition's endpoint?",
			"edition", editionID, "reason", why, "error", err)
	})
}

// ProcessEvent looks at the object that a message is about. What the message says of it is not used: it may be old.
func (s *Service) ProcessEvent(ctx context.Context, e event.ProviderReported) error {
	var object, id string
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		object, id, err = findEvent(ctx, tx, e.EventID)
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return jobs.Skip(fmt.Errorf("billing: message %s is not stored", e.EventID))
	}
	if err != nil {
		return err
	}
	if err := s.RefreshObject(ctx, object, id); err != nil {
		return fmt.Errorf("billing: message %s: %w", e.EventID, err)
	}
	return s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		lag, err := doneEvent(ctx, tx, e.EventID)
		if err == nil {
			s.observeWebhook(tx.Edition.ID, lag)
		}
		return err
	})
}

// RefreshObject asks the provider about what a message names, and stores the answer.
func (s *Service) RefreshObject(ctx context.Context, object, id string) error {
	if id == "" { // of something that does not exist yet, such as the next invoice
		return nil
	}
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return err
	}
	switch object {
	case stripe.ObjectSubscription:
		err = s.SyncSubscription(ctx, id)
	case stripe.ObjectInvoice:
		var of string
		if of, err = acc.InvoiceSubscription(ctx, id); err == nil && of != "" {
			err = s.SyncSubscription(ctx, of)
		}
	case stripe.ObjectCheckout:
		err = s.refreshCheckout(ctx, acc, id)
	case stripe.ObjectRefund, stripe.ObjectDispute:
		var of string
		if of, err = acc.ChargeOf(ctx, object, id); err == nil && of != "" {
			err = s.refreshCharge(ctx, acc, of)
		}
	case stripe.ObjectCharge:
		err = s.refreshCharge(ctx, acc, id)
	}
	if stripe.IsGone(err) { // a draft that was deleted
		return nil
	}
	return err
}

// refreshCharge looks at what went back of a payment, which need not be that of the running period.
func (s *Service) refreshCharge(ctx context.Context, acc *stripe.Account, id string) error {
	f, err := acc.Charge(ctx, id)
	if err != nil {
		return err
	}
	if f.Invoice == nil {
		return s.vouchers.Return(ctx, acc, f)
	}
	if f.Subscription == "" {
		return nil
	}
	if err := s.SyncSubscription(ctx, f.Subscription); err != nil {
		return err
	}
	return s.noteDisputes(ctx, acc, f)
}

func (s *Service) refreshCheckout(ctx context.Context, acc *stripe.Account, id string) error {
	c, err := acc.Checkout(ctx, id)
	if err != nil {
		return err
	}
	var in *Intent
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		in, err = FindIntent(ctx, tx, "session_id = ?", id)
		return err
	})
	switch {
	case err != nil:
		return err
	case in != nil:
		return s.outcome(ctx, *in, c)
	case c.Subscription != "":
		return s.SyncSubscription(ctx, c.Subscription)
	}
	return s.vouchers.Settle(ctx, c)
}
