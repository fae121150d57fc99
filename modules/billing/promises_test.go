package billing

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/modules/billing/withdrawal"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/privacy"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
)

// ending is one reader whose subscription ends, in one way, from one state, while the bank does one thing.
type ending struct {
	way, bank string
	reader    int64
	id        string // of the subscription, at the provider
	invoice   string // address on which its latest invoice is paid
	paid      int    // invoices before the end
}

func (e *ending) email() string { return fmt.Sprintf("reader%d@example.org", e.reader) }

// fortnights has the product renewed every two weeks, so that a renewal falls into the days of withdrawal.
func fortnights(intro *edition.Intro) func(*edition.Document) {
	return func(d *edition.Document) {
		for i := range d.Billing.Products {
			if p := &d.Billing.Products[i]; p.Type == access.Monthly {
				p.Interval, p.Intro = edition.Interval{Unit: "week", Count: 2}, intro
			}
		}
	}
}

const fortnight = 14 * day

// waysToEnd are all that ends a subscription.
var waysToEnd = map[string]func(p *env, e *ending){
	"profile": func(p *env, e *ending) {
		p.post(e.reader, "/fns/stripe-subscription", `{"action":"cancel"}`)
	},
	"portal, with the period": func(p *env, e *ending) { p.portal(e, "at_period_end") },
	"portal, at once":         func(p *env, e *ending) { p.portal(e, "immediately") },
	"support":                 func(p *env, e *ending) { p.api(http.MethodDelete, "subscriptions/"+e.id, nil) },
	"withdrawal": func(p *env, e *ending) {
		p.withdraws(e.reader, p.states(e.email(), withdrawal.OfSubscription))
	},
	"withdrawal without login": func(p *env, e *ending) {
		p.states(e.email(), withdrawal.OfSubscription)
		p.confirms(p.mailedLink(e.email()))
	},
	"deletion": func(p *env, e *ending) {
		if err := p.shop.Erase(p.ctx, privacy.Reader{ID: e.reader, Email: e.email(), Until: p.db.Now()}); err != nil {
			p.t.Error(err)
		}
	},
	"refund":  func(p *env, e *ending) { p.refund(access.Subscription{ProviderID: e.id}, "") },
	"dunning": func(*env, *ending) {}, // the sweep does it
	"edition": func(p *env, e *ending) {
		if err := p.shop.Subscriptions.End(p.ctx, e.id, access.WithPeriod); err != nil { // as EndAll does
			p.t.Error(err)
		}
	},
}

// portal cancels as the provider's portal does.
func (p *env) portal(e *ending, mode string) {
	p.t.Helper()
	remote := p.api(http.MethodGet, "subscriptions/"+e.id, nil)
	config := p.api(http.MethodPost, "billing_portal/configurations", url.Values{
		"business_profile[headline]":               {""},
		"features[subscription_cancel][enabled]":   {"true"},
		"features[subscription_cancel][mode]":      {mode},
		"features[invoice_history][enabled]":       {"true"},
		"features[payment_method_update][enabled]": {"true"},
	})
	visit := p.api(http.MethodPost, "billing_portal/sessions", url.Values{
		"customer": {fmt.Sprint(remote["customer"])}, "configuration": {fmt.Sprint(config["id"])},
		"return_url": {"https://example.org/"},
	})
	res, body := p.submit(fmt.Sprint(visit["url"])+"/cancel", url.Values{"subscription": {e.id}})
	if res.StatusCode >= 400 {
		p.t.Errorf("portal: %d %.500s", res.StatusCode, body)
	}
}

// banks are what the bank does after it.
var banks = map[string]string{
	"pays": "pm_card_visa", "declines": "pm_card_chargeCustomerFail", "asks": "pm_card_authenticationRequired",
	"is paid on the page": "pm_card_chargeCustomerFail",
}

