package billing

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/voucher"
)

// years lets a subscription run for as many, year by year.
func (p *env) years(n int) {
	p.t.Helper()
	for range n {
		p.advance(365*day + 6*time.Hour)
		p.work()
	}
}

// Who has paid for years gets what was given, too: the provider does not move a payment that far from the first one, so
// that payments are called off until then, and a new period begins at that instant.
func TestACodeMovesThePaymentOfAnOldSubscription(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		years   int
		product string
		codes   int
	}{
		"in the second year, a year": {1, access.Yearly, 1},
		"in the fourth year, a year": {3, access.Yearly, 1},
		"in the fourth year, weeks":  {3, access.Monthly, 1},
		"in the fourth year, twice":  {3, access.Monthly, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			p.subscribe(7, access.Yearly)
			p.years(c.years)
			before, paid := p.subscriptions(7)[0], len(p.paid())
			want := before.PeriodEnd
			for range c.codes {
				if a := p.redeems(7, p.coupons(func(b *voucher.Batch) { b.Product = c.product })[0]); a.Status != http.StatusOK {
					t.Fatal(a)
				}
				p.work()
				want = p.ed.Product(c.product).Interval.Add(want, 1)
			}
			s := p.subscriptions(7)[0]
			if !s.PeriodEnd.Equal(want) || s.Status != stripe.Trialing || s.Uncovered || s.Paused ||
				p.count("SELECT count(*) FROM billing_parked") != 0 {
				t.Fatalf("%+v, want until %s", s, want)
			}
			for _, at := range []time.Duration{-time.Hour, before.PeriodEnd.Sub(want) + time.Hour, -time.Minute} {
				if d := want.Add(at).Sub(p.db.Now()); d > 0 {
					p.advance(d)
					p.work()
				}
				if err := p.shop.Reconciliation.All(p.ctx); err != nil {
					t.Fatal(err)
				}
				if until, _, _, _ := p.standing(7); !until.Equal(want) || len(p.paid()) != paid || len(p.drift()) != 0 {
					t.Fatalf("at %s: until %s, paid %v, drift %+v", p.db.Now(), until, p.paid(), p.drift())
				}
			}
			p.advance(3 * time.Minute)
			p.work()
			p.work()
			s = p.subscriptions(7)[0]
			year := want.AddDate(1, 0, 0)
			if leap := year.AddDate(0, 0, 1); s.StartedAt.Day() == 29 && leap.Month() == time.February && leap.Day() == 29 {
				year = leap // the provider keeps the day of the month of the first payment
			}
			if got := p.paid(); len(got) != paid+1 || got[0] != 8900 || s.Status != stripe.Active ||
				s.PeriodEnd.Sub(year).Abs() > 10*time.Minute {
				t.Errorf("afterwards: %+v, paid %v", s, got)
			}
			p.advance(24 * time.Hour)
			p.years(1)
			if got := p.paid(); len(got) != paid+2 {
				t.Errorf("a year later: paid %v", got)
			}
		})
	}
}

// A payment that fails when the time is over is asked for like any other.
func TestThePaymentAfterWhatWasGivenMayFail(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	s := p.subscribe(7, access.Yearly)
	p.years(3)
	p.redeems(7, p.coupons(nil)[0])
	p.work()
	p.swapCard(s, laterCard)
	p.advance(p.subscriptions(7)[0].PeriodEnd.Add(time.Minute).Sub(p.db.Now()))
	p.work()
	if s := p.subscriptions(7)[0]; s.Status != stripe.PastDue || s.Paused {
		t.Errorf("%+v", s)
	}
}

// What was redeemed while a subscription was not to be renewed counts as soon as it is again.
func TestACodeCountsOnceTheSubscriptionRenewsAgain(t *testing.T) {
	t.Parallel()
	t.Run("resumed", func(t *testing.T) {
		t.Parallel()
		p := newEnv(t)
		before := p.subscribe(7, access.Yearly)
		p.change(7, `{"action":"cancel"}`)
		p.work()
		p.redeems(7, p.coupons(nil)[0])
		p.work()
		if s := p.subscriptions(7)[0]; !s.PeriodEnd.Equal(before.PeriodEnd) || !s.CancelAtPeriodEnd {
			t.Fatalf("%+v", s)
		}
		p.change(7, `{"action":"resume"}`)
		p.work()
		if s := p.subscriptions(7)[0]; !s.PeriodEnd.Equal(before.PeriodEnd.AddDate(0, 0, 28)) || s.CancelAtPeriodEnd {
			t.Errorf("%+v", s)
		}
	})
	t.Run("paid", func(t *testing.T) {
		t.Parallel()
		p := newEnv(t)
		s := p.subscribe(7, access.Monthly)
		p.swapCard(s, laterCard)
		p.advance(28*day + time.Minute)
		p.work()
		if s = p.subscriptions(7)[0]; s.Status != stripe.PastDue {
			t.Fatalf("%+v", s)
		}
		p.redeems(7, p.coupons(func(b *voucher.Batch) { b.Periods = 3 })[0])
		p.work()
		until := s.PeriodEnd.AddDate(0, 0, 3*28) // behind the period that is paid late
		p.swapCard(s, goodCard)
		inv, _ := p.api(http.MethodGet, "subscriptions/"+s.ProviderID, nil)["latest_invoice"].(string)
		p.api(http.MethodPost, "invoices/"+inv+"/pay", url.Values{})
		p.work()
		if s = p.subscriptions(7)[0]; !s.PeriodEnd.Equal(until) || s.Status != stripe.Trialing {
			t.Errorf("%+v, not until %s", s, until)
		}
	})
	t.Run("redeemed before it began", func(t *testing.T) {
		t.Parallel()
		p := newEnv(t)
		p.redeems(7, p.coupons(func(b *voucher.Batch) { b.Periods = 3 })[0])
		p.work()
		p.advance(time.Hour)
		p.buy(p.order(7, access.Monthly), goodCard)
		p.work()
		before := p.subscriptions(7)[0]
		p.change(7, `{"action":"cancel"}`)
		p.change(7, `{"action":"resume"}`)
		p.work()
		if s := p.subscriptions(7)[0]; !s.PeriodEnd.Equal(before.PeriodEnd) {
			t.Errorf("%+v", s)
		}
	})
}
