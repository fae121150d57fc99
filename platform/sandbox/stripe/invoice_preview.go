package sandbox

import (
	"net/http"
	"time"
)

func (t *tx) moveTo(at int64) { t.now = time.Unix(at, 0).UTC() }

// upcomingInvoice shows the next invoice of a subscription, or the one that a change would bring about.
func upcomingInvoice(t *tx, c *call) (any, error) {
	t.preview = true
	s, err := t.upcomingSubscription(c)
	if err != nil {
		return nil, err
	}
	if c.has("subscription_cancel_at_period_end") {
		var end bool
		c.flag("subscription_cancel_at_period_end", &end)
		s.planEnd(end, number(s.PeriodEnd), t.now.Unix())
	}
	if d := t.readDiscount(c.params, load[customer](t, s.Customer)); d != nil {
		s.Discount = d
	}
	ch := t.readChange(c.params, "subscription_")
	end, moved := c.instant("subscription_trial_end", t.now.Unix())
	if err := c.err(); err != nil {
		return nil, err
	}
	before := s.LatestInvoice
	if moved {
		err = t.moveTrial(s, end)
	}
	if err == nil && (len(ch.asks) > 0 || ch.restart) {
		err = t.apply(s, ch)
	}
	if err != nil {
		return nil, err
	}
	inv := load[invoice](t, s.LatestInvoice)
	if s.LatestInvoice == before {
		inv = t.nextInvoice(s)
	}
	if inv == nil {
		e := invalid("", "No upcoming invoices for customer: %s", s.Customer).coded("invoice_upcoming_none")
		e.Status = http.StatusNotFound
		return nil, e
	}
	return t.asUpcoming(inv), nil
}

// asUpcoming is a preview: it has no id yet, and its reason says what it is.
func (t *tx) asUpcoming(inv *invoice) map[string]any {
	inv.NextAttempt = number(t.now.Unix() + 3600)
	if inv.BillingReason == becauseCycle {
		inv.BillingReason = "upcoming"
	}
	shown := t.render(inv)
	delete(shown, "id")
	return shown
}

func (t *tx) upcomingSubscription(c *call) (*subscription, error) {
	if s := find[subscription](t, c.params, "subscription"); s != nil {
		if id := c.str("customer"); id != "" && s.Customer != text(id) {
			return nil, invalid("subscription", "The subscription %s is not one of the customer %s.", s.ID, id)
		}
		return s, nil
	}
	sc := find[schedule](t, c.params, "schedule")
	if sc != nil {
		return load[subscription](t, sc.Subscription), nil
	}
	cu, err := t.livingCustomer(c.need("customer"), "customer")
	if bad := c.err(); bad != nil {
		return nil, bad
	}
	if err != nil {
		return nil, err
	}
	for _, s := range all[subscription](t) {
		if s.Customer == text(cu.ID) && !s.ended() && s.Status != statusIncomplete {
			return s, nil
		}
	}
	e := invalid("", "No upcoming invoices for customer: %s", cu.ID).coded("invoice_upcoming_none")
	e.Status = http.StatusNotFound
	return nil, e
}

// announce sends the event of the next invoice before it is written.
func (t *tx) announce(s *subscription) {
	scratch := t.acc.begin(t.now, origin{})
	scratch.preview = true
	inv := scratch.nextInvoice(load[subscription](scratch, text(s.ID)))
	if inv == nil {
		return
	}
	t.tellShown("invoice.upcoming", "", scratch.asUpcoming(inv))
}
