package sandbox

// portalSession lets a customer see and change the own subscription for a while.
type portalSession struct {
	Meta
	Configuration string      `json:"configuration"`
	Customer      string      `json:"customer"`
	Flow          *portalFlow `json:"flow"`
	Locale        text        `json:"locale"`
	OnBehalfOf    nothing     `json:"on_behalf_of"`
	ReturnURL     text        `json:"return_url"`
	URL           string      `json:"url"`
	Private       struct {
		SeenAt  int64 `json:"seen_at"` // last use; 0: not opened yet
		Pending text  `json:"pending"` // the card whose bank is asking
	} `json:"_private"`
}

// portalFlow leads straight to one task.
type portalFlow struct {
	After  flowAfter   `json:"after_completion"`
	Cancel *flowCancel `json:"subscription_cancel"`
	Type   string      `json:"type"`
}

type flowAfter struct {
	Redirect *flowRedirect `json:"redirect"`
	Type     string        `json:"type"`
}

type flowRedirect struct {
	ReturnURL string `json:"return_url"`
}

type flowCancel struct {
	Subscription string `json:"subscription"`
}

func (*portalSession) kind() string { return "portal" }

// The times for which the address of a portal session works.
const (
	portalToOpen = 5 * 60
	portalToIdle = 60 * 60
)

func (ps *portalSession) expired(now int64) bool {
	if ps.Private.SeenAt == 0 {
		return now > ps.Created+portalToOpen
	}
	return now > ps.Private.SeenAt+portalToIdle
}

// portalConfig says what customers may do in the portal.
type portalConfig struct {
	Meta
	Active        bool              `json:"active"`
	Application   nothing           `json:"application"`
	Business      businessProfile   `json:"business_profile"`
	DefaultReturn text              `json:"default_return_url"`
	Features      portalFeatures    `json:"features"`
	IsDefault     bool              `json:"is_default"`
	LoginPage     portalLogin       `json:"login_page"`
	Metadata      map[string]string `json:"metadata"`
	Updated       int64             `json:"updated"`
}

type businessProfile struct {
	Headline text `json:"headline"`
	Privacy  text `json:"privacy_policy_url"`
	Terms    text `json:"terms_of_service_url"`
}

type portalLogin struct {
	Enabled bool    `json:"enabled"`
	URL     nothing `json:"url"`
}

type portalFeatures struct {
	CustomerUpdate struct {
		Allowed []string `json:"allowed_updates"`
		Enabled bool     `json:"enabled"`
	} `json:"customer_update"`
	InvoiceHistory automaticMethods `json:"invoice_history"`
	MethodUpdate   automaticMethods `json:"payment_method_update"`
	Cancel         cancelFeature    `json:"subscription_cancel"`
	Pause          automaticMethods `json:"subscription_pause"`
	Update         struct {
		Allowed   []string `json:"default_allowed_updates"`
		Enabled   bool     `json:"enabled"`
		Proration string   `json:"proration_behavior"`
	} `json:"subscription_update"`
}

type cancelFeature struct {
	Reason struct {
		Enabled bool     `json:"enabled"`
		Options []string `json:"options"`
	} `json:"cancellation_reason"`
	Enabled   bool   `json:"enabled"`
	Mode      string `json:"mode"`
	Proration string `json:"proration_behavior"`
}

func (*portalConfig) kind() string { return "portal_config" }

func (t *tx) newPortalConfig() *portalConfig {
	pc := &portalConfig{Active: true, Metadata: map[string]string{}}
	pc.Features.CustomerUpdate.Allowed = []string{}
	pc.Features.Cancel.Mode, pc.Features.Cancel.Proration = "at_period_end", "none"
	pc.Features.Cancel.Reason.Options = []string{}
	pc.Features.Update.Allowed, pc.Features.Update.Proration = []string{}, "none"
	return add(t, "bpc_", pc)
}

// defaultPortalConfig is the one for sessions that name none.
func (t *tx) defaultPortalConfig() *portalConfig {
	for _, pc := range all[portalConfig](t) {
		if pc.IsDefault {
			return pc
		}
	}
	pc := t.newPortalConfig()
	pc.IsDefault, pc.Updated = true, t.now.Unix()
	pc.Features.InvoiceHistory.Enabled, pc.Features.MethodUpdate.Enabled, pc.Features.Cancel.Enabled = true, true, true
	return pc
}

func createPortalConfig(t *tx, c *call) (any, error) {
	if !c.has("features") {
		return nil, invalid("features", "Missing required param: features.").coded("parameter_missing")
	}
	pc := t.newPortalConfig()
	pc.read(c.params, t.now.Unix())
	t.tell("billing_portal.configuration.created", pc)
	return pc, nil
}

func updatePortalConfig(t *tx, c *call) (any, error) {
	pc, err := pick[portalConfig](t, c)
	if err != nil {
		return nil, err
	}
	c.flag("active", &pc.Active)
	pc.read(c.params, t.now.Unix())
	t.tell("billing_portal.configuration.updated", pc)
	return pc, nil
}