// lives before the end, each with an edition of its own.
var promiseStates = []struct {
	name    string
	intro   *edition.Intro
	o       sandbox.Options
	product string
	before  func(p *env, reader int64) // it buys
	after   func(p *env, list []*ending)
	wait    time.Duration // after the renewal; zero: before it
	renews  bool
	unpaid  bool // an invoice is open, or a draft
	refunds bool // what was paid for the running period can be paid back
}{
	{name: "active", refunds: true, after: later(3 * day)},
	{name: "active, renewed", refunds: true, renews: true, after: later(fortnight + time.Hour)},
	{name: "past due, day 0", renews: true, unpaid: true, after: fails(time.Minute)},
	{name: "past due, day 3", renews: true, unpaid: true, after: fails(3*day + time.Hour)},
	{name: "past due, day 7", renews: true, unpaid: true, after: fails(7*day - time.Hour)},
	{name: "unpaid", renews: true, unpaid: true, after: fails(7*day + time.Hour)},
	{
		name: "past due, given up as uncollectible", renews: true, unpaid: true, after: func(p *env, list []*ending) {
			fails(day)(p, list)
			for _, e := range list {
				p.api(http.MethodPost, "invoices/"+p.latest(access.Subscription{ProviderID: e.id})+"/mark_uncollectible", nil)
			}
			p.work()
			p.advance(time.Hour)
		},
	},
	{
		name: "a draft of a renewal", o: sandbox.Options{DraftFor: time.Hour}, renews: true, unpaid: true,
		after: fails(20 * time.Minute),
	},
	{name: "paused", refunds: true, after: func(p *env, list []*ending) {
		p.advance(2 * day)
		for _, e := range list {
			p.post(e.reader, "/fns/stripe-subscription", `{"action":"pause","periods":2}`)
		}
		p.work()
		p.advance(day)
	}},
	{name: "paused, in a period that is left out", renews: true, after: func(p *env, list []*ending) {
		for _, e := range list {
			p.post(e.reader, "/fns/stripe-subscription", `{"action":"pause","periods":2}`)
		}
		p.work()
		p.advance(fortnight + 2*day)
	}},
	{
		name: "trial", before: func(p *env, reader int64) { p.grants(reader, p.db.Now().Add(10*day)) },
		after: later(3 * day),
	},
	{name: "given time", after: func(p *env, list []*ending) {
		for _, e := range list {
			if a := p.redeems(e.reader, p.coupons(nil)[0]); a.Status != http.StatusOK {
				p.t.Errorf("%d %v", a.Status, a.Body)
			}
		}
		p.work()
		p.advance(day)
	}},
	{name: "introductory price", intro: &edition.Intro{Amount: 100, Periods: 3}, refunds: true, after: later(3 * day)},
	{
		name: "introductory price, past due", intro: &edition.Intro{Amount: 100, Periods: 3}, renews: true, unpaid: true,
		after: fails(time.Hour),
	},
	{name: "cancelled", refunds: true, after: func(p *env, list []*ending) {
		for _, e := range list {
			p.post(e.reader, "/fns/stripe-subscription", `{"action":"cancel"}`)
		}
		p.work()
		p.advance(day)
	}},
	{name: "to be switched", product: access.Yearly, refunds: true, after: func(p *env, list []*ending) {
		for _, e := range list {
			p.post(e.reader, "/fns/stripe-subscription", switchTo(p.plans(e.reader)[0]))
		}
		p.work()
		p.advance(day)
	}},
}

func later(d time.Duration) func(*env, []*ending) { return func(p *env, _ []*ending) { p.advance(d) } }

// fails lets the renewal fail, and time pass after it.
func fails(d time.Duration) func(*env, []*ending) {
	return func(p *env, list []*ending) {
		for _, e := range list {
			p.cardAt(e, "pm_card_chargeCustomerFail")
		}
		p.advance(fortnight)
		for left := d; left > 0; left -= day {
			p.work()
			p.sweep()
			p.advance(min(left, day))
		}
	}
}

