package billing

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

// sweep does what the clock asks for, several times at once, and sends the emails.
func (p *env) sweep() {
	p.t.Helper()
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for _, tick := range []func() error{
				func() error {
					return p.shop.Subscriptions.SweepNotices(p.ctx)
				}, func() error {
					return p.shop.Subscriptions.GiveUpOverdue(p.ctx)
				}, func() error { return p.shop.Subscriptions.SweepTrials(p.ctx) },
			} {
				if err := tick(); err != nil {
					p.t.Error(err)
				}
			}
		})
	}
	all.Wait()
	p.work()
}

func subjects(list []mail.Message) (s []string) {
	for _, l := range list {
		s = append(s, l.Subject)
	}
	return s
}

func button(l mail.Message) string {
	for _, b := range l.Blocks {
		if b.Kind == "button" {
			return b.URL
		}
	}
	return ""
}

// A payment that fails is told on days 0, 3 and 7, once each; then the subscription is over, and nobody can pay for it
// any more.
func TestDunning(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.swapCard(p.subscribe(1, access.Monthly), laterCard)
	p.advance(28*day + time.Minute)
	p.work()
	if s := p.subscriptions(1)[0]; s.Status != stripe.PastDue {
		t.Fatalf("it is %s", s.Status)
	}
	want := []string{}
	for _, c := range []struct {
		after time.Duration
		says  string
		reads bool
	}{
		{0, "nepodarila", true},
		{2 * day, "", true},
		{day, "chýba", true},
		{3 * day, "", true},
		{day, "čoskoro skončí", false},
	} {
		p.advance(c.after)
		p.work()
		p.sweep()
		p.sweep()
		if c.says != "" {
			want = append(want, c.says)
		}
		got := subjects(p.sent("payment_due"))
		if len(got) != len(want) || !strings.Contains(strings.Join(got, "\n"), strings.Join(want[len(want)-1:], "")) {
			t.Fatalf("emails %q, want %q", got, want)
		}
		if until, _, _, _ := p.standing(1); until.IsZero() == c.reads {
			t.Errorf("with %d emails access is until %s", len(got), until)
		}
	}
	for _, l := range p.sent("payment_due") {
		if to := button(l); !strings.Contains(to, "/_dev/stripe/invoice/") {
			t.Errorf("%s leads to %s", l.Subject, to)
		}
	}
	p.advance(day)
	p.sweep()
	p.sweep()
	s := p.subscriptions(1)[0]
	ended := p.sent("subscription_changed")
	if s.Status != stripe.Canceled || len(ended) != 1 || len(p.sent("access_ended")) != 0 ||
		len(p.sent("payment_due")) != 3 {
		t.Errorf("in the end %+v, emails %q", s, subjects(p.emails))
	}
	closed := s.PeriodStart.AddDate(0, 0, p.ed.Billing.GraceDays)
	if l := ended[0]; !strings.Contains(fmt.Sprint(p.sent("payment_due")), i18n.Date(p.ed, closed)) ||
		!strings.Contains(l.Blocks[1].Text, i18n.Date(p.ed, closed)) {
		t.Errorf("after emails that name %s: %+v", i18n.Date(p.ed, closed), l.Blocks)
	}
	if l := ended[0]; strings.Contains(fmt.Sprint(l.Blocks), "1,00") ||
		!strings.Contains(fmt.Sprint(l.Blocks), "7,96") {
		t.Errorf("who has had the introductory price is offered %+v", l.Blocks)
	}
	for _, in := range p.listed("invoices?limit=10") {
		if in["status"] == "open" {
			t.Errorf("an invoice of what is over can be paid: %v", in["number"])
		}
	}
	if p.order(1, access.Yearly) == "" { // and it can be bought again
		t.Error("no checkout")
	}
}

// After downtime the last email goes out, and none about what was paid meanwhile.
func TestDunningIsCaughtUp(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.swapCard(p.subscribe(1, access.Monthly), laterCard)
	paid := p.subscribe(2, access.Monthly)
	p.swapCard(paid, laterCard)
	p.advance(28*day + 4*day)
	p.work()
	p.swapCard(paid, goodCard)
	if err := p.shop.Subscriptions.SweepNotices(p.ctx); err != nil { // the emails are on their way
		t.Fatal(err)
	}
	inv, _ := p.api(http.MethodGet, "subscriptions/"+paid.ProviderID, nil)["latest_invoice"].(string)
	method, _ := p.api(http.MethodGet, "subscriptions/"+paid.ProviderID, nil)["default_payment_method"].(string)
	p.api(http.MethodPost, "invoices/"+inv+"/pay", url.Values{"payment_method": {method}})
	p.work()
	p.sweep()
	got := p.sent("payment_due")
	if len(got) != 1 || got[0].To != "reader1@example.org" || !strings.Contains(got[0].Subject, "stále chýba") {
		t.Errorf("emails %q", subjects(got))
	}
	if s := p.subscriptions(2)[0]; s.Status != stripe.Active {
		t.Errorf("paid, it is %s", s.Status)
	}
}

