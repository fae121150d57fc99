package billing

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/voucher"
	"example.org/broadsheet/platform/paper/edition"
)

// redeemed has a reader redeem a code of one period.
func (p *env) redeemed(reader int64, product string) {
	p.t.Helper()
	a := p.redeems(reader, p.coupons(func(b *voucher.Batch) { b.Product = product })[0])
	if a.Status != http.StatusOK {
		p.t.Fatalf("a code: %d %v", a.Status, a.Body)
	}
	p.work()
}

// payLate has the bank let the open payment of a subscription pass.
func (p *env) payLate(s access.Subscription) {
	p.t.Helper()
	if p.api(http.MethodGet, "subscriptions/"+s.ProviderID, nil)["status"] == "canceled" {
		return
	}
	p.swapCard(s, goodCard)
	inv, _ := p.api(http.MethodGet, "subscriptions/"+s.ProviderID, nil)["latest_invoice"].(string)
	if p.api(http.MethodGet, "invoices/"+inv, nil)["status"] == "open" {
		p.api(http.MethodPost, "invoices/"+inv+"/pay", nil)
	}
	p.work()
}

// Whatever the order: who was given time reads for all that was paid and all that was given, and the next payment is
// due at the end of both.
func TestGivenTime_LatePayment(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	var walk func(done, left []string)
	walk = func(done, left []string) {
		if name := strings.Join(done, ", "); len(left) == 0 && !seen[name] {
			seen[name] = true
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				tryGiven(t, done)
			})
		}
		for i := range left {
			walk(append(slices.Clone(done), left[i]), slices.Delete(slices.Clone(left), i, i+1))
		}
	}
	walk(nil, []string{"pay", "redeem", "redeem", "leave and come back"})
	walk(nil, []string{"pay", "grant", "redeem"})
	t.Logf("%d orders", len(seen))
}

func tryGiven(t *testing.T, acts []string) {
	t.Helper()
	p := newEnv(t)
	s := p.subscribe(1, access.Monthly)
	p.swapCard(s, laterCard)
	p.advance(28*day + time.Minute)
	p.work()
	if got := p.subscriptions(1)[0]; got.Status != stripe.PastDue {
		t.Fatalf("got %+v, want a payment that is due", got)
	}
	periods, given := 0, 0
	for _, act := range acts {
		p.advance(day)
		switch act {
		case "pay":
			p.payLate(s)
		case "redeem":
			p.redeemed(1, access.Monthly)
			given++
		case "grant":
			until, _, _, _ := p.standing(1)
			p.grants(1, until.Add(28*day))
			p.work()
			given++
		default:
			for _, action := range []string{"cancel", "resume"} {
				p.post(1, "/fns/stripe-subscription", fmt.Sprintf(`{"action":%q}`, action))
				p.work()
			}
		}
	}
	p.shop.Access.ForgetAll()
	after := p.subscriptions(1)[0]
	from := s.PeriodEnd // of the first period, which was paid for
	if after.Status != stripe.PastDue && !after.Status.Final() {
		periods = 1
	}
	want := from.Add(time.Duration(periods+given) * 28 * day)
	until, _, _, _ := p.standing(1)
	if until.Before(want) {
		t.Errorf("access until %s, want %s: %d periods were paid and %d given", until, want, periods, given)
	}
	if after.Renews() && !after.PeriodEnd.Equal(until) {
		t.Errorf("the next payment is due at %s, want %s", after.PeriodEnd, until)
	}
	if n := p.count("SELECT count(*) FROM billing_parked"); n != 0 {
		t.Errorf("%d things wait for a person", n)
	}
	charged := len(p.paid())
	p.advance(until.Sub(p.db.Now()) - time.Hour)
	p.work()
	if got := len(p.paid()); got != charged {
		t.Errorf("charged %d times before the end, want 0", got-charged)
	}
	if got, _, _, _ := p.standing(1); got.IsZero() {
		t.Error("reads no more before the end")
	}
}

// A checkout that was opened before a code was redeemed, and is paid after it, takes nothing of what was given.
func TestGivenTime_OpenCheckout(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	to := p.order(1, access.Monthly)
	p.redeemed(1, access.Monthly)
	p.buy(to, goodCard)
	p.work()
	p.work()
	want := p.db.Now().Add(56 * day)
	until, _, _, _ := p.standing(1)
	if s := p.subscriptions(1)[0]; until.Sub(want).Abs() > time.Hour || !s.PeriodEnd.Equal(until) {
		t.Errorf("access until %s, next payment at %s, want both at %s", until, s.PeriodEnd, want)
	}
}

// Given time that is still to come begins when what it waits for is taken away.
func TestGivenTime_Refund(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	s := p.subscribe(1, access.Yearly)
	p.post(1, "/fns/stripe-subscription", `{"action":"cancel"}`)
	p.redeemed(1, access.Monthly)
	p.refund(s, "")
	p.work()
	want := p.db.Now().Add(28 * day)
	if until, _, _, _ := p.standing(1); until.Sub(want).Abs() > time.Hour {
		t.Errorf("access until %s, want %s", until, want)
	}
}

// byMonth sells by calendar months.
func byMonth(d *edition.Document) {
	d.Billing.Products[0].Interval = edition.Interval{Unit: "month", Count: 1}
}

// Months and years of codes end on the day on which those of a card end.
func TestIntervals_AsTheProvider(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]time.Time{
		"31 January":               time.Date(2027, 1, 31, 10, 0, 0, 0, time.UTC),
		"31 January, a leap year":  time.Date(2028, 1, 31, 10, 0, 0, 0, time.UTC),
		"29 February":              time.Date(2028, 2, 29, 10, 0, 0, 0, time.UTC),
		"31 August":                time.Date(2027, 8, 31, 10, 0, 0, 0, time.UTC),
		"15 March, summer to come": time.Date(2027, 3, 15, 10, 0, 0, 0, time.UTC),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t, byMonth)
			p.advance(at.Sub(p.db.Now()))
			for reader, product := range map[int64]string{1: access.Monthly, 3: access.Yearly} {
				card := p.subscribe(reader, product)
				p.redeemed(reader+1, product)
				until, _, _, _ := p.standing(reader + 1)
				if got, want := until.In(p.ed.Location), card.PeriodEnd.In(p.ed.Location); got.YearDay() != want.YearDay() ||
					got.Year() != want.Year() {
					t.Errorf("%s: a code ends on %s, a card's period on %s", product, got, want)
				}
			}
		})
	}
}

// The same for a year by transfer that is taken back.
func TestGivenTime_TransferTakenBack(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	p.imports(came{ref: p.orders(1).Reference, id: "1"})
	p.redeemed(1, access.Monthly)
	year := p.transferOf(1).EndsAt
	if until, _, _, _ := p.standing(1); until.Sub(year.Add(28*day)).Abs() > time.Minute {
		t.Fatalf("access until %s, want four weeks after %s", until, year)
	}
	if _, err := p.shop.Transfers.Unmatch(p.ctx, 1, false); err != nil {
		t.Fatal(err)
	}
	p.shop.Access.ForgetAll()
	if until, _, _, _ := p.standing(1); until.Sub(p.db.Now().Add(28*day)).Abs() > time.Minute {
		t.Errorf("access until %s, want four weeks from now", until)
	}
}