// cardAt gives a subscription another card.
func (p *env) cardAt(e *ending, token string) {
	p.t.Helper()
	customer := fmt.Sprint(p.api(http.MethodGet, "subscriptions/"+e.id, nil)["customer"])
	method := p.api(http.MethodPost, "payment_methods/"+token+"/attach", url.Values{"customer": {customer}})
	p.api(http.MethodPost, "subscriptions/"+e.id, url.Values{"default_payment_method": {fmt.Sprint(method["id"])}})
}

// TestPromises compares what the email and the profile say with access and with what is charged, for all that ends a
// subscription, in all states, and for all that the bank can do next.
func TestPromises(t *testing.T) {
	t.Parallel()
	var tried, broken atomic.Int64
	t.Run("states", func(t *testing.T) {
		for _, s := range promiseStates {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				p := newEnvsAt(t, s.o, 1, fortnights(s.intro))[0]
				list := []*ending{}
				for way := range waysToEnd {
					switch {
					case way == "refund" && !s.refunds, way == "dunning" && !s.unpaid:
						continue
					}
					for bank := range banks {
						if s.unpaid || bank == "pays" {
							list = append(list, &ending{way: way, bank: bank, reader: int64(len(list)) + 11})
						}
					}
				}
				for _, e := range list {
					if s.before != nil {
						s.before(p, e.reader)
					}
					product := s.product
					if product == "" {
						product = access.Monthly
					}
					p.buy(p.order(e.reader, product), goodCard)
				}
				p.work()
				for _, e := range list {
					e.id = p.subscriptions(e.reader)[0].ProviderID
				}
				s.after(p, list)
				p.work()
				p.sweep()
				n, bad := p.endAll(list)
				tried.Add(int64(n))
				broken.Add(int64(bad))
			})
		}
	})
	t.Logf("ways × states tried: %d, promises broken: %d", tried.Load(), broken.Load())
	if tried.Load() < 250 {
		t.Error("too little was tried")
	}
}

// saysEnd finds the day that an email names.
var saysEnd = regexp.MustCompile(`sa (skončí|skončilo) (\d\d\.\d\d\.\d{4})`)

// promise is what a reader was told.
type promise struct {
	end, reads string // days
	told       int    // emails
}

func (p *env) endAll(list []*ending) (tried, broken int) {
	p.t.Helper()
	for _, e := range list {
		remote := p.api(http.MethodGet, "subscriptions/"+e.id, nil)
		if in, _ := remote["latest_invoice"].(string); in != "" {
			e.invoice, _ = p.api(http.MethodGet, "invoices/"+in, nil)["hosted_invoice_url"].(string)
		}
		if remote["status"] != "canceled" {
			p.cardAt(e, banks[e.bank])
		}
	}
	p.work()
	for _, e := range list {
		e.paid = len(p.listed("invoices?status=paid&limit=100&subscription=" + e.id))
	}
	before := len(p.emails)
	for _, e := range list {
		waysToEnd[e.way](p, e)
	}
	p.work()
	p.sweep()
	for _, e := range list {
		if e.bank == "is paid on the page" && e.invoice != "" {
			p.submit(e.invoice, card(goodCard))
		}
	}
	p.work()
	promises := map[int64]*promise{}
	look := func(since int) {
		for _, l := range p.emails[since:] {
			for _, e := range list {
				if l.To == e.email() && l.Kind == "subscription_changed" {
					p.note(promises, e, l)
				}
			}
		}
	}
	look(0) // it may have been cancelled before
	for _, said := range promises {
		said.told = 0
	}
	for _, l := range p.emails[before:] {
		for _, e := range list {
			if said := promises[e.reader]; said != nil && l.To == e.email() && l.Kind == "subscription_changed" {
				said.told++
			}
		}
	}
	for _, step := range []time.Duration{0, time.Hour, 2*day + 23*time.Hour, 4 * day, 2 * day, fortnight, fortnight} {
		since := len(p.emails)
		p.advance(step)
		p.work()
		p.sweep()
		look(since)
		for _, e := range list {
			if e.way != "deletion" {
				broken += p.holds(e, promises[e.reader])
			}
		}
	}
	for _, e := range list {
		tried++
		broken += p.endsWell(e, promises[e.reader])
	}
	return tried, broken
}

