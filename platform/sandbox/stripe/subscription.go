package sandbox

import "time"

// The states of a subscription.
const (
	statusIncomplete        = "incomplete"
	statusIncompleteExpired = "incomplete_expired"
	statusTrialing          = "trialing"
	statusActive            = "active"
	statusPastDue           = "past_due"
	statusUnpaid            = "unpaid"
	statusPaused            = "paused"
	statusCanceled          = "canceled"
)

// subscription bills its items in every period until it ends.
type subscription struct {
	Meta
	Application       nothing                  `json:"application"`
	AutomaticTax      automaticTax             `json:"automatic_tax"`
	Anchor            int64                    `json:"billing_cycle_anchor"`
	CancelAt          number                   `json:"cancel_at"`
	CancelAtPeriodEnd bool                     `json:"cancel_at_period_end"`
	CanceledAt        number                   `json:"canceled_at"`
	Cancellation      cancellation             `json:"cancellation_details"`
	CollectionMethod  string                   `json:"collection_method"`
	Currency          string                   `json:"currency"`
	PeriodEnd         int64                    `json:"current_period_end"`
	PeriodStart       int64                    `json:"current_period_start"`
	Customer          text                     `json:"customer"`
	DaysUntilDue      nothing                  `json:"days_until_due"`
	DefaultMethod     text                     `json:"default_payment_method"`
	DefaultSource     nothing                  `json:"default_source"`
	DefaultTaxRates   []string                 `json:"default_tax_rates"`
	Description       text                     `json:"description"`
	Discount          *discount                `json:"discount"`
	EndedAt           number                   `json:"ended_at"`
	Items             listOf[subscriptionItem] `json:"items"`
	LatestInvoice     text                     `json:"latest_invoice"`
	Metadata          map[string]string        `json:"metadata"`
	PauseCollection   *pauseCollection         `json:"pause_collection"`
	PaymentSettings   paymentSettings          `json:"payment_settings"`
	PendingSetup      text                     `json:"pending_setup_intent"`
	PendingUpdate     nothing                  `json:"pending_update"`
	Schedule          text                     `json:"schedule"`
	StartDate         int64                    `json:"start_date"`
	Status            string                   `json:"status"`
	TestClock         nothing                  `json:"test_clock"`
	TrialEnd          number                   `json:"trial_end"`
	TrialSettings     trialSettings            `json:"trial_settings"`
	TrialStart        number                   `json:"trial_start"`
	Private           struct {
		Pending []text `json:"pending,omitempty"` // invoice items for the next invoice
		Open    []text `json:"open,omitempty"`    // invoices that are not paid
		// By item: what its current period costs after discounts.
		Billed       map[string]int64 `json:"billed,omitempty"`
		UpcomingTold int64            `json:"upcoming_told,omitempty"` // the period's end that invoice.upcoming announced
		TrialTold    bool             `json:"trial_told,omitempty"`
	} `json:"_private"`
}

type cancellation struct {
	Comment  text `json:"comment"`
	Feedback text `json:"feedback"`
	Reason   text `json:"reason"`
}

type pauseCollection struct {
	Behavior  string `json:"behavior"`
	ResumesAt number `json:"resumes_at"`
}

type paymentSettings struct {
	Options     nothing `json:"payment_method_options"`
	MethodTypes nothing `json:"payment_method_types"`
	SaveDefault string  `json:"save_default_payment_method"`
}

type trialSettings struct {
	EndBehavior struct {
		MissingMethod string `json:"missing_payment_method"`
	} `json:"end_behavior"`
}

// subscriptionItem is one price within a subscription.
type subscriptionItem struct {
	ID           string            `json:"id"`
	Object       string            `json:"object"`
	Created      int64             `json:"created"`
	Metadata     map[string]string `json:"metadata"`
	Price        string            `json:"price"`
	Quantity     int64             `json:"quantity"`
	Subscription string            `json:"subscription"`
	TaxRates     []string          `json:"tax_rates"`
}

func (*subscription) kind() string { return "subscription" }

func (s *subscription) ended() bool {
	return s.Status == statusCanceled || s.Status == statusIncompleteExpired
}

