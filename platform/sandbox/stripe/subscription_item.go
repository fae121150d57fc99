package sandbox

import (
	"math"
	"slices"
)

// itemAsk is what a request wants of one item.
type itemAsk struct {
	ID       string
	Price    string
	Quantity int64
	Deleted  bool
	Metadata map[string]string
}

// readItems reads an array of items, whose prices may be made on the spot.
func (t *tx) readItems(p params, name string) []itemAsk {
	var asks []itemAsk
	for _, q := range p.list(name) {
		ask := itemAsk{ID: q.str("id")}
		if pc := find[price](t, q, "price"); pc != nil {
			ask.Price = pc.ID
		}
		if data, ok := q.sub("price_data"); ok {
			pc, err := t.readPrice(data)
			if err != nil {
				return nil
			}
			ask.Price = pc.ID
		}
		if n, ok := q.whole("quantity"); ok {
			ask.Quantity = n
			if n < 1 {
				q.refuse(invalid(name+"[quantity]", "The quantity is at least 1"))
			}
		}
		q.flag("deleted", &ask.Deleted)
		if q.has("metadata") {
			q.metadata(&ask.Metadata)
		}
		asks = append(asks, ask)
	}
	return asks
}

// addItem puts a recurring price into a subscription; all items share a rhythm and a currency.
func (t *tx) addItem(s *subscription, ask itemAsk) error {
	pc, err := t.recurringPrice(ask.Price)
	if err != nil {
		return err
	}
	if len(s.Items.Data) > 0 {
		if !pc.Recurring.same(t.rhythmOf(s)) {
			return invalid("items", "All items of a subscription have the same interval; %s differs.", pc.ID)
		}
		if pc.Currency != s.Currency {
			return invalid("items", "All items of a subscription have the same currency; %s differs.", pc.ID)
		}
	}
	s.Currency = pc.Currency
	item := subscriptionItem{
		ID: newID("si_"), Object: "subscription_item", Created: t.now.Unix(), Metadata: map[string]string{}, Price: pc.ID,
		Quantity: max(1, ask.Quantity), Subscription: s.ID, TaxRates: []string{},
	}
	mergeMetadata(&item.Metadata, ask.Metadata)
	s.Items.Data = append(s.Items.Data, item)
	s.Items.Total = len(s.Items.Data)
	return nil
}

func (t *tx) recurringPrice(id string) (*price, error) {
	pc := load[price](t, text(id))
	switch {
	case id == "":
		return nil, invalid("items[0][price]", "Missing required param: items[0][price].").coded("parameter_missing")
	case pc == nil:
		return nil, missing("price", id, "items[0][price]")
	case pc.Recurring == nil:
		return nil, invalid("items[0][price]", "The price %s is of type one_time; a subscription needs a recurring one.", id)
	case !pc.Active:
		return nil, invalid("items[0][price]", "The price %s is inactive.", id)
	}
	return pc, nil
}

// change is a new set of items within a running period.
type change struct {
	asks      []itemAsk
	proration string // create_prorations, always_invoice, none
	at        int64  // when it counts as made
	restart   bool   // a new period starts now
	confirmed bool
}

func (t *tx) readChange(p params, prefix string) change {
	ch := change{asks: t.readItems(p, prefix+"items"), proration: "create_prorations", at: t.now.Unix()}
	p.choice(prefix+"proration_behavior", &ch.proration, "create_prorations", "always_invoice", "none")
	if at, ok := p.whole(prefix + "proration_date"); ok {
		ch.at = at
	}
	anchor := "unchanged"
	p.choice(prefix+"billing_cycle_anchor", &anchor, "now", "unchanged")
	ch.restart = anchor == "now"
	return ch
}

// apply changes the items. What is not used of the old ones is credited, the rest of the period is charged at the new
// prices; where the rhythm changes, a new period starts and is billed at once.
func (t *tx) apply(s *subscription, ch change) error {
	old := slices.Clone(s.Items.Data)
	oldRhythm := t.rhythmOf(s)
	if err := t.setItems(s, ch.asks); err != nil {
		return err
	}
	running := s.Status == statusActive || s.Status == statusPastDue
	restart := ch.restart || !oldRhythm.same(t.rhythmOf(s))
	if !running {
		if restart && s.Status == statusTrialing && ch.restart {
			return invalid("billing_cycle_anchor", "End the trial to start a new period.")
		}
		return nil
	}
	if ch.at < s.PeriodStart || ch.at > s.PeriodEnd {
		return invalid("proration_date", "The proration date %d is not within the current period.", ch.at)
	}
	if ch.proration != "none" {
		t.prorate(s, old, ch.at, !restart)
	}
	if restart {
		now := t.now.Unix()
		s.Anchor, s.PeriodStart = now, now
		s.PeriodEnd = t.rhythmOf(s).next(now, now)
		return t.collect(t.bill(s, becauseUpdated, &period{Start: s.PeriodStart, End: s.PeriodEnd}), true, ch.confirmed)
	}
	if ch.proration == "always_invoice" && len(s.Private.Pending) > 0 {
		return t.collect(t.bill(s, becauseUpdated, nil), true, ch.confirmed)
	}
	return nil
}

