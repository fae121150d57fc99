package sandbox

// The states of a schedule.
const (
	scheduleActive    = "active"
	scheduleCompleted = "completed"
	scheduleReleased  = "released"
	scheduleCanceled  = "canceled"
)

// schedule leads a subscription through phases with other prices.
type schedule struct {
	Meta
	Application  nothing           `json:"application"`
	CanceledAt   number            `json:"canceled_at"`
	CompletedAt  number            `json:"completed_at"`
	CurrentPhase *phaseSpan        `json:"current_phase"`
	Customer     text              `json:"customer"`
	Defaults     scheduleDefaults  `json:"default_settings"`
	EndBehavior  string            `json:"end_behavior"`
	Metadata     map[string]string `json:"metadata"`
	Phases       []phase           `json:"phases"`
	ReleasedAt   number            `json:"released_at"`
	Released     text              `json:"released_subscription"`
	Status       string            `json:"status"`
	Subscription text              `json:"subscription"`
	TestClock    nothing           `json:"test_clock"`
	Private      struct {
		Resume *resumption `json:"resume,omitempty"`
	} `json:"_private"`
}

// resumption is what a schedule was before its customer cancelled in the portal.
type resumption struct {
	Phases      []phase `json:"phases"`
	EndBehavior string  `json:"end_behavior"`
}

type scheduleDefaults struct {
	AutomaticTax  automaticTax `json:"automatic_tax"`
	Anchor        string       `json:"billing_cycle_anchor"`
	Collection    string       `json:"collection_method"`
	DefaultMethod text         `json:"default_payment_method"`
	Description   text         `json:"description"`
}

type phaseSpan struct {
	End   int64 `json:"end_date"`
	Start int64 `json:"start_date"`
}

// phase is one stretch of a schedule. Its end is the next one's start.
type phase struct {
	AddItems      []string          `json:"add_invoice_items"`
	Anchor        nothing           `json:"billing_cycle_anchor"`
	Collection    nothing           `json:"collection_method"`
	Coupon        text              `json:"coupon"`
	Currency      string            `json:"currency"`
	DefaultMethod text              `json:"default_payment_method"`
	DefaultTax    []string          `json:"default_tax_rates"`
	Description   text              `json:"description"`
	End           int64             `json:"end_date"`
	Items         []phaseItem       `json:"items"`
	Metadata      map[string]string `json:"metadata"`
	Proration     string            `json:"proration_behavior"`
	Start         int64             `json:"start_date"`
	TrialEnd      number            `json:"trial_end"`
}

type phaseItem struct {
	Metadata map[string]string `json:"metadata"`
	Price    string            `json:"price"`
	Quantity int64             `json:"quantity"`
	TaxRates []string          `json:"tax_rates"`
}

func (*schedule) kind() string { return "schedule" }
func (*schedule) rank() int    { return 0 }

func (sc *schedule) dueAt() int64 {
	if sc.Status != scheduleActive {
		return 0
	}
	return sc.CurrentPhase.End
}

// fallDue enters the next phase, or ends the schedule after the last.
func (sc *schedule) fallDue(t *tx) {
	s := load[subscription](t, sc.Subscription)
	for i, p := range sc.Phases {
		if p.Start == sc.CurrentPhase.Start && i+1 < len(sc.Phases) {
			t.enter(sc, s, sc.Phases[i+1])
			return
		}
	}
	now := number(t.now.Unix())
	if sc.EndBehavior == "cancel" {
		sc.Status, sc.CompletedAt, sc.CurrentPhase = scheduleCompleted, now, nil
		t.tell("subscription_schedule.completed", sc)
		t.endSubscription(s, "cancellation_requested")
		return
	}
	t.release(sc, s)
}

// enter starts a phase: the subscription gets its prices and discount.
func (t *tx) enter(sc *schedule, s *subscription, p phase) {
	sc.CurrentPhase = &phaseSpan{Start: p.Start, End: p.End}
	t.tell("subscription_schedule.updated", sc)
	if err := t.follow(s, p); err != nil && asCardError(err) == nil {
		t.acc.box.log.Error("payment sandbox: phase of a schedule not applied", "schedule", sc.ID, "error", err)
	}
	t.tell("customer.subscription.updated", s)
}

// follow gives a subscription what a phase says.
func (t *tx) follow(s *subscription, p phase) error {
	mergeMetadata(&s.Metadata, p.Metadata)
	if p.DefaultMethod != "" {
		s.DefaultMethod = p.DefaultMethod
	}
	if p.Description != "" {
		s.Description = p.Description
	}
	if p.Coupon == "" {
		s.Discount = nil
	} else if s.Discount == nil || s.Discount.Coupon != string(p.Coupon) {
		s.Discount = t.redeem(load[coupon](t, p.Coupon), nil, load[customer](t, s.Customer))
		s.Discount.Subscription = text(s.ID)
	}
	return t.apply(s, change{asks: p.asks(s), proration: p.Proration, at: t.now.Unix()})
}