func (p *env) note(promises map[int64]*promise, e *ending, l mail.Message) {
	now := promise{told: 1}
	if old := promises[e.reader]; old != nil {
		now.told += old.told
	}
	for _, b := range l.Blocks {
		if m := saysEnd.FindStringSubmatch(b.Text); m != nil {
			now.end = m[2]
		}
		if _, day, found := strings.Cut(b.Text, "čítať ďalej do "); found {
			now.reads = day[:len("02.01.2006")]
		}
	}
	if now.end != "" { // else it is about something else
		promises[e.reader] = &now
	}
}

// holds compares what was said with the profile and with access at this moment.
func (p *env) holds(e *ending, said *promise) (broken int) {
	p.t.Helper()
	fail := func(format string, args ...any) {
		broken++
		p.t.Errorf("%s, bank %s, at %s: %s", e.way, e.bank, p.db.Now().Format(time.DateTime), fmt.Sprintf(format, args...))
	}
	if said == nil {
		return 0
	}
	last, now := said.end, p.db.Now()
	if said.reads != "" {
		last = said.reads
	}
	state := p.state(e.reader)
	if until, _, _, _ := p.standing(e.reader); !until.IsZero() {
		if i18n.Date(p.ed, until) != last {
			fail("said %s, reads until %s", last, until)
		}
	} else if end, err := time.ParseInLocation("02.01.2006", last, p.ed.Location); err != nil || end.After(now) {
		fail("said %s, reads no more", last)
	}
	switch state.State {
	case subscription.StateEnding, subscription.StateExpired, subscription.StateGiven, subscription.StateGranted:
	default:
		fail("profile is %s", state.State)
	}
	if state.Until == nil || i18n.Date(p.ed, *state.Until) != last && i18n.Date(p.ed, *state.Until) != said.end {
		fail("said %s, profile %+v", last, state)
	}
	if state.Payment != nil {
		fail("profile names a payment %+v", state.Payment)
	}
	return broken
}

// endsWell looks at the provider after all of it.
func (p *env) endsWell(e *ending, said *promise) (broken int) {
	p.t.Helper()
	fail := func(format string, args ...any) {
		broken++
		p.t.Errorf("%s, bank %s: %s", e.way, e.bank, fmt.Sprintf(format, args...))
	}
	remote, err := p.account().Subscription(p.ctx, e.id)
	if err != nil {
		p.t.Fatal(err)
	}
	if said == nil && e.way != "deletion" {
		// Too late for a withdrawal, or the bank has paid after all.
		late := strings.HasPrefix(e.way, "withdrawal") || e.way == "dunning" && e.bank != "declines"
		if !late || remote.Status.Final() {
			fail("nothing was said, it is %s", remote.Status)
		}
		return broken
	}
	if said != nil && said.told > 1 {
		fail("%d emails about the end", said.told)
	}
	yearly := remote.Product == access.Yearly && remote.CancelAtPeriodEnd
	if remote.Status != stripe.Canceled && !yearly {
		fail("at the provider it is %s", remote.Status)
	}
	paid := p.listed("invoices?status=paid&limit=100&subscription=" + e.id)
	if e.way != "dunning" && len(paid) != e.paid {
		fail("%d payments became %d", e.paid, len(paid))
	}
	for _, in := range p.listed("invoices?limit=100&subscription=" + e.id) {
		if in["status"] != "paid" && in["status"] != "void" {
			fail("an invoice is %s", in["status"])
		}
	}
	return broken
}
