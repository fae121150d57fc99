package sandbox

import (
	"fmt"
	"slices"
	"time"
)

func updateSchedule(t *tx, c *call) (any, error) {
	sc, s, err := t.activeSchedule(c)
	if err != nil {
		return nil, err
	}
	c.choice("end_behavior", &sc.EndBehavior, "release", "cancel")
	c.metadata(&sc.Metadata)
	proration := "create_prorations"
	c.choice("proration_behavior", &proration, "create_prorations", "always_invoice", "none")
	if d, ok := c.sub("default_settings"); ok {
		d.text("default_payment_method", &sc.Defaults.DefaultMethod)
		d.text("description", &sc.Defaults.Description)
		d.only("collection_method", "charge_automatically")
	}
	if c.has("phases") {
		if err := t.setPhases(sc, s, c.params, proration); err != nil {
			return nil, err
		}
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	sc.Private.Resume = nil
	t.planScheduledEnd(sc, s)
	t.tell("subscription_schedule.updated", sc)
	return sc, nil
}

// planScheduledEnd writes into the subscription when its schedule will end it.
func (t *tx) planScheduledEnd(sc *schedule, s *subscription) {
	before := s.CancelAt
	s.CancelAtPeriodEnd = false
	s.planEnd(sc.EndBehavior == "cancel", number(sc.Phases[len(sc.Phases)-1].End), t.now.Unix())
	if s.CancelAt != before {
		t.tell("customer.subscription.updated", s)
	}
}

// setPhases replaces the current phase and those that follow it.
func (t *tx) setPhases(sc *schedule, s *subscription, p params, proration string) error {
	var past []phase
	for _, ph := range sc.Phases {
		if ph.End <= sc.CurrentPhase.Start {
			past = append(past, ph)
		}
	}
	var phases []phase
	for i, q := range p.list("phases") {
		ph, err := t.readPhase(q, i, phases)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(past, func(old phase) bool { return old.Start == ph.Start && old.End == ph.End }) {
			continue // past phases may be sent along
		}
		phases = append(phases, ph)
	}
	now := t.now.Unix()
	switch {
	case len(phases) == 0 || phases[0].Start != sc.CurrentPhase.Start:
		return invalid("phases[0][start_date]", "The current phase started at %d and its start cannot be changed.",
			sc.CurrentPhase.Start)
	case phases[0].End <= now:
		return invalid("phases[0][end_date]", "The current phase cannot end in the past.")
	}
	sc.Phases = slices.Concat(past, phases)
	sc.CurrentPhase = &phaseSpan{Start: phases[0].Start, End: phases[0].End}
	first := phases[0]
	first.Proration = proration
	if err := t.follow(s, first); err != nil && asCardError(err) == nil {
		return err
	}
	return nil
}

func (t *tx) readPhase(p params, i int, before []phase) (phase, error) {
	name := fmt.Sprintf("phases[%d]", i)
	ph := phase{AddItems: []string{}, DefaultTax: []string{}, Items: []phaseItem{}, Proration: "create_prorations"}
	for _, ask := range t.readItems(p, "items") {
		pc, err := t.recurringPrice(ask.Price)
		if err != nil {
			return ph, err
		}
		item := phaseItem{Price: pc.ID, Quantity: max(1, ask.Quantity), TaxRates: []string{}, Metadata: map[string]string{}}
		mergeMetadata(&item.Metadata, ask.Metadata)
		ph.Items, ph.Currency = append(ph.Items, item), pc.Currency
	}
	if len(ph.Items) == 0 {
		return ph, invalid(name+"[items]", "Missing required param: %s[items].", name).coded("parameter_missing")
	}
	if co := find[coupon](t, p, "coupon"); co != nil {
		ph.Coupon = text(co.ID)
	}
	for _, d := range p.list("discounts") {
		if co := find[coupon](t, d, "coupon"); co != nil {
			ph.Coupon = text(co.ID)
		}
	}
	p.choice("proration_behavior", &ph.Proration, "create_prorations", "always_invoice", "none")
	p.text("default_payment_method", &ph.DefaultMethod)
	p.text("description", &ph.Description)
	p.only("collection_method", "charge_automatically")
	p.only("currency", ph.Currency)
	p.metadata(&ph.Metadata)
	return ph, t.readPhaseSpan(&ph, p, name, before)
}

// readPhaseSpan finds out when a phase starts and ends: by dates, or by a number of periods.
func (t *tx) readPhaseSpan(ph *phase, p params, name string, before []phase) error {
	start, sent := p.instant("start_date", t.now.Unix())
	if len(before) > 0 {
		follows := before[len(before)-1].End
		if sent && start != follows {
			return invalid(name+"[start_date]", "A phase starts when the one before it ends, at %d.", follows)
		}
		start = follows
	} else if !sent {
		return invalid(name+"[start_date]", "Missing required param: %s[start_date].", name).coded("parameter_missing")
	}
	ph.Start = start
	end, hasEnd := p.instant("end_date", t.now.Unix())
	iterations, counted := p.whole("iterations")
	switch {
	case hasEnd && counted:
		return invalid(name, "Only one of end_date and iterations can be sent for a phase.")
	case hasEnd && end <= start:
		return invalid(name+"[end_date]", "A phase ends after it starts.")
	case counted && iterations < 1:
		return invalid(name+"[iterations]", "A phase has at least one iteration.")
	case hasEnd:
		ph.End = end
		return p.err()
	}
	rhythm := load[price](t, text(ph.Items[0].Price)).Recurring
	ph.End = rhythm.after(time.Unix(start, 0).UTC(), int(max(1, iterations))).Unix()
	return p.err()
}