// Where the bank wants its customer to confirm, the email leads there.
func TestDunningAsksToConfirm(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.swapCard(p.subscribe(1, access.Monthly), "4000 0027 6000 3184")
	p.advance(28*day + time.Minute)
	p.work()
	p.sweep()
	got := p.sent("payment_due")
	if len(got) != 1 || !strings.Contains(got[0].Blocks[1].Text, "Vaša banka") ||
		got[0].Blocks[3].Text != "Potvrdiť platbu" {
		t.Fatalf("emails %+v", got)
	}
	u, err := url.Parse(button(got[0]))
	if err != nil {
		t.Fatal(err)
	}
	if res, body := p.submit(u.String(), card("4000 0027 6000 3184")); res.StatusCode >= 400 {
		t.Errorf("the page answers %d %.300s", res.StatusCode, body)
	}
}

func TestRenewalsAreAnnounced(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		product string
		then    string // a change before the email
		days    []int  // on which somebody looks
		want    []string
	}{
		"the first full price":        {product: access.Monthly, days: []int{20, 22, 23}, want: []string{"7,96"}},
		"after downtime":              {product: access.Monthly, days: []int{27}, want: []string{"7,96"}},
		"too late":                    {product: access.Monthly, days: []int{29}},
		"a further period":            {product: access.Monthly, days: []int{29, 50, 55}},
		"cancelled":                   {product: access.Monthly, then: `{"action":"cancel"}`, days: []int{22}},
		"paused":                      {product: access.Monthly, then: `{"action":"pause","periods":1}`, days: []int{22}},
		"a year":                      {product: access.Yearly, days: []int{340, 352, 353}, want: []string{"89,00"}},
		"two years":                   {product: access.Yearly, days: []int{352, 366, 720}, want: []string{"89,00", "89,00"}},
		"a year that was the last":    {product: access.Yearly, then: `{"action":"cancel"}`, days: []int{355}},
		"a year, and weeks afterward": {product: access.Yearly, then: "switch", days: []int{355}, want: []string{"7,96"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			p.subscribe(1, c.product)
			if c.then == "switch" {
				c.then = switchTo(p.plans(1)[0])
			}
			if c.then != "" {
				if code := p.change(1, c.then); code != "" {
					t.Fatal(code)
				}
			}
			at := 0
			for _, d := range c.days {
				p.advance(time.Duration(d-at) * day)
				at = d
				p.work()
				p.sweep()
				p.sweep()
			}
			got := p.sent("renewal")
			if len(got) != len(c.want) {
				t.Fatalf("emails %q", subjects(got))
			}
			for i, l := range got {
				if text := l.Blocks[1].Text; !strings.Contains(text, c.want[i]) {
					t.Errorf("it says %q", text)
				}
			}
		})
	}
}

// While an introductory price goes on, nothing is announced; before its end it is.
func TestFullPriceAfterSeveralPeriodsIsAnnounced(t *testing.T) {
	t.Parallel()
	p := newEnv(t, func(d *edition.Document) {
		for i := range d.Billing.Products {
			if d.Billing.Products[i].Intro != nil {
				d.Billing.Products[i].Intro = &edition.Intro{Amount: 100, Periods: 2}
			}
		}
	})
	p.subscribe(1, access.Monthly)
	for _, c := range []struct {
		days int
		want int
	}{{25, 0}, {10, 0}, {15, 1}, {10, 1}} {
		p.advance(time.Duration(c.days) * day)
		p.work()
		p.sweep()
		if got := p.sent("renewal"); len(got) != c.want {
			t.Fatalf("%d days later: emails %q", c.days, subjects(got))
		}
	}
	if l := p.sent("renewal")[0]; !strings.Contains(l.Blocks[1].Text, "prvý raz") ||
		!strings.Contains(l.Blocks[1].Text, "7,96") || !slices.Equal(p.paid(), []int64{796, 100, 100}) {
		t.Errorf("it says %q; charged %v", l.Blocks[1].Text, p.paid())
	}
}