// setItems changes, adds and removes items.
func (t *tx) setItems(s *subscription, asks []itemAsk) error {
	was := s.Items.Data
	s.Items.Data = nil
	for _, item := range was {
		at := slices.IndexFunc(asks, func(a itemAsk) bool { return a.ID == item.ID })
		if at < 0 {
			s.Items.Data = append(s.Items.Data, item)
			continue
		}
		ask := asks[at]
		if ask.Deleted {
			continue
		}
		if ask.Price != "" && ask.Price != item.Price {
			if _, err := t.recurringPrice(ask.Price); err != nil {
				return err
			}
			item.Price = ask.Price
		}
		if ask.Quantity > 0 {
			item.Quantity = ask.Quantity
		}
		mergeMetadata(&item.Metadata, ask.Metadata)
		s.Items.Data = append(s.Items.Data, item)
	}
	for _, ask := range asks {
		if ask.ID == "" {
			if err := t.addItem(s, ask); err != nil {
				return err
			}
		} else if !slices.ContainsFunc(was, func(i subscriptionItem) bool { return i.ID == ask.ID }) {
			return missing("subscription item", ask.ID, "items[0][id]")
		}
	}
	if len(s.Items.Data) == 0 {
		return invalid("items", "A subscription keeps at least one item; cancel it instead.")
	}
	for _, item := range s.Items.Data {
		if pc := load[price](t, text(item.Price)); !pc.Recurring.same(t.rhythmOf(s)) || pc.Currency != s.Currency {
			return invalid("items", "All items of a subscription have the same interval and currency.")
		}
	}
	s.Items.Total = len(s.Items.Data)
	return nil
}

// prorate credits what changed from the given instant to the end of the period and, with charge, bills the new prices
// for it.
func (t *tx) prorate(s *subscription, old []subscriptionItem, at int64, charge bool) {
	for _, was := range old {
		i := slices.IndexFunc(s.Items.Data, func(now subscriptionItem) bool { return now.ID == was.ID })
		if charge && i >= 0 && s.Items.Data[i].Price == was.Price && s.Items.Data[i].Quantity == was.Quantity {
			continue
		}
		t.credit(s, was, at)
	}
	if !charge {
		return
	}
	for _, now := range s.Items.Data {
		i := slices.IndexFunc(old, func(was subscriptionItem) bool { return now.ID == was.ID })
		if i >= 0 && old[i].Price == now.Price && old[i].Quantity == now.Quantity {
			continue
		}
		p := load[price](t, text(now.Price))
		full := p.UnitAmount * now.Quantity
		t.pend(s, now, share(full, s, at), at, "Remaining time on "+t.productName(p))
		if s.Private.Billed == nil {
			s.Private.Billed = map[string]int64{}
		}
		s.Private.Billed[now.ID] = full
	}
}

// credit gives back what an item cost for the rest of the period.
func (t *tx) credit(s *subscription, item subscriptionItem, at int64) {
	name := t.productName(load[price](t, text(item.Price)))
	t.pend(s, item, -share(s.Private.Billed[item.ID], s, at), at, "Unused time on "+name)
}

// share is the part of an amount that falls on the rest of the period.
func share(amount int64, s *subscription, at int64) int64 {
	return int64(math.Round(float64(amount) * float64(s.PeriodEnd-at) / float64(s.PeriodEnd-s.PeriodStart)))
}

// pend keeps an amount for the next invoice.
func (t *tx) pend(s *subscription, item subscriptionItem, amount, at int64, description string) {
	if amount == 0 {
		return
	}
	ii := add(t, "ii_", &invoiceItem{
		Amount: amount, Currency: s.Currency, Customer: s.Customer, Date: t.now.Unix(), Description: description,
		Metadata: map[string]string{},
		Period:   period{Start: at, End: s.PeriodEnd}, Price: text(item.Price), Proration: true, Quantity: item.Quantity,
		Subscription: text(s.ID), Item: text(item.ID),
	})
	s.Private.Pending = append(s.Private.Pending, text(ii.ID))
	t.tell("invoiceitem.created", ii)
}