// subscriptionStatus filters a list as the API does: without a status, everything that has not been canceled.
func subscriptionStatus(object map[string]any, p params) bool {
	have, _ := object["status"].(string)
	if p.has("price") {
		found := false
		for _, item := range dig(object, "items.data").([]any) {
			found = found || dig(item, "price.id") == p.str("price")
		}
		if !found {
			return false
		}
	}
	ends, starts := p.span("current_period_end"), p.span("current_period_start")
	var end, start int64
	if n, ok := object["current_period_end"].(interface{ Int64() (int64, error) }); ok {
		end, _ = n.Int64()
	}
	if n, ok := object["current_period_start"].(interface{ Int64() (int64, error) }); ok {
		start, _ = n.Int64()
	}
	if !ends.holds(end) || !starts.holds(start) {
		return false
	}
	switch want := p.str("status"); want {
	case "":
		return have != statusCanceled
	case "all":
		return true
	case "ended":
		return have == statusCanceled || have == statusIncompleteExpired
	default:
		return have == want
	}
}

// newSubscription is one with its items, before it has begun.
func (t *tx) newSubscription(cu *customer, asks []itemAsk) (*subscription, error) {
	s := &subscription{
		CollectionMethod: "charge_automatically", Customer: text(cu.ID), DefaultTaxRates: []string{},
		Metadata:        map[string]string{},
		PaymentSettings: paymentSettings{SaveDefault: "off"}, StartDate: t.now.Unix(), Status: statusIncomplete,
	}
	s.TrialSettings.EndBehavior.MissingMethod = "create_invoice"
	add(t, "sub_", s)
	s.Items = newList[subscriptionItem]("/v1/subscription_items?subscription="+s.ID, nil)
	if len(asks) == 0 {
		return nil, invalid("items", "Missing required param: items.").coded("parameter_missing")
	}
	for _, ask := range asks {
		if err := t.addItem(s, ask); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// rhythm is that of all the items.
func (t *tx) rhythmOf(s *subscription) *recurring {
	return load[price](t, text(s.Items.Data[0].Price)).Recurring
}

// begin starts a subscription: it sets the first period and writes the first invoice. With try, the money is asked for.
func (t *tx) begin(s *subscription, trialEnd int64, try, confirmed bool) error {
	now := t.now.Unix()
	s.PeriodStart, s.Anchor = now, now
	if trialEnd > now {
		s.Status, s.TrialStart, s.TrialEnd = statusTrialing, number(now), number(trialEnd)
		s.Anchor, s.PeriodEnd = trialEnd, trialEnd
	} else {
		s.PeriodEnd = t.rhythmOf(s).next(s.Anchor, now)
	}
	t.tell("customer.subscription.created", s)
	return t.collect(t.bill(s, becauseCreated, &period{Start: s.PeriodStart, End: s.PeriodEnd}), try, confirmed)
}

func createSubscription(t *tx, c *call) (any, error) {
	cu, err := t.livingCustomer(c.need("customer"), "customer")
	if c.err() != nil || err != nil {
		return nil, err
	}
	asks := t.readItems(c.params, "items")
	if err := c.err(); err != nil {
		return nil, err
	}
	s, err := t.newSubscription(cu, asks)
	if err != nil {
		return nil, err
	}
	behavior := "allow_incomplete"
	c.choice("payment_behavior", &behavior, "allow_incomplete", "default_incomplete", "error_if_incomplete")
	if err := t.readSubscription(s, c.params, cu); err != nil {
		return nil, err
	}
	if cents, ok := c.currencyOf(s.Currency); !ok {
		return nil, invalid("currency", "The price specified only supports `%s`. This doesn't match the expected currency: "+
			"`%s`.", s.Currency, cents)
	}
	err = t.begin(s, t.readTrial(c.params), behavior != "default_incomplete", false)
	if e := asCardError(err); e != nil && behavior != "error_if_incomplete" {
		return s, c.err()
	} else if e != nil {
		e.keep = false
		return nil, e
	}
	return s, err
}

func (p params) currencyOf(have string) (sent string, same bool) {
	sent = p.str("currency")
	return sent, sent == "" || sent == have
}

// readTrial is when the trial ends, or 0.
func (t *tx) readTrial(p params) int64 {
	days, _ := p.whole("trial_period_days")
	end, sent := p.instant("trial_end", t.now.Unix())
	switch {
	case sent && days > 0:
		p.refuse(invalid("trial_end", "Only one of trial_end and trial_period_days can be sent"))
	case days > 730 || days < 0:
		p.refuse(invalid("trial_period_days", "Invalid trial_period_days: between 1 and 730"))
	case days > 0:
		return t.now.AddDate(0, 0, int(days)).Unix()
	}
	return end
}

// readSubscription sets what creation and update have in common.
func (t *tx) readSubscription(s *subscription, p params, cu *customer) error {
	p.metadata(&s.Metadata)
	p.text("description", &s.Description)
	p.only("collection_method", "charge_automatically")
	p.text("default_payment_method", &s.DefaultMethod)
	var offSession bool
	p.flag("off_session", &offSession)
	if ps, ok := p.sub("payment_settings"); ok {
		ps.choice("save_default_payment_method", &s.PaymentSettings.SaveDefault, "off", "on_subscription")
		ps.strings("payment_method_types")
	}
	if ts, ok := p.sub("trial_settings"); ok {
		if eb, ok := ts.sub("end_behavior"); ok {
			eb.choice("missing_payment_method", &s.TrialSettings.EndBehavior.MissingMethod, "create_invoice", "cancel", "pause")
		}
	}
	if p.has("coupon") && p.str("coupon") == "" || p.has("discounts") && len(p.list("discounts")) == 0 {
		s.Discount = nil
	}
	if d := t.readDiscount(p, cu); d != nil {
		d.Subscription = text(s.ID)
		s.Discount = d
	}
	if err := t.readCancellation(s, p); err != nil {
		return err
	}
	if p.has("default_payment_method") && s.DefaultMethod != "" {
		return t.checkMethod(string(s.DefaultMethod), cu)
	}
	return p.err()
}

// readCancellation plans the end of a subscription, or takes the plan back.
func (t *tx) readCancellation(s *subscription, p params) error {
	if (p.has("cancel_at_period_end") || p.has("cancel_at")) && s.Schedule != "" {
		return invalid("", "The subscription %s is managed by the subscription schedule %s: change when it ends there, or "+
			"release the schedule first.", s.ID, s.Schedule)
	}
	now := t.now.Unix()
	if p.has("cancel_at_period_end") {
		p.flag("cancel_at_period_end", &s.CancelAtPeriodEnd)
		s.planEnd(s.CancelAtPeriodEnd, number(s.PeriodEnd), now)
	}
	if p.has("cancel_at") {
		at, _ := p.whole("cancel_at")
		if at != 0 && at <= now {
			return invalid("cancel_at", "The cancel_at timestamp is not in the future: %d", at)
		}
		s.CancelAtPeriodEnd = false
		s.planEnd(at != 0, number(at), now)
	}
	if d, ok := p.sub("cancellation_details"); ok {
		d.text("comment", &s.Cancellation.Comment)
		d.text("feedback", &s.Cancellation.Feedback)
	}
	return nil
}

func (s *subscription) planEnd(end bool, at number, now int64) {
	if !end {
		s.CancelAt, s.CanceledAt, s.Cancellation.Reason = 0, 0, ""
		return
	}
	s.CancelAt, s.CanceledAt, s.Cancellation.Reason = at, number(now), "cancellation_requested"
}

// cancelSubscription ends it now.
func cancelSubscription(t *tx, c *call) (any, error) {
	s, err := pick[subscription](t, c)
	if err != nil || s.ended() {
		return nil, missing("subscription", string(c.id), "id")
	}
	var invoiceNow, prorate bool
	c.flag("invoice_now", &invoiceNow)
	c.flag("prorate", &prorate)
	if d, ok := c.sub("cancellation_details"); ok {
		d.text("comment", &s.Cancellation.Comment)
		d.text("feedback", &s.Cancellation.Feedback)
	}
	if prorate {
		for _, item := range s.Items.Data {
			t.credit(s, item, t.now.Unix())
		}
	}
	if invoiceNow && len(s.Private.Pending) > 0 {
		if err := t.collect(t.bill(s, becauseUpdated, nil), true, false); err != nil && asCardError(err) == nil {
			return nil, err
		}
	}
	t.endSubscription(s, "cancellation_requested")
	return s, nil
}

// endSubscription ends a subscription and what belongs to it; open invoices stay, but nobody collects them any more.
func (t *tx) endSubscription(s *subscription, reason text) {
	now := number(t.now.Unix())
	s.Status, s.EndedAt = statusCanceled, now
	if s.CanceledAt == 0 {
		s.CanceledAt = now
	}
	s.CancelAtPeriodEnd = s.CancelAtPeriodEnd && int64(s.CancelAt) == t.now.Unix()
	s.Cancellation.Reason = reason
	for _, id := range s.Private.Open {
		if inv := load[invoice](t, id); inv != nil {
			inv.AutoAdvance, inv.NextAttempt = false, 0
		}
	}
	if sc := load[schedule](t, s.Schedule); sc != nil && sc.Status == scheduleActive {
		t.stopSchedule(sc, s)
	}
	t.tell("customer.subscription.deleted", s)
}

// firstPayment is how long a subscription waits for its first payment.
const firstPayment = 23 * time.Hour
