package billing

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

// Kinds of changes.
const (
	changeCancel  = "cancel"  // at the end of the period
	changeResume  = "resume"  // what was cancelled and has not ended
	changePause   = "pause"   // after the paid period, for some periods
	changeUnpause = "unpause" // before a pause is over
	changeSwitch  = "switch"  // to another product
	changeStay    = "stay"    // with the product, where a switch was to come
)

// maxPause is for how many periods a subscription can be paused.
const maxPause = 3

// previewTTL is how long a sum that was shown holds.
const previewTTL = 30 * time.Minute

// Change is what a reader wants of a subscription. Amount (minor units) and At are those of the Plan that was shown.
type Change struct {
	Kind    string
	Product string
	Periods int
	Amount  int64
	At      time.Time
}

// liveSubscription is a reader's subscription as the provider has just described it.
type liveSubscription struct {
	access.Subscription
	remote stripe.Subscription
}

// Change asks the provider to change the reader's subscription and writes what it says then. What is so already is
// done. It answers SUBSCRIPTION_STATE where the subscription does not allow the change, AMOUNT_CHANGED for a sum that
// is another one now, PAYMENT_FAILED when the card was refused, OVERLOADED when the provider did not answer.
func (m *Module) Change(ctx context.Context, readerID int64, c Change) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	if err := c.check(ed); err != nil {
		return err
	}
	acc, err := m.provider.Account(ctx)
	if err != nil {
		return errProviderAway.Because(stripe.Explain(err))
	}
	ctx, cancel, err := m.boundCall(ctx, readerID)
	if err != nil {
		return err
	}
	defer cancel()
	h, err := m.fetchLive(ctx, acc, readerID)
	if err != nil {
		return err
	}
	if h.alreadyHas(c) {
		return nil
	}
	if !h.allows(c, ed) {
		return access.ErrState
	}
	if c.Kind == changeSwitch {
		if err := m.checkAmount(ctx, acc, h, c); err != nil {
			return err
		}
	}
	id, err := m.noteChange(ctx, h, c)
	if err != nil {
		return err
	}
	if err := m.settleChange(ctx, id,
		requestChange(ctx, acc, fmt.Sprintf("change:%s:%s:%d", ed.ID, h.ProviderID, id), h, c)); err != nil {
		m.log.WarnContext(ctx, "a subscription was not changed", "edition", ed.ID, "subscription", h.ProviderID, "change",
			c.Kind, "error", err)
		return err
	}
	// It is done; the provider's message brings what this did not.
	if err := m.syncSubscription(ctx, h.ProviderID); err != nil {
		m.log.WarnContext(ctx, "a changed subscription was not fetched", "edition", ed.ID, "subscription",
			h.ProviderID, "error", err)
	}
	m.Access.Forget(readerID)
	return nil
}

func (c Change) check(ed *edition.Edition) error {
	switch c.Kind {
	case changeCancel, changeResume, changeUnpause, changeStay:
		return nil
	case changePause:
		if c.Periods < 1 || c.Periods > maxPause {
			return web.ErrInvalidArgs.On("periods")
		}
		return nil
	case changeSwitch:
		if offer.Active(ed, c.Product) == nil {
			return web.ErrInvalidArgs.On("product_type")
		}
		return nil
	}
	return web.ErrInvalidArgs.On("action")
}

// fetchLive fetches the reader's subscription.
func (m *Module) fetchLive(ctx context.Context, acc *stripe.Account, readerID int64) (liveSubscription, error) {
	s, err := m.findLivePaid(ctx, readerID)
	if err != nil {
		return liveSubscription{}, err
	}
	if s == nil || s.Transfer {
		return liveSubscription{}, access.ErrState
	}
	remote, _, err := m.fetchAndStore(ctx, acc, s.ProviderID, false)
	if err != nil {
		return liveSubscription{}, errProviderAway.Because(stripe.Explain(err))
	}
	if s, err = m.findLivePaid(ctx, readerID); err != nil {
		return liveSubscription{}, err
	}
	if s == nil || s.ProviderID != remote.ID {
		return liveSubscription{}, access.ErrState
	}
	return liveSubscription{*s, remote}, nil
}

// alreadyHas reports whether the subscription is as the change would make it.
func (h liveSubscription) alreadyHas(c Change) bool {
	switch c.Kind {
	case changeCancel:
		return h.CancelAtPeriodEnd
	case changeResume:
		return !h.CancelAtPeriodEnd
	case changeUnpause:
		return !h.Paused
	case changeStay:
		return h.Next == ""
	case changeSwitch:
		return h.Product == c.Product && h.Next == "" || h.Next == c.Product
	}
	return h.Paused
}

// isSettled is a subscription that runs on as it is: paid, and with nothing to come.
func (h liveSubscription) isSettled() bool {
	return h.Status == stripe.Active && !h.CancelAtPeriodEnd && !h.Paused && !h.Uncovered && h.remote.Schedule == ""
}

// allows reports whether the change makes sense for the subscription.
func (h liveSubscription) allows(c Change, ed *edition.Edition) bool {
	switch c.Kind {
	case changePause:
		p := ed.Product(h.Product)
		return h.isSettled() && p != nil && p.Interval.Unit != "year"
	case changeSwitch:
		return h.isSettled()
	}
	return true
}

// noteChange writes down what is about to be asked of the provider. The same request that got no answer is found again.
func (m *Module) noteChange(ctx context.Context, h liveSubscription, c Change) (id int64, err error) {
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := access.LockReader(ctx, tx, h.ReaderID); err != nil {
			return err
		}
		if id, err = findOpenChange(ctx, tx, h.ID, c, tx.Now.Add(-previewTTL)); err != nil || id != 0 {
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

// settleChange notes what the provider said to a change. No answer leaves it open; a failure of the provider does not,
// because the same key would bring the same failure.
func (m *Module) settleChange(ctx context.Context, id int64, callErr error) error {
	if callErr != nil && !stripe.IsRefusal(callErr) {
		return errProviderAway.Because(stripe.Explain(callErr))
	}
	state, answer := "done", (*fault.Error)(nil)
	switch {
	case stripe.IsOutage(callErr):
		state, answer = "lapsed", errProviderAway
	case stripe.IsCardError(callErr):
		state, answer = "refused", access.ErrPaymentFailed
	case callErr != nil:
		state, answer = "refused", access.ErrState
	}
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return closeChange(ctx, tx, id, state) })
	if answer == nil {
		return err
	}
	return errors.Join(answer.Because(stripe.Explain(callErr)), err)
}