// Who was given weeks by a code is told, too, before the first full price is charged.
func TestAPaymentThatWasPutOffIsAnnounced(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.subscribe(1, access.Monthly)
	if a := p.redeems(1, p.coupons(nil)[0]); a.Status != http.StatusOK {
		t.Fatal(a)
	}
	p.work()
	for _, c := range []struct{ days, want int }{{22, 0}, {26, 0}, {2, 1}, {1, 1}, {7, 1}} {
		p.advance(time.Duration(c.days) * day)
		p.work()
		p.sweep()
		if got := p.sent("renewal"); len(got) != c.want {
			t.Fatalf("%d days later: emails %q", c.days, subjects(got))
		}
	}
	if l := p.sent("renewal")[0]; !strings.Contains(l.Blocks[1].Text, "prvý raz") ||
		!strings.Contains(l.Blocks[1].Text, "7,96") || !slices.Equal(p.paid(), []int64{796, 100}) {
		t.Errorf("it says %q; charged %v", l.Blocks[1].Text, p.paid())
	}
}

// A promotion code that counts for several payments or for ever is in what is announced, and only what rises is
// announced.
func TestADiscountIsAnnouncedAsItIsCharged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		product string
		coupon  url.Values
		gift    bool
		days    []int
		says    []string // of each email
		paid    []int64
	}{
		"for ever": {
			access.Monthly,
			url.Values{"percent_off": {"50"}, "duration": {"forever"}},
			false,
			[]int{22, 29, 50, 57, 78, 85},
			nil,
			[]int64{398, 398, 398, 398},
		},
		"for a while, then in full": {
			access.Monthly,
			url.Values{"amount_off": {"300"}, "currency": {"eur"}, "duration": {"repeating"}, "duration_in_months": {"2"}},
			false,
			[]int{22, 29, 50, 57, 78, 85, 106, 113},
			[]string{"prvý raz 7,96"},
			[]int64{796, 796, 496, 496, 496},
		},
		"once": {
			access.Monthly,
			url.Values{"percent_off": {"25"}, "duration": {"once"}},
			false,
			[]int{22, 29, 50, 57},
			[]string{"prvý raz 7,96"},
			[]int64{796, 796, 597},
		},
		"a year, for ever": {
			access.Yearly,
			url.Values{"percent_off": {"50"}, "duration": {"forever"}},
			false,
			[]int{340, 352, 366},
			[]string{"44,50"},
			[]int64{4450, 4450},
		},
		"put off by a code": {
			access.Monthly,
			url.Values{"percent_off": {"50"}, "duration": {"forever"}},
			true,
			[]int{22, 50, 57},
			[]string{"3,98"},
			[]int64{398, 398},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			p.view(func(ctx context.Context, tx db.Tx) error { return access.PutUse(ctx, tx, "intro", person.Reader(1)) })
			off, _ := p.api(http.MethodPost, "coupons", c.coupon)["id"].(string)
			p.api(http.MethodPost, "promotion_codes", url.Values{"coupon": {off}, "code": {"LETO"}})
			order := p.order(1, c.product)
			p.submit(order, url.Values{"action": {"promo"}, "promotion_code": {"leto"}})
			p.buy(order, goodCard)
			p.work()
			if c.gift {
				p.redeems(1, p.coupons(nil)[0])
				p.work()
			}
			at := 0
			for _, d := range c.days {
				p.advance(time.Duration(d-at) * day)
				at = d
				p.work()
				p.sweep()
			}
			got := p.sent("renewal")
			if len(got) != len(c.says) || !slices.Equal(p.paid(), c.paid) {
				t.Fatalf("emails %q, paid %v", subjects(got), p.paid())
			}
			for i, l := range got {
				for _, word := range strings.Fields(strings.ReplaceAll(c.says[i], "prvý raz", "prvý")) {
					if !strings.Contains(l.Blocks[1].Text, word) ||
						strings.Contains(l.Blocks[1].Text, "prvý") != strings.Contains(c.says[i], "prvý") {
						t.Errorf("it says %q, not %q", l.Blocks[1].Text, c.says[i])
					}
				}
			}
			if err := p.shop.Reconciliation.All(p.ctx); err != nil || len(p.drift()) != 0 {
				t.Errorf("drift %+v %v", p.drift(), err)
			}
		})
	}
}

// A reader of years whose payment a code has put off pays no full price for the first time.
func TestAReaderOfYearsPaysNoFullPriceForTheFirstTime(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.subscribe(1, access.Monthly)
	for range 5 {
		p.advance(28 * day)
		p.work()
	}
	if a := p.redeems(1, p.coupons(nil)[0]); a.Status != http.StatusOK {
		t.Fatal(a)
	}
	p.work()
	before := len(p.sent("renewal"))
	p.advance(51 * day)
	p.sweep()
	got := p.sent("renewal")
	if len(got) != before+1 || strings.Contains(got[before].Blocks[1].Text, "prvý raz") ||
		!strings.Contains(got[before].Blocks[1].Text, "7,96") {
		t.Errorf("%d emails, %+v", len(got)-before, got)
	}
}
