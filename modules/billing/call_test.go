package billing

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/db"
)

// What readers do that reaches the provider has one budget for each of them, whatever they do, and one for all of an
// edition.
func TestReadersDoNotUseUpTheProvider(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.subscribe(1, access.Monthly)
	p.advance(time.Hour)
	does := []func() int{
		func() int { return p.post(1, "/fns/stripe-update-subscription", `{}`).Status },
		func() int { return p.post(1, "/fns/stripe-subscription", `{"action":"resume"}`).Status },
		func() int {
			if to := p.ask(1, "/fns/billing-portal", "Sec-Fetch-Site", "same-origin").
				Header.Get("Location"); to == "/account/profile?status=TOO_MANY_REQUESTS" {
				return http.StatusTooManyRequests
			}
			return http.StatusOK
		},
	}
	for i := range subscription.ReaderCalls.Max {
		if got := does[i%len(does)](); got != http.StatusOK {
			t.Fatalf("call %d: %d", i, got)
		}
	}
	for i, do := range does {
		if got := do(); got != http.StatusTooManyRequests {
			t.Errorf("call %d of one too many: %d", i, got)
		}
	}
	if a := p.ask(1, "/fns/billing-portal/back", "Sec-Fetch-Site",
		"same-origin"); a.Header.Get("Location") != "/account/profile" {
		t.Errorf("back from the portal: %v", a)
	}
	if d, err := p.shop.Subscriptions.PlanForm(p.ctx, 1); err != nil || !d.(subscription.PlanData).Away {
		t.Errorf("%+v %v", d, err)
	}
	p.order(2, access.Monthly) // another reader's is another budget
	p.view(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw("UPDATE rate_limits SET used = ? WHERE bucket LIKE ?", subscription.EditionCalls.Max,
			subscription.EditionCalls.Name+":%").Exec(ctx)
		return err
	})
	if a := p.post(3, "/fns/stripe-payment",
		`{"product_type":"product_monthly"}`); a.Status != http.StatusTooManyRequests {
		t.Errorf("beyond the edition's: %d", a.Status)
	}
	p.advance(11 * time.Minute)
	if got := does[0](); got != http.StatusOK {
		t.Errorf("later: %d", got)
	}
}

// A provider that says nothing keeps nobody waiting for a second try.
func TestASilentProviderIsAskedOnce(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.subscribe(1, access.Monthly)
	var asked atomic.Int64
	over := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked.Add(1)
		<-over
	}))
	t.Cleanup(func() { close(over); silent.Close() })
	p.restart(p.providerAt(silent.URL), func(d *Deps) { d.ReaderTimeout = 300 * time.Millisecond })
	if subscription.DefaultReaderTimeout > 8*time.Second {
		t.Errorf("readers wait for %s", subscription.DefaultReaderTimeout)
	}
	for name, c := range map[string]struct {
		do   func() answer
		want string
	}{
		"an order": {func() answer {
			return p.post(2, "/fns/stripe-payment", `{"product_type":"product_monthly"}`)
		}, "503 PAYMENT_FAILED"},
		"a look":   {func() answer { return p.post(1, "/fns/stripe-update-subscription", `{}`) }, "503 PAYMENT_FAILED"},
		"a change": {func() answer { return p.post(1, "/fns/stripe-subscription", `{"action":"cancel"}`) }, "503 OVERLOADED"},
	} {
		asked.Store(0)
		a := c.do()
		if got := fmt.Sprint(a.Status, " ", a.Body["error"]); got != c.want || asked.Load() != 1 {
			t.Errorf("%s: %s after %d calls", name, got, asked.Load())
		}
	}
}
