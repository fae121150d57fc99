package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// retryDays are the days after the first failure on which a renewal is tried again.
var retryDays = []int64{3, 5, 7}

const day = int64(24 * time.Hour / time.Second)

// collect finalizes a draft and, where wanted, asks the bank for the money.
func (t *tx) collect(inv *invoice, try, confirmed bool) error {
	if t.preview {
		return nil
	}
	t.finalize(inv)
	if inv.Status != invoiceOpen || !try {
		return nil
	}
	return t.try(inv, confirmed)
}

// finalize numbers a draft and opens it; one with nothing to pay is paid at once.
func (t *tx) finalize(inv *invoice) {
	cu := load[customer](t, inv.Customer)
	inv.StartingBalance = cu.Balance
	inv.add()
	ending := inv.StartingBalance + inv.Total - inv.AmountDue
	cu.Balance, inv.EndingBalance = ending, &ending
	if cu.Currency == "" {
		cu.Currency = text(inv.Currency)
	}
	inv.Number = text(fmt.Sprintf("%s-%04d", cu.InvoicePrefix, cu.NextInvoice))
	cu.NextInvoice++
	now := number(t.now.Unix())
	inv.Status, inv.Transitions.Finalized, inv.EffectiveAt = invoiceOpen, now, now
	inv.HostedURL = text(t.site() + hostedPath + "invoice/" + inv.ID + "/" + inv.Private.Secret)
	inv.Private.FinalizeAt = 0
	if inv.AmountDue > 0 {
		pi := t.newIntent(inv.AmountDue, inv.Currency, inv.Customer)
		pi.Invoice, pi.Description = text(inv.ID), map[string]text{
			becauseCreated: "Subscription creation",
			becauseCycle:   "Subscription update",
		}[inv.BillingReason]
		pi.SetupFuture = "off_session"
		inv.PaymentIntent = text(pi.ID)
		t.tell("invoice.finalized", inv)
		t.tell("payment_intent.created", pi)
		if s := load[subscription](t, inv.Subscription); s != nil {
			s.Private.Open = append(s.Private.Open, text(inv.ID))
		}
		return
	}
	t.tell("invoice.finalized", inv)
	t.settleInvoice(inv)
}

// try is an attempt that the sandbox makes by itself, and plans the next one.
func (t *tx) try(inv *invoice, confirmed bool) error {
	m, err := t.methodFor(inv, "")
	if err == nil {
		err = t.pay(inv, m, confirmed)
	} else {
		pi := load[paymentIntent](t, inv.PaymentIntent)
		inv.Attempted, pi.Status = true, intentNeedsMethod
		t.paymentFailed(inv)
	}
	if inv.Paid {
		return err
	}
	inv.AttemptCount++
	if inv.Private.FirstAttempt == 0 {
		inv.Private.FirstAttempt = t.now.Unix()
	}
	inv.NextAttempt = 0
	s := load[subscription](t, inv.Subscription)
	if s == nil || s.ended() || s.Status == statusIncomplete {
		return err
	}
	switch {
	case inv.AttemptCount <= len(retryDays):
		inv.NextAttempt = number(inv.Private.FirstAttempt + retryDays[inv.AttemptCount-1]*day)
		s.Status = statusPastDue
	case t.acc.box.opts.AfterRetries == statusCanceled:
		t.endSubscription(s, "payment_failed")
		return err
	default:
		s.Status = statusUnpaid
	}
	t.tell("customer.subscription.updated", s)
	return err
}

// methodFor finds the card that an invoice is paid with.
func (t *tx) methodFor(inv *invoice, chosen string) (*paymentMethod, error) {
	if chosen != "" {
		m, err := t.method(chosen)
		if err != nil {
			return nil, err
		}
		if m.Customer != "" && m.Customer != inv.Customer {
			return nil, invalid("payment_method", "The payment method %s belongs to another customer.", m.ID)
		}
		return m, nil
	}
	candidates := []text{inv.DefaultMethod}
	if s := load[subscription](t, inv.Subscription); s != nil {
		candidates = append(candidates, s.DefaultMethod)
	}
	if cu := load[customer](t, inv.Customer); cu != nil {
		candidates = append(candidates, cu.InvoiceSettings.DefaultMethod)
	}
	for _, id := range candidates {
		if m := load[paymentMethod](t, id); m != nil {
			return m, nil
		}
	}
	return nil, invalid("", "The customer has no default payment method; send one to pay the invoice.").coded("missing")
}

// pay asks the bank once. Without an error the invoice is paid, or waits for the holder to confirm.
func (t *tx) pay(inv *invoice, m *paymentMethod, confirmed bool) error {
	inv.Attempted = true
	pi := load[paymentIntent](t, inv.PaymentIntent)
	err := t.attempt(pi, m, confirmed)
	switch {
	case err != nil:
		t.paymentFailed(inv)
		return err
	case pi.Status == intentNeedsAction:
		pi.NextAction.Redirect.ReturnURL = inv.HostedURL
		t.paymentFailed(inv)
		t.tell("invoice.payment_action_required", inv)
	default:
		inv.Charge = pi.LatestCharge
		t.settleInvoice(inv)
	}
	return nil
}

func (t *tx) paymentFailed(inv *invoice) {
	if cu := load[customer](t, inv.Customer); cu != nil && inv.BillingReason != becauseCreated {
		cu.Delinquent = true
	}
	t.tell("invoice.payment_failed", inv)
}

