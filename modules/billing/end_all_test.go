package billing

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/i18n"
)

// refusing has the shop speak to a provider that refuses whatever would change one subscription, while that is asked
// for.
func (p *env) refusing(id string, refuses *atomic.Bool) {
	p.t.Helper()
	base, err := url.Parse(p.box.BaseURL())
	if err != nil {
		p.t.Fatal(err)
	}
	pass := httputil.NewSingleHostReverseProxy(base)
	line := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refuses.Load() && r.Method != http.MethodGet && strings.Contains(r.URL.Path, "/subscriptions/"+id) {
			w.WriteHeader(http.StatusPaymentRequired)
			_, _ = w.Write([]byte(`{"error":{"type":"invalid_request_error","message":"not now"}}`))
			return
		}
		r.Host = base.Host
		pass.ServeHTTP(w, r)
	}))
	p.t.Cleanup(line.Close)
	p.restart(p.providerAt(line.URL))
}

// All subscriptions of an edition end, whatever their state; one that the provider refuses does not keep the others
// back, is named, and ends when it is tried again. Each reader gets one email with the day, reads until then, and is
// charged no more.
func TestEndAll(t *testing.T) {
	t.Parallel()
	kinds := []string{"past due", "paid", "paused", "to be paid for later", "cancelled"}
	for at, refused := range kinds {
		t.Run(refused+" is refused", func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			reader := func(kind int) int64 { return int64(kind) + 11 }
			p.swapCard(p.subscribe(reader(0), access.Monthly), laterCard)
			p.advance(28*day + time.Minute)
			p.work()
			for kind := range kinds[1:] {
				if kind+1 == 3 {
					p.grants(reader(3), p.db.Now().Add(10*day))
				}
				p.buy(p.order(reader(kind+1), access.Monthly), goodCard)
			}
			p.work()
			p.change(reader(2), pauseTwo)
			p.change(reader(4), cancels)
			p.work()
			ids := make([]string, len(kinds))
			for kind := range kinds {
				list := p.subscriptions(reader(kind))
				ids[kind] = list[len(list)-1].ProviderID
			}
			if r, err := subscription.RunningIn(p.ctx, p.db); err != nil || r.Count != 5 || r.Renews != 4 {
				t.Fatalf("before: got %+v, %v", r, err)
			}
			before := len(p.sent("subscription_changed"))
			var refuses atomic.Bool
			refuses.Store(true)
			p.refusing(ids[at], &refuses)
			err := p.shop.Subscriptions.EndAll(p.ctx)
			if quiet := kinds[at] == "cancelled"; (err == nil) != quiet || // it is marked already, and nothing is asked for
				err != nil && !strings.Contains(err.Error(), ids[at]) {
				t.Errorf("got %v, want an error that names %s", err, ids[at])
			}
			for kind, id := range ids {
				remote := p.api(http.MethodGet, "subscriptions/"+id, nil)
				ends := remote["status"] == "canceled" || remote["cancel_at_period_end"] == true
				if want := kind != at || kinds[at] == "cancelled"; ends != want {
					t.Errorf("%s, while %s is refused: got %v and an end %v, want an end: %t", kinds[kind], refused,
						remote["status"], remote["cancel_at_period_end"], want)
				}
			}
			refuses.Store(false)
			for range 2 { // the second time, nothing is left to do
				if err := p.shop.Subscriptions.EndAll(p.ctx); err != nil {
					t.Errorf("again: %v", err)
				}
				p.work()
			}
			p.endedAll(kinds, reader, before)
		})
	}
}

// endedAll looks at what the readers were told, and at what comes of it.
func (p *env) endedAll(kinds []string, reader func(int) int64, before int) {
	p.t.Helper()
	last := time.Time{}
	for kind, name := range kinds {
		list := p.subscriptions(reader(kind))
		s := list[len(list)-1]
		profile := p.state(reader(kind))
		told, day := 0, ""
		for i, l := range p.sent("subscription_changed") {
			if l.To != (&ending{reader: reader(kind)}).email() || i < before && name != "cancelled" {
				continue
			}
			told++
			for _, b := range l.Blocks {
				if m := saysEnd.FindStringSubmatch(b.Text); m != nil {
					day = m[2]
				}
			}
		}
		end := s.PeriodEnd
		if name == "past due" {
			end = s.AccessEnded(p.ed.Billing.GraceDays)
		}
		if want := i18n.Date(p.ed, end); told != 1 || day != want {
			p.t.Errorf("%s: got %d emails, the end on %q, want one with %s", name, told, day, want)
		}
		if profile.Payment != nil || profile.Until == nil || !profile.Until.Equal(end) {
			p.t.Errorf("%s: the profile says %+v, want the end %s", name, profile, end)
		}
		if until, _, _, _ := p.standing(reader(kind)); until.IsZero() != (name == "past due") ||
			!until.IsZero() && !until.Equal(end) {
			p.t.Errorf("%s: reads until %s, want %s", name, until, end)
		}
		last = access.Later(last, end)
	}
	paid := len(p.paid())
	for p.db.Now().Before(last.Add(60 * day)) {
		p.advance(7 * day)
		p.work()
		p.sweep()
	}
	if got := len(p.paid()); got != paid {
		p.t.Errorf("%d payments came after it", got-paid)
	}
	if open := p.listed("invoices?status=open&limit=100"); len(open) != 0 {
		p.t.Errorf("%d invoices can be paid", len(open))
	}
	if r, err := subscription.RunningIn(p.ctx, p.db); err != nil || r.Count != 0 {
		p.t.Errorf("in the end: got %+v, %v", r, err)
	}
}
