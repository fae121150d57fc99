package sandbox

import (
	"net/http"
	"time"
)

func updateSubscription(t *tx, c *call) (any, error) {
	s, err := pick[subscription](t, c)
	if err != nil {
		return nil, err
	}
	if s.ended() {
		return nil, wrongState("", "The subscription %s has ended and cannot be changed.", s.ID)
	}
	cu, before := load[customer](t, s.Customer), s.LatestInvoice
	if err := t.readSubscription(s, c.params, cu); err != nil {
		return nil, err
	}
	behavior := "allow_incomplete"
	c.choice("payment_behavior", &behavior, "allow_incomplete", "error_if_incomplete")
	if c.has("pause_collection") {
		readPause(s, c.params)
	}
	ch := t.readChange(c.params, "")
	end, moved := c.instant("trial_end", t.now.Unix())
	if err := c.err(); err != nil {
		return nil, err
	}
	if moved {
		if err := trialFits(s, end); err != nil {
			return nil, err
		}
		err = t.moveTrial(s, end)
	}
	if err == nil && (len(ch.asks) > 0 || ch.restart) {
		err = t.apply(s, ch)
	}
	if err == nil && behavior == "error_if_incomplete" {
		err = t.asksHolder(before, s)
	}
	if e := asCardError(err); e != nil {
		if behavior == "error_if_incomplete" {
			e.keep = false
			return nil, e
		}
		err = nil // the subscription says what happened to it
	}
	t.tell("customer.subscription.updated", s)
	return s, err
}

// asksHolder is the error that the bank wants the holder to confirm what a change costs; nil where it does not.
func (t *tx) asksHolder(before text, s *subscription) error {
	inv := load[invoice](t, s.LatestInvoice)
	if s.LatestInvoice == before || inv == nil || inv.Status != invoiceOpen {
		return nil
	}
	e := &apiError{
		Status: http.StatusPaymentRequired, Type: "card_error",
		Code: "subscription_payment_intent_requires_action", Message: "The holder of the card has to confirm this payment; " +
			"the subscription was not changed.",
	}
	e.PaymentIntent = t.render(load[paymentIntent](t, inv.PaymentIntent))
	return e
}

func readPause(s *subscription, p params) {
	q, ok := p.sub("pause_collection")
	if !ok {
		s.PauseCollection = nil
		return
	}
	if s.PauseCollection == nil {
		s.PauseCollection = &pauseCollection{}
	}
	q.need("behavior")
	q.choice("behavior", &s.PauseCollection.Behavior, "keep_as_draft", "mark_uncollectible", "void")
	q.number("resumes_at", &s.PauseCollection.ResumesAt)
}

// trialFits refuses an end that is too far from the anchor of the periods.
func trialFits(s *subscription, end int64) error {
	if time.Unix(end, 0).After(time.Unix(s.Anchor, 0).UTC().AddDate(2, 0, 0)) {
		return invalid("trial_end", "Invalid timestamp: trial_end can be at most two years from the billing_cycle_anchor.")
	}
	return nil
}

// moveTrial ends the trial now or at another time; the period follows.
func (t *tx) moveTrial(s *subscription, end int64) error {
	now := t.now.Unix()
	if end > now {
		if s.Status != statusTrialing {
			s.TrialStart = number(now)
		}
		s.Status, s.TrialEnd, s.Anchor, s.PeriodEnd = statusTrialing, number(end), end, end
		s.Private.TrialTold = false
		return nil
	}
	if s.Status != statusTrialing {
		return nil
	}
	s.TrialEnd, s.PeriodEnd, s.Anchor = number(now), now, now
	return t.renew(s)
}
