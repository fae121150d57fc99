package sandbox_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76"
)

// introduce puts a subscription on a schedule: one period at the price it has, then the full one.
func (s *shop) introduce(sub *stripe.Subscription, full *stripe.Price) *stripe.SubscriptionSchedule {
	s.t.Helper()
	sc := must[*stripe.SubscriptionSchedule](
		s.t)(s.api.SubscriptionSchedules.New(&stripe.SubscriptionScheduleParams{FromSubscription: str(sub.ID)}))
	if sc.Status != "active" || len(sc.Phases) != 1 || sc.Phases[0].EndDate != sub.CurrentPeriodEnd ||
		sc.EndBehavior != "release" {
		s.t.Fatalf("schedule is %+v", sc)
	}
	return must[*stripe.SubscriptionSchedule](
		s.t)(s.api.SubscriptionSchedules.Update(sc.ID, &stripe.SubscriptionScheduleParams{
		EndBehavior: str("release"),
		Phases: []*stripe.SubscriptionSchedulePhaseParams{
			{
				StartDate: num(sc.Phases[0].StartDate), Iterations: num(1),
				Items: []*stripe.SubscriptionSchedulePhaseItemParams{{Price: str(sub.Items.Data[0].Price.ID), Quantity: num(1)}},
			},
			{
				Iterations: num(1), ProrationBehavior: str("none"), Metadata: map[string]string{"phase": "full"},
				Items: []*stripe.SubscriptionSchedulePhaseItemParams{{Price: str(full.ID), Quantity: num(1)}},
			},
		},
	}))
}

func TestIntroductoryScheduleOverAYear(t *testing.T) {
	t.Parallel()
	s := open(t)
	intro, full := s.price(100, "week", 4), s.price(796, "week", 4)
	sub := s.subscribe(intro)
	sc := s.introduce(sub, full)
	if len(sc.Phases) != 2 || sc.Phases[1].StartDate != sub.CurrentPeriodEnd || sc.Phases[1].Items[0].Price.ID != full.ID {
		t.Errorf("phases are %+v", sc.Phases)
	}
	if up := must[*stripe.Invoice](
		t)(s.api.Invoices.Upcoming(&stripe.InvoiceUpcomingParams{Subscription: str(sub.ID)})); up.AmountDue != 796 ||
		up.ID != "" || len(up.Lines.Data) != 1 || up.Lines.Data[0].Price.ID != full.ID {
		t.Errorf("upcoming is %+v", up)
	}

	s.advance(28 * day)
	got := s.sub(sub.ID)
	if got.Items.Data[0].Price.ID != full.ID || got.Metadata["phase"] != "full" || got.Metadata["reader"] != "7" ||
		got.Schedule == nil || got.LatestInvoice.AmountPaid != 796 {
		t.Errorf("in the second phase the subscription is %+v", got)
	}
	s.advance(28 * day)
	released := must[*stripe.SubscriptionSchedule](t)(s.api.SubscriptionSchedules.Get(sc.ID, nil))
	if got = s.sub(sub.ID); got.Schedule != nil || released.Status != "released" ||
		released.ReleasedSubscription.ID != sub.ID || released.Subscription != nil {
		t.Errorf("after the last phase the schedule is %+v", released)
	}

	s.advance((365 - 56) * day)
	list := s.invoices(sub.ID)
	want := append([]int64{100}, slices.Repeat([]int64{796}, 13)...)
	if !slices.Equal(amounts(list), want) {
		t.Errorf("a year costs %v, want %v", amounts(list), want)
	}
	for i, inv := range list {
		start := begin.Add(time.Duration(i) * 28 * day).Unix()
		line := inv.Lines.Data[0]
		if inv.Created != start || line.Period.Start != start || line.Period.End != start+28*86400 ||
			inv.Status != stripe.InvoiceStatusPaid {
			t.Errorf("invoice %d is of %s over %d–%d", i, time.Unix(inv.Created, 0).UTC(), line.Period.Start, line.Period.End)
		}
	}
	if n := s.hooks.count("invoice.paid"); n != 14 {
		t.Errorf("%d webhooks of paid invoices", n)
	}
	if n := s.hooks.count("invoice.upcoming"); n != 13 { // the fourteenth comes a week before the next renewal
		t.Errorf("%d webhooks of upcoming invoices", n)
	}
}

func TestScheduleRules(t *testing.T) {
	t.Parallel()
	s := open(t)
	intro, full := s.price(100, "week", 4), s.price(796, "week", 4)
	sub := s.subscribe(intro)
	sc := s.introduce(sub, full)

	if _, err := s.api.Subscriptions.Update(sub.ID, &stripe.SubscriptionParams{CancelAtPeriodEnd: yes}); err == nil ||
		!strings.Contains(err.Error(), sc.ID) {
		t.Errorf("the end of a scheduled subscription was changed past its schedule: %v", err)
	}
	if _, err := s.api.SubscriptionSchedules.New(
		&stripe.SubscriptionScheduleParams{FromSubscription: str(sub.ID)}); err == nil {
		t.Error("a second schedule was made")
	}
	moved := []*stripe.SubscriptionSchedulePhaseParams{{
		StartDate: num(sub.CurrentPeriodStart + 60), Iterations: num(1),
		Items: []*stripe.SubscriptionSchedulePhaseItemParams{{Price: str(full.ID)}},
	}}
	if _, err := s.api.SubscriptionSchedules.Update(sc.ID, &stripe.SubscriptionScheduleParams{Phases: moved}); err == nil {
		t.Error("the current phase got another start")
	}

	ends := must[*stripe.SubscriptionSchedule](
		t)(s.api.SubscriptionSchedules.Update(sc.ID, &stripe.SubscriptionScheduleParams{EndBehavior: str("cancel")}))
	if got := s.sub(sub.ID); got.CancelAt != ends.Phases[1].EndDate || got.CancelAtPeriodEnd {
		t.Errorf("a schedule that cancels shows in the subscription: %+v", got)
	}
	s.advance(56 * day)
	if got := s.sub(sub.ID); got.Status != stripe.SubscriptionStatusCanceled || got.EndedAt != begin.Add(56*day).Unix() {
		t.Errorf("after its schedule the subscription is %s", got.Status)
	}
	if got := must[*stripe.SubscriptionSchedule](
		t)(s.api.SubscriptionSchedules.Get(sc.ID, nil)); got.Status != "completed" {
		t.Errorf("the schedule is %s", got.Status)
	}

	other := s.subscribe(intro)
	sc = s.introduce(other, full)
	must[*stripe.SubscriptionSchedule](t)(s.api.SubscriptionSchedules.Release(sc.ID, nil))
	if got := must[*stripe.Subscription](
		t)(s.api.Subscriptions.Update(other.ID,
		&stripe.SubscriptionParams{CancelAtPeriodEnd: yes})); !got.CancelAtPeriodEnd || got.CancelAt != got.CurrentPeriodEnd {
		t.Errorf("released, the subscription is %+v", got)
	}
	third := s.subscribe(intro)
	sc = s.introduce(third, full)
	if got := must[*stripe.SubscriptionSchedule](t)(s.api.SubscriptionSchedules.Cancel(sc.ID, nil)); got.Status !=
		"canceled" || s.sub(third.ID).Status != stripe.SubscriptionStatusCanceled {
		t.Errorf("cancelled, the schedule is %s", got.Status)
	}
}
