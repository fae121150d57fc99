package sandbox

// The notices before a period or a trial ends.
const (
	upcomingNotice = 7 * day
	trialNotice    = 3 * day
)

func (*subscription) rank() int { return 1 }

func (s *subscription) dueAt() int64 {
	next := int64(0)
	soonest := func(at int64) {
		if at > 0 && (next == 0 || at < next) {
			next = at
		}
	}
	switch s.Status {
	case statusIncomplete:
		return s.Created + int64(firstPayment.Seconds())
	case statusPaused:
		return int64(s.CancelAt)
	case statusTrialing, statusActive, statusPastDue, statusUnpaid:
	default:
		return 0
	}
	soonest(s.PeriodEnd)
	soonest(int64(s.CancelAt))
	if s.PauseCollection != nil {
		soonest(int64(s.PauseCollection.ResumesAt))
	}
	if s.Status == statusTrialing && !s.Private.TrialTold {
		soonest(max(s.PeriodStart, int64(s.TrialEnd)-trialNotice))
	}
	if s.announces() {
		soonest(max(s.PeriodStart, s.PeriodEnd-upcomingNotice))
	}
	return next
}

// announces reports whether invoice.upcoming is still to come for this period.
func (s *subscription) announces() bool {
	return s.Status == statusActive && s.CancelAt == 0 && s.PauseCollection == nil &&
		s.PeriodEnd-s.PeriodStart > upcomingNotice && s.Private.UpcomingTold != s.PeriodEnd
}

func (s *subscription) fallDue(t *tx) {
	now := t.now.Unix()
	switch {
	case s.Status == statusIncomplete:
		t.expireFirst(s)
	case s.CancelAt > 0 && int64(s.CancelAt) <= now:
		t.endSubscription(s, "cancellation_requested")
	case s.PauseCollection != nil && s.PauseCollection.ResumesAt > 0 && int64(s.PauseCollection.ResumesAt) <= now:
		s.PauseCollection = nil
		t.tell("customer.subscription.updated", s)
	case s.PeriodEnd <= now:
		_ = t.renew(s) // a refused payment is in the subscription's state
	case s.Status == statusTrialing && !s.Private.TrialTold && int64(s.TrialEnd)-trialNotice <= now:
		s.Private.TrialTold = true
		t.tell("customer.subscription.trial_will_end", s)
	case s.announces():
		s.Private.UpcomingTold = s.PeriodEnd
		t.announce(s)
	}
}

// expireFirst gives up on a subscription whose first payment never came.
func (t *tx) expireFirst(s *subscription) {
	if inv := load[invoice](t, s.LatestInvoice); inv != nil && inv.Status == invoiceOpen {
		t.void(inv) // ends the subscription, too
		return
	}
	s.Status, s.EndedAt = statusIncompleteExpired, number(t.now.Unix())
	t.tell("customer.subscription.updated", s)
}

// renew starts the next period and bills it.
func (t *tx) renew(s *subscription) error {
	if s.Status == statusTrialing && t.endsWithoutCard(s) {
		return nil
	}
	last := period{Start: s.PeriodStart, End: s.PeriodEnd}
	if s.Status == statusTrialing {
		s.Status = statusActive
	}
	s.PeriodStart = s.PeriodEnd
	s.PeriodEnd = t.rhythmOf(s).next(s.Anchor, s.PeriodStart)
	t.tell("customer.subscription.updated", s)
	inv := t.bill(s, becauseCycle, &period{Start: s.PeriodStart, End: s.PeriodEnd})
	inv.PeriodStart, inv.PeriodEnd = last.Start, last.End
	return t.collectRenewal(s, inv)
}

func (t *tx) collectRenewal(s *subscription, inv *invoice) error {
	switch {
	case s.Status == statusUnpaid:
		inv.AutoAdvance = false
		return nil
	case s.PauseCollection != nil:
		inv.AutoAdvance = false
		if s.PauseCollection.Behavior == "keep_as_draft" {
			return nil
		}
		t.finalize(inv)
		if s.PauseCollection.Behavior == "void" && inv.Status == invoiceOpen {
			t.void(inv)
		} else if inv.Status == invoiceOpen {
			t.writeOff(inv)
		}
		return nil
	}
	if wait := t.acc.box.opts.DraftFor; wait > 0 {
		inv.Private.FinalizeAt = t.now.Add(wait).Unix()
		return nil
	}
	return t.collect(inv, true, false)
}

// endsWithoutCard ends or pauses a trial that nobody left a card for, if the subscription says so.
func (t *tx) endsWithoutCard(s *subscription) bool {
	cu := load[customer](t, s.Customer)
	behavior := s.TrialSettings.EndBehavior.MissingMethod
	if s.DefaultMethod != "" || cu.InvoiceSettings.DefaultMethod != "" || behavior == "create_invoice" {
		return false
	}
	if behavior == "cancel" {
		t.endSubscription(s, "")
		return true
	}
	s.Status = statusPaused
	t.tell("customer.subscription.paused", s)
	t.tell("customer.subscription.updated", s)
	return true
}

// forecast is what a subscription will ask for at a point in time.
type forecast struct {
	At     int64
	Amount int64
}

// foresee lists the next renewals of a subscription. It changes the transaction, so it is for previews alone.
func (t *tx) foresee(s *subscription, renewals int) []forecast {
	var list []forecast
	for range renewals {
		inv := t.nextInvoice(s)
		if inv == nil {
			break
		}
		list = append(list, forecast{At: t.now.Unix(), Amount: inv.AmountDue})
		cu := load[customer](t, s.Customer)
		cu.Balance = inv.StartingBalance + inv.Total - inv.AmountDue
	}
	return list
}

// nextInvoice goes to the end of the period and writes the invoice that is due then; nil if the subscription ends
// before.
func (t *tx) nextInvoice(s *subscription) *invoice {
	if s.Status == statusIncomplete {
		s.Status = statusActive
	}
	for sc := load[schedule](t, s.Schedule); sc != nil && sc.dueAt() > 0 && sc.dueAt() <= s.PeriodEnd; {
		before := s.LatestInvoice
		t.moveTo(sc.dueAt())
		sc.fallDue(t)
		if s.LatestInvoice != before {
			return load[invoice](t, s.LatestInvoice)
		}
	}
	if s.ended() || s.CancelAt > 0 && int64(s.CancelAt) <= s.PeriodEnd {
		return nil
	}
	t.moveTo(s.PeriodEnd)
	before := s.LatestInvoice
	if err := t.renew(s); err != nil || s.LatestInvoice == before {
		return nil
	}
	return load[invoice](t, s.LatestInvoice)
}
