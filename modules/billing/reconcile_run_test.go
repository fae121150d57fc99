package billing

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/reconcile"
	"example.org/broadsheet/platform/db"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
)

// slow is the paper's shop at a provider that has answered a number of calls when the time of a run is over.
func (p *env) slow(answers int64) (shop *Module, run func(func(*reconcile.Service, context.Context) error) error) {
	p.t.Helper()
	to, err := url.Parse(p.box.BaseURL())
	if err != nil {
		p.t.Fatal(err)
	}
	var left atomic.Int64
	var over context.CancelFunc
	behind := httputil.NewSingleHostReverseProxy(to)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if left.Add(-1) < 0 {
			over()
			<-r.Context().Done()
			return
		}
		behind.ServeHTTP(w, r)
	}))
	p.t.Cleanup(front.Close)
	shop = p.module(p.providerAt(front.URL))
	return shop, func(fn func(*reconcile.Service, context.Context) error) error {
		ctx, cancel := context.WithCancel(p.ctx)
		defer cancel()
		over = cancel
		left.Store(answers)
		return fn(shop.Reconciliation, ctx)
	}
}

// A comparison whose time is over before it is through has written down what it found, and the next one goes on where
// it was: run by run everything is repaired, although no run alone could do it.
func TestAComparisonGoesOnWhereItWasInterrupted(t *testing.T) {
	t.Parallel()
	for name, compare := range map[string]func(*reconcile.Service, context.Context) error{
		"touched": (*reconcile.Service).Changed,
		"all":     (*reconcile.Service).All,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			p.fault(sandbox.Faults{Webhooks: "drop"})
			customer, _ := p.api(http.MethodPost, "customers", url.Values{"email": {"many@example.org"}})["id"].(string)
			price, _ := p.api(http.MethodPost, "prices",
				url.Values{
					"currency": {"eur"}, "unit_amount": {"500"}, "recurring[interval]": {"month"},
					"product_data[name]": {"by hand"},
				})["id"].(string)
			const readers = 60
			for reader := range readers {
				p.api(http.MethodPost, "subscriptions", url.Values{
					"customer": {customer}, "items[0][price]": {price}, "trial_period_days": {"30"},
					"metadata[edition]": {p.ed.ID}, "metadata[reader_id]": {fmt.Sprint(reader + 1)},
					"metadata[reader_public_id]": {fmt.Sprintf("public-%d-0", reader+1)},
				})
			}
			_, run := p.slow(45)
			known := func() int { return p.count("SELECT count(*) FROM billing_subscriptions") }
			written := func() int { return p.count("SELECT count(*) FROM billing_drift") }
			interrupted, before := 0, 0
			for range 20 {
				err := run(compare)
				if written() < before {
					t.Fatal("it has forgotten what it had found")
				}
				if before = written(); err == nil {
					break
				}
				if !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				interrupted++
				if err := run((*reconcile.Service).RepairDrift); err != nil && !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
			}
			if interrupted == 0 {
				t.Fatal("no run was interrupted")
			}
			for range 10 {
				_ = run((*reconcile.Service).RepairDrift)
			}
			if n := known(); n != readers || written() != readers {
				t.Errorf("%d of %d are here, %d were found, in %d runs", n, readers, written(), interrupted+1)
			}
		})
	}
}

// Everything is compared once a day, and what is not through goes on every hour.
func TestTheNightlyComparisonIsDaily(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	began := func() (at time.Time) {
		t.Helper()
		if err := p.shop.Reconciliation.Nightly(p.ctx); err != nil {
			t.Fatal(err)
		}
		p.view(func(ctx context.Context, tx db.Tx) error {
			r, err := reconcile.FindRun(ctx, tx, reconcile.RunAll)
			if err == nil && r != nil {
				at = r.BeganAt
			}
			return err
		})
		return at
	}
	first := began()
	p.advance(time.Hour)
	if at := began(); !at.Equal(first) {
		t.Error("it was done again within the day")
	}
	p.view(func(ctx context.Context, tx db.Tx) error {
		return reconcile.PutRun(ctx, tx, &reconcile.Run{Name: reconcile.RunAll, Stage: 2, BeganAt: first})
	})
	if at := began(); !at.Equal(first) ||
		p.count("SELECT count(*) FROM billing_rounds WHERE finished_at IS NOT NULL") != 1 {
		t.Error("what was not through was not gone on with")
	}
	p.advance(24 * time.Hour)
	if at := began(); !at.After(first) {
		t.Error("it was not done on the next day")
	}
}