// asks turns the items of a phase into changes of the subscription's.
func (p phase) asks(s *subscription) []itemAsk {
	var asks []itemAsk
	for i, item := range p.Items {
		ask := itemAsk{Price: item.Price, Quantity: item.Quantity, Metadata: item.Metadata}
		if i < len(s.Items.Data) {
			ask.ID = s.Items.Data[i].ID
		}
		asks = append(asks, ask)
	}
	for i := len(p.Items); i < len(s.Items.Data); i++ {
		asks = append(asks, itemAsk{ID: s.Items.Data[i].ID, Deleted: true})
	}
	return asks
}

func createSchedule(t *tx, c *call) (any, error) {
	c.need("from_subscription")
	s := find[subscription](t, c.params, "from_subscription")
	if s == nil {
		return nil, c.err()
	}
	if c.has("phases") || c.has("start_date") || c.has("end_behavior") {
		return nil, invalid("from_subscription", "With from_subscription nothing else can be set: create the schedule, "+
			"then update it.")
	}
	if s.ended() || s.Schedule != "" {
		return nil, invalid("from_subscription", "The subscription %s has ended or already has a schedule.", s.ID)
	}
	sc := &schedule{
		Customer: s.Customer, EndBehavior: "release", Status: scheduleActive, Subscription: text(s.ID),
		CurrentPhase: &phaseSpan{Start: s.PeriodStart, End: s.PeriodEnd},
		Defaults:     scheduleDefaults{Anchor: "automatic", Collection: s.CollectionMethod, DefaultMethod: s.DefaultMethod},
	}
	c.metadata(&sc.Metadata)
	first := phase{
		AddItems: []string{}, Currency: s.Currency, DefaultTax: []string{}, Start: s.PeriodStart,
		End: s.PeriodEnd, Metadata: map[string]string{}, Proration: "create_prorations", TrialEnd: s.TrialEnd,
	}
	if s.Discount != nil {
		first.Coupon = text(s.Discount.Coupon)
	}
	for _, item := range s.Items.Data {
		first.Items = append(first.Items,
			phaseItem{Metadata: map[string]string{}, Price: item.Price, Quantity: item.Quantity, TaxRates: []string{}})
	}
	sc.Phases = []phase{first}
	if s.CancelAt > 0 {
		sc.EndBehavior = "cancel"
	}
	add(t, "sub_sched_", sc)
	s.Schedule = text(sc.ID)
	t.tell("subscription_schedule.created", sc)
	t.tell("customer.subscription.updated", s)
	return sc, nil
}

func (t *tx) activeSchedule(c *call) (*schedule, *subscription, error) {
	sc, err := pick[schedule](t, c)
	if err != nil {
		return nil, nil, err
	}
	if sc.Status != scheduleActive {
		return nil, nil, wrongState("", "The subscription schedule %s is %s and cannot be changed any more.",
			sc.ID, sc.Status)
	}
	return sc, load[subscription](t, sc.Subscription), nil
}

func releaseSchedule(t *tx, c *call) (any, error) {
	sc, s, err := t.activeSchedule(c)
	if err != nil {
		return nil, err
	}
	var keepDate bool
	c.flag("preserve_cancel_date", &keepDate)
	if !keepDate && s.CancelAt > 0 {
		s.planEnd(false, 0, 0)
	}
	t.release(sc, s)
	return sc, nil
}

// release leaves the subscription to itself.
func (t *tx) release(sc *schedule, s *subscription) {
	sc.Status, sc.ReleasedAt, sc.Released = scheduleReleased, number(t.now.Unix()), sc.Subscription
	sc.CurrentPhase, sc.Subscription, s.Schedule = nil, "", ""
	t.tell("subscription_schedule.released", sc)
	t.tell("customer.subscription.updated", s)
}

func cancelSchedule(t *tx, c *call) (any, error) {
	sc, s, err := t.activeSchedule(c)
	if err != nil {
		return nil, err
	}
	var invoiceNow, prorate bool
	c.flag("invoice_now", &invoiceNow)
	c.flag("prorate", &prorate)
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
	return sc, nil
}

// stopSchedule ends the schedule of a subscription that has ended.
func (t *tx) stopSchedule(sc *schedule, s *subscription) {
	sc.Status, sc.CanceledAt, sc.CurrentPhase = scheduleCanceled, number(t.now.Unix()), nil
	sc.Subscription, s.Schedule = "", ""
	t.tell("subscription_schedule.canceled", sc)
}
