package subscription

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// maxPause is for how many periods a subscription can be paused.
const maxPause = 3

// PreviewTTL is how long a sum that was shown holds.
const PreviewTTL = 30 * time.Minute

// Change is what a reader wants of a subscription. Amount (minor units) and At are those of the Plan that was shown.
type Change struct {
	Kind    string
	Product string
	Periods int
	Amount  int64
	At      time.Time
}

// Live is a reader's subscription as the provider has just described it.
type Live struct {
	access.Subscription
	remote stripe.Subscription
}

// Change asks the provider to change the reader's subscription and writes what it says then. What is so already is
// done. It answers SUBSCRIPTION_STATE where the subscription does not allow the change, AMOUNT_CHANGED for a sum that
// is another one now, PAYMENT_FAILED when the card was refused, OVERLOADED when the provider did not answer.
func (s *Service) Change(ctx context.Context, readerID int64, c Change) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	if err := c.check(ed); err != nil {
		return err
	}
	acc, err := s.provider.Account(ctx)
	if err != nil {
		return ErrProviderAway.Because(stripe.Explain(err))
	}
	ctx, cancel, err := s.boundCall(ctx, readerID)
	if err != nil {
		return err
	}
	defer cancel()
	h, err := s.FetchLive(ctx, acc, readerID)
	if err != nil {
		return err
	}
	if h.alreadyHas(c) {
		return nil
	}
	if !h.allows(c, ed) {
		return access.ErrState
	}
	if c.Kind == access.ChangeSwitch {
		if err := s.checkAmount(ctx, acc, h, c); err != nil {
			return err
		}
	}
	id, err := s.NoteChange(ctx, h, c)
	if err != nil {
		return err
	}
	if err := s.SettleChange(ctx, id,
		RequestChange(ctx, acc, fmt.Sprintf("change:%s:%s:%d", ed.ID, h.ProviderID, id), h, c)); err != nil {
		s.log.WarnContext(ctx, "a subscription was not changed", "edition", ed.ID, "subscription", h.ProviderID, "change",
			c.Kind, "error", err)
		return err
	}
	// It is done; the provider's message brings what this did not.
	if err := s.SyncSubscription(ctx, h.ProviderID); err != nil {
		s.log.WarnContext(ctx, "a changed subscription was not fetched", "edition", ed.ID, "subscription",
			h.ProviderID, "error", err)
	}
	s.access.ForgetHere(ctx, readerID)
	return nil
}

func (c Change) check(ed *edition.Edition) error {
	switch c.Kind {
	case access.ChangeCancel, access.ChangeResume, access.ChangeUnpause, access.ChangeStay:
		return nil
	case access.ChangePause:
		if c.Periods < 1 || c.Periods > maxPause {
			return web.ErrInvalidArgs.On("periods")
		}
		return nil
	case access.ChangeSwitch:
		if offer.Active(ed, c.Product) == nil {
			return web.ErrInvalidArgs.On("product_type")
		}
		return nil
	}
	return web.ErrInvalidArgs.On("action")
}

// FetchLive fetches the reader's subscription.
func (s *Service) FetchLive(ctx context.Context, acc *stripe.Account, readerID int64) (Live, error) {
	sub, err := s.findHeld(ctx, readerID)
	if err != nil {
		return Live{}, err
	}
	if sub == nil || sub.Transfer {
		return Live{}, access.ErrState
	}
	remote, _, err := s.fetchAndStore(ctx, acc, sub.ProviderID, false)
	if err != nil {
		return Live{}, ErrProviderAway.Because(stripe.Explain(err))
	}
	if sub, err = s.findHeld(ctx, readerID); err != nil {
		return Live{}, err
	}
	if sub == nil || sub.ProviderID != remote.ID {
		return Live{}, access.ErrState
	}
	return Live{*sub, remote}, nil
}

// findHeld returns the reader's subscription that runs, else one that was given up but can still be paid; nil for none.
func (s *Service) findHeld(ctx context.Context, readerID int64) (sub *access.Subscription, err error) {
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		if sub, err = access.FindPaid(ctx, tx, readerID); err != nil || sub != nil {
			return err
		}
		sub, err = access.Find(ctx, tx, "reader_id = ? AND status = 'unpaid' ORDER BY id DESC LIMIT 1", readerID)
		return err
	})
	return sub, err
}

// alreadyHas reports whether the subscription is as the change would make it.
func (h Live) alreadyHas(c Change) bool {
	switch c.Kind {
	case access.ChangeCancel:
		return h.CancelAtPeriodEnd
	case access.ChangeResume:
		return !h.CancelAtPeriodEnd
	case access.ChangeUnpause:
		return !h.Paused
	case access.ChangeStay:
		return h.Next == ""
	case access.ChangeSwitch:
		return h.Product == c.Product && h.Next == "" || h.Next == c.Product
	}
	return h.Paused
}

// isSettled is a subscription that runs on as it is: paid, and with nothing to come.
func (h Live) isSettled() bool {
	return h.Status == stripe.Active && !h.CancelAtPeriodEnd && !h.Paused && !h.Uncovered && h.remote.Schedule == ""
}

// allows reports whether the change makes sense for the subscription.
func (h Live) allows(c Change, ed *edition.Edition) bool {
	switch c.Kind {
	case access.ChangePause:
		p := ed.Product(h.Product)
		return h.isSettled() && p != nil && p.Interval.Unit != "year"
	case access.ChangeSwitch:
		return h.isSettled() && ed.Product(h.Product) != nil
	}
	return true
}

// NoteChange writes down what is about to be asked of the provider. The same request that got no answer is found again.
func (s *Service) NoteChange(ctx context.Context, h Live, c Change) (id int64, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := access.LockReader(ctx, tx, h.ReaderID); err != nil {
			return err
		}
		if id, err = findOpenChange(ctx, tx, h.ID, c, tx.Now.Add(-PreviewTTL)); err != nil || id != 0 {
			return err
		}
		if err := lapseChanges(ctx, tx, h.ID); err != nil {
			return err
		}
		id, err = insertChange(ctx, tx, h.ReaderID, h.ID, c)
		return err
	})
	return id, err
}

// SettleChange notes what the provider said to a change. No answer leaves it open; a failure of the provider does not,
// because the same key would bring the same failure.
func (s *Service) SettleChange(ctx context.Context, id int64, callErr error) error {
	if callErr != nil && !stripe.IsRefusal(callErr) {
		return ErrProviderAway.Because(stripe.Explain(callErr))
	}
	state, answer := "done", (*fault.Error)(nil)
	switch {
	case stripe.IsOutage(callErr):
		state, answer = "lapsed", ErrProviderAway
	case stripe.IsCardError(callErr):
		state, answer = "refused", access.ErrPaymentFailed
	case callErr != nil:
		state, answer = "refused", access.ErrState
	}
	err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return closeChange(ctx, tx, id, state) })
	if answer == nil {
		return err
	}
	return errors.Join(answer.Because(stripe.Explain(callErr)), err)
}