func (pc *portalConfig) read(p params, now int64) {
	pc.Updated = now
	if b, ok := p.sub("business_profile"); ok {
		b.text("headline", &pc.Business.Headline)
		b.text("privacy_policy_url", &pc.Business.Privacy)
		b.text("terms_of_service_url", &pc.Business.Terms)
	}
	p.text("default_return_url", &pc.DefaultReturn)
	if l, ok := p.sub("login_page"); ok {
		l.only("enabled", "false")
	}
	p.metadata(&pc.Metadata)
	f, ok := p.sub("features")
	if !ok {
		return
	}
	f.enabled("invoice_history", &pc.Features.InvoiceHistory.Enabled)
	f.enabled("payment_method_update", &pc.Features.MethodUpdate.Enabled)
	if q, ok := f.sub("customer_update"); ok {
		q.only("enabled", "false")
		q.strings("allowed_updates")
	}
	for _, name := range []string{"subscription_pause", "subscription_update"} {
		if q, ok := f.sub(name); ok {
			q.only("enabled", "false")
			q.strings("default_allowed_updates")
			q.str("proration_behavior")
		}
	}
	if q, ok := f.sub("subscription_cancel"); ok {
		q.flag("enabled", &pc.Features.Cancel.Enabled)
		q.choice("mode", &pc.Features.Cancel.Mode, "at_period_end", "immediately")
		q.only("proration_behavior", "none")
		if r, ok := q.sub("cancellation_reason"); ok {
			r.flag("enabled", &pc.Features.Cancel.Reason.Enabled)
			pc.Features.Cancel.Reason.Options = r.strings("options")
		}
	}
}

func (p params) enabled(name string, dst *bool) {
	if q, ok := p.sub(name); ok {
		q.flag("enabled", dst)
	}
}

func createPortalSession(t *tx, c *call) (any, error) {
	cu, err := t.livingCustomer(c.need("customer"), "customer")
	if c.err() != nil || err != nil {
		return nil, err
	}
	pc := find[portalConfig](t, c.params, "configuration")
	if pc == nil {
		pc = t.defaultPortalConfig()
	}
	ps := &portalSession{Configuration: pc.ID, Customer: cu.ID, ReturnURL: pc.DefaultReturn}
	if c.has("return_url") {
		ps.ReturnURL = text(c.webAddress("return_url"))
	}
	c.text("locale", &ps.Locale)
	if q, ok := c.sub("flow_data"); ok {
		if err := t.readFlow(ps, q, cu); err != nil {
			return nil, err
		}
	}
	add(t, "bps_", ps)
	site := t.site()
	if ps.ReturnURL != "" {
		site = t.visit(string(ps.ReturnURL))
	}
	ps.URL = site + hostedPath + "portal/" + ps.ID
	return ps, nil
}

func (t *tx) readFlow(ps *portalSession, p params, cu *customer) error {
	f := &portalFlow{After: flowAfter{Type: "portal_homepage"}}
	p.need("type")
	p.choice("type", &f.Type, "payment_method_update", "subscription_cancel")
	if q, ok := p.sub("subscription_cancel"); ok {
		s := find[subscription](t, q, "subscription")
		if s != nil && s.Customer != text(cu.ID) {
			return invalid("flow_data[subscription_cancel][subscription]",
				"The subscription %s is not one of the customer %s.", s.ID, cu.ID)
		}
		if s != nil {
			f.Cancel = &flowCancel{Subscription: s.ID}
		}
	}
	if f.Type == "subscription_cancel" && f.Cancel == nil {
		return invalid("flow_data[subscription_cancel]", "Missing required param: flow_data[subscription_cancel].").
			coded("parameter_missing")
	}
	if q, ok := p.sub("after_completion"); ok {
		q.choice("type", &f.After.Type, "portal_homepage", "redirect", "hosted_confirmation")
		if r, ok := q.sub("redirect"); ok {
			f.After.Redirect = &flowRedirect{ReturnURL: r.webAddress("return_url")}
		}
	}
	ps.Flow = f
	return p.err()
}

// portalCancel plans the end of a subscription as the portal's button does. A schedule keeps its phases aside, so that
// the customer can come back to them.
func (t *tx) portalCancel(s *subscription, mode string) {
	sc := load[schedule](t, s.Schedule)
	switch {
	case mode == "immediately":
		t.endSubscription(s, "cancellation_requested")
		return
	case sc == nil:
		s.CancelAtPeriodEnd = true
		s.planEnd(true, number(s.PeriodEnd), t.now.Unix())
	default:
		sc.Private.Resume = &resumption{Phases: sc.Phases, EndBehavior: sc.EndBehavior}
		var phases []phase
		for _, p := range sc.Phases {
			if p.Start <= sc.CurrentPhase.Start {
				phases = append(phases, p)
			}
		}
		last := &phases[len(phases)-1]
		last.End = s.PeriodEnd
		sc.Phases, sc.EndBehavior, sc.CurrentPhase = phases, "cancel", &phaseSpan{Start: last.Start, End: last.End}
		s.planEnd(true, number(s.PeriodEnd), t.now.Unix())
		t.tell("subscription_schedule.updated", sc)
	}
	t.tell("customer.subscription.updated", s)
}

// portalResume takes a planned end back.
func (t *tx) portalResume(s *subscription) {
	s.CancelAtPeriodEnd = false
	s.planEnd(false, 0, 0)
	if sc := load[schedule](t, s.Schedule); sc != nil {
		if was := sc.Private.Resume; was != nil {
			sc.Phases, sc.EndBehavior, sc.Private.Resume = was.Phases, was.EndBehavior, nil
		} else {
			sc.EndBehavior = "release"
		}
		for _, p := range sc.Phases {
			if p.Start == sc.CurrentPhase.Start {
				sc.CurrentPhase.End = p.End
			}
		}
		t.tell("subscription_schedule.updated", sc)
	}
	t.tell("customer.subscription.updated", s)
}

// portalCard makes a card the one that everything of the customer is paid with.
func (t *tx) portalCard(cu *customer, m *paymentMethod) error {
	if _, err := t.saveCard(m, cu, nil); err != nil {
		return err
	}
	cu.InvoiceSettings.DefaultMethod = text(m.ID)
	t.tell("customer.updated", cu)
	for _, s := range all[subscription](t) {
		if s.Customer == text(cu.ID) && !s.ended() {
			s.DefaultMethod = text(m.ID)
			t.tell("customer.subscription.updated", s)
		}
	}
	return nil
}
