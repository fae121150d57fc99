package billing

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/i18n"
)

// beforeVoid has the shop speak to a provider at which something happens first when an invoice is voided. It reports
// whether the provider is asked all the same.
func (p *env) beforeVoid(happens func(invoice string) bool) {
	p.t.Helper()
	base, err := url.Parse(p.box.BaseURL())
	if err != nil {
		p.t.Fatal(err)
	}
	pass := httputil.NewSingleHostReverseProxy(base)
	line := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if of, found := strings.CutSuffix(r.URL.Path, "/void"); found && !happens(of[strings.LastIndex(of, "/")+1:]) {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		r.Host = base.Host
		pass.ServeHTTP(w, r)
	}))
	p.t.Cleanup(line.Close)
	p.restart(p.providerAt(line.URL))
}

// pastDue is a subscription whose renewal has failed.
func (p *env) pastDue() access.Subscription {
	p.t.Helper()
	p.swapCard(p.subscribe(1, access.Monthly), laterCard)
	p.advance(28*day + time.Minute)
	p.work()
	s := p.subscriptions(1)[0]
	if s.Status != stripe.PastDue {
		p.t.Fatalf("it is %s", s.Status)
	}
	return s
}

// A payment that succeeds while the subscription is being ended is not lost: the reader who cancels reads to the end of
// what was paid, and who did not cancel goes on.
func TestEnding_PaidMeanwhile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end     func(p *env)
		cancels bool
	}{
		"cancelled by the reader": {func(p *env) { p.change(1, `{"action":"cancel"}`) }, true},
		"given up": {func(p *env) {
			p.advance(8 * day)
			if err := p.shop.Subscriptions.GiveUpOverdue(p.ctx); err != nil {
				p.t.Error(err)
			}
			p.work()
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			s := p.pastDue()
			customer := p.api(http.MethodGet, "subscriptions/"+s.ProviderID, nil)["customer"].(string)
			method, _ := p.api(http.MethodPost, "payment_methods/pm_card_visa/attach",
				url.Values{"customer": {customer}})["id"].(string)
			p.beforeVoid(func(invoice string) bool {
				if p.api(http.MethodGet, "invoices/"+invoice, nil)["status"] == "open" {
					p.api(http.MethodPost, "invoices/"+invoice+"/pay", url.Values{"payment_method": {method}})
				}
				return true
			})
			c.end(p)
			now, list := p.subscriptions(1)[0], p.sent("subscription_changed")
			if now.Status != stripe.Active || now.CancelAtPeriodEnd != c.cancels || len(p.paid()) != 2 {
				t.Errorf("it is %+v after payments of %v", now, p.paid())
			}
			if c.cancels != (len(list) == 1) {
				t.Fatalf("emails %q", subjects(list))
			}
			if c.cancels && !strings.Contains(list[0].Blocks[1].Text, "sa skončí "+i18n.Date(p.ed, now.PeriodEnd)) {
				t.Errorf("it ends on %s, the email says %s", now.PeriodEnd, list[0].Blocks[1].Text)
			}
			if state := p.state(1).State; c.cancels != (state == subscription.StateEnding) {
				t.Errorf("the profile says %s", state)
			}
		})
	}
}

// Nothing is said while the provider has not confirmed it, and what was interrupted is finished.
func TestEnding_Interrupted(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.pastDue()
	var away atomic.Bool
	away.Store(true)
	p.beforeVoid(func(string) bool { return !away.Load() })
	if !p.state(1).AtOnce {
		t.Error("the profile does not say that it ends at once")
	}
	p.post(1, "/fns/stripe-subscription", `{"action":"cancel"}`)
	if s := p.subscriptions(1)[0]; s.Status != stripe.PastDue || s.CancelAtPeriodEnd ||
		p.count("SELECT count(*) FROM outbox WHERE event = 'billing.subscription_changed'") != 0 {
		t.Errorf("the provider has confirmed nothing, and it is %+v", s)
	}
	away.Store(false)
	p.work()
	s, list := p.subscriptions(1)[0], p.sent("subscription_changed")
	if s.Status != stripe.Canceled || len(list) != 1 ||
		!strings.Contains(list[0].Blocks[1].Text, "sa skončilo "+i18n.Date(p.ed, s.EndedAt)) {
		t.Errorf("it is %s, emails %+v", s.Status, list)
	}
}

// The next look at a subscription finishes what was interrupted, also if the request to end it comes no second time.
func TestEnding_FinishedByTheNextLook(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	s := p.pastDue()
	var away atomic.Bool
	away.Store(true)
	p.beforeVoid(func(string) bool { return !away.Load() })
	if err := p.shop.Subscriptions.End(p.ctx, s.ProviderID, access.WithPeriod); err == nil {
		t.Fatal("got no error, want that of the provider")
	}
	away.Store(false)
	p.work()
	p.reported()
	if now := p.subscriptions(1)[0]; now.Status != stripe.Canceled || len(p.sent("subscription_changed")) != 1 {
		t.Errorf("got %s and %d emails, want it canceled and one", now.Status, len(p.sent("subscription_changed")))
	}
	if open := p.listed("invoices?status=open"); len(open) != 0 {
		t.Errorf("%d invoices can be paid", len(open))
	}
}

// What ends later than with its period is renewed before, and says so; then it ends on its day.
func TestEnding_LaterThanThePeriod(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	s := p.subscribe(1, access.Monthly)
	end := s.PeriodEnd.Add(10 * day)
	p.api(http.MethodPost, "subscriptions/"+s.ProviderID, url.Values{"cancel_at": {strconv.FormatInt(end.Unix(), 10)}})
	p.work()
	if n := len(p.sent("subscription_changed")); n != 0 || p.state(1).Payment == nil {
		t.Errorf("before the renewal: %d emails, profile %+v", n, p.state(1))
	}
	p.advance(28*day + time.Minute)
	p.work()
	list := p.sent("subscription_changed")
	if len(list) != 1 || !strings.Contains(list[0].Blocks[1].Text, i18n.Date(p.ed, end)) || p.state(1).Payment != nil {
		t.Errorf("after it: emails %+v, profile %+v", list, p.state(1))
	}
	p.advance(10 * day)
	p.work()
	if now := p.subscriptions(1)[0]; now.Status != stripe.Canceled || len(p.paid()) != 2 {
		t.Errorf("in the end it is %s after payments of %v", now.Status, p.paid())
	}
}