// settleInvoice books an invoice as paid and lets its subscription follow.
func (t *tx) settleInvoice(inv *invoice) {
	inv.Status, inv.Paid, inv.Attempted = invoicePaid, true, true
	inv.AmountPaid, inv.AmountRemaining, inv.NextAttempt = inv.AmountDue, 0, 0
	inv.Transitions.Paid = number(t.now.Unix())
	t.tell("invoice.paid", inv)
	t.tell("invoice.payment_succeeded", inv)
	s := load[subscription](t, inv.Subscription)
	if s == nil {
		return
	}
	if s.PaymentSettings.SaveDefault == "on_subscription" {
		if pi := load[paymentIntent](t, inv.PaymentIntent); pi != nil {
			s.DefaultMethod = pi.Method
		}
	}
	t.closeInvoice(s, inv)
}

// closeInvoice takes an invoice off what the subscription owes.
func (t *tx) closeInvoice(s *subscription, inv *invoice) {
	s.Private.Open = slices.DeleteFunc(s.Private.Open, func(id text) bool { return id == text(inv.ID) })
	switch s.Status {
	case statusIncomplete:
		s.Status = statusActive
	case statusPastDue, statusUnpaid:
		if len(s.Private.Open) > 0 && s.LatestInvoice != text(inv.ID) {
			return
		}
		s.Status = statusActive
		if cu := load[customer](t, s.Customer); cu != nil {
			cu.Delinquent = false
		}
	default:
		return
	}
	t.tell("customer.subscription.updated", s)
}

func (inv *invoice) dueAt() int64 {
	if inv.Status == invoiceDraft && inv.AutoAdvance {
		return inv.Private.FinalizeAt
	}
	if inv.Status == invoiceOpen && inv.AutoAdvance {
		return int64(inv.NextAttempt)
	}
	return 0
}

func (*invoice) rank() int { return 2 }

func (inv *invoice) fallDue(t *tx) {
	if inv.Status == invoiceDraft {
		_ = t.collect(inv, true, false) // the outcome is in the invoice's state
		return
	}
	_ = t.try(inv, false)
}

func finalizeInvoice(t *tx, c *call) (any, error) {
	inv, err := pick[invoice](t, c)
	if err != nil {
		return nil, err
	}
	if inv.Status != invoiceDraft {
		return nil, wrongState("invoice_not_editable", "The invoice %s is %s, not a draft.", inv.ID, inv.Status)
	}
	c.flag("auto_advance", &inv.AutoAdvance)
	t.finalize(inv)
	return inv, nil
}

func payInvoice(t *tx, c *call) (any, error) {
	inv, err := pick[invoice](t, c)
	if err != nil {
		return nil, err
	}
	switch inv.Status {
	case invoiceDraft:
		t.finalize(inv)
	case invoicePaid:
		return nil, wrongState("invoice_already_paid", "The invoice %s is already paid.", inv.ID)
	}
	if inv.Status != invoiceOpen && inv.Status != invoiceUncollectible {
		return inv, nil
	}
	c.flag("paid_out_of_band", &inv.PaidOutOfBand)
	var offSession bool
	c.flag("off_session", &offSession)
	chosen := c.str("payment_method")
	if err := c.err(); err != nil {
		return nil, err
	}
	if inv.PaidOutOfBand {
		if pi := load[paymentIntent](t, inv.PaymentIntent); pi != nil {
			t.cancelPayment(pi)
		}
		t.settleInvoice(inv)
		return inv, nil
	}
	m, err := t.methodFor(inv, chosen)
	if err != nil {
		return nil, err
	}
	if err := t.pay(inv, m, false); err != nil {
		return nil, err
	}
	if !inv.Paid {
		e := &apiError{
			Status: 402, Type: "card_error", Code: "invoice_payment_intent_requires_action",
			Message: "This payment requires the customer to confirm it on the hosted page of the invoice.", keep: true,
		}
		e.PaymentIntent = t.render(load[paymentIntent](t, inv.PaymentIntent))
		return nil, e
	}
	return inv, nil
}

func voidInvoice(t *tx, c *call) (any, error) {
	inv, err := pick[invoice](t, c)
	if err != nil {
		return nil, err
	}
	if inv.Status != invoiceOpen && inv.Status != invoiceUncollectible {
		return nil, wrongState("", "The invoice %s is %s; only open and uncollectible ones can be voided.",
			inv.ID, inv.Status)
	}
	t.void(inv)
	return inv, nil
}

// void calls an invoice off; a subscription that never started ends with it.
func (t *tx) void(inv *invoice) {
	inv.Status, inv.NextAttempt, inv.AutoAdvance = invoiceVoid, 0, false
	inv.Transitions.Voided = number(t.now.Unix())
	if pi := load[paymentIntent](t, inv.PaymentIntent); pi != nil && pi.Status != intentSucceeded {
		t.cancelPayment(pi)
	}
	t.tell("invoice.voided", inv)
	s := load[subscription](t, inv.Subscription)
	if s == nil {
		return
	}
	if s.Status == statusIncomplete {
		s.Status, s.EndedAt = statusIncompleteExpired, number(t.now.Unix())
		t.tell("customer.subscription.updated", s)
		return
	}
	t.closeInvoice(s, inv)
}

func markUncollectible(t *tx, c *call) (any, error) {
	inv, err := pick[invoice](t, c)
	if err != nil {
		return nil, err
	}
	if inv.Status != invoiceOpen {
		return nil, wrongState("", "The invoice %s is %s, not open.", inv.ID, inv.Status)
	}
	t.writeOff(inv)
	return inv, nil
}

func (t *tx) writeOff(inv *invoice) {
	inv.Status, inv.NextAttempt, inv.AutoAdvance = invoiceUncollectible, 0, false
	inv.Transitions.Uncollectible = number(t.now.Unix())
	t.tell("invoice.marked_uncollectible", inv)
}

// asCardError tells a refused payment from what must not be passed over.
func asCardError(err error) *apiError {
	var e *apiError
	if errors.As(err, &e) && e.Type == "card_error" {
		return e
	}
	return nil
}
