package billing

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/db"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
)

// What a person has settled is looked at again, and waits again if it is still wrong; it is told once each time.
func TestTheReviewQueue(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	var logged bytes.Buffer
	p.restart(func(d *Deps) { d.Log = slog.New(slog.NewTextHandler(&logged, nil)) })
	customer, _ := p.api(http.MethodPost, "customers", url.Values{"email": {"nobody@example.org"}})["id"].(string)
	price, _ := p.api(http.MethodPost, "prices",
		url.Values{
			"currency": {"eur"}, "unit_amount": {"500"}, "recurring[interval]": {"month"},
			"product_data[name]": {"by hand"},
		})["id"].(string)
	p.fault(sandbox.Faults{Webhooks: "drop"})
	id, _ := p.api(http.MethodPost, "subscriptions",
		url.Values{
			"customer": {customer}, "items[0][price]": {price}, "trial_period_days": {"30"},
			"metadata[product]": {access.Monthly},
		})["id"].(string)
	look := func() {
		t.Helper()
		for _, err := range []error{p.shop.Reconciliation.All(p.ctx), p.shop.Reconciliation.RepairDrift(p.ctx)} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	waits := func(when string, want int) access.Review {
		t.Helper()
		list, err := p.shop.Access.Reviews(p.ctx, false)
		if err != nil || len(list) != want {
			t.Fatalf("%s: %+v %v", when, list, err)
		}
		if got := p.shop.Reconciliation.WaitingForPersons()[p.ed.ID].Reviews[access.ReviewUnknown]; got != want {
			t.Errorf("%s: counted %d", when, got)
		}
		if want == 0 {
			return access.Review{}
		}
		return list[0]
	}
	look()
	look()
	first := waits("found", 1)
	if first.Kind != access.ReviewUnknown || first.ProviderID != id ||
		strings.Count(logged.String(), "added to the review queue") != 1 {
		t.Errorf("%+v, told %q", first, logged.String())
	}
	if _, err := p.shop.ResolveReview(p.ctx, first.ID, false, true); err != nil {
		t.Fatal(err)
	}
	if list, _ := p.shop.Access.Reviews(p.ctx, false); len(list) != 1 {
		t.Error("a rehearsal has settled it")
	}
	if _, err := p.shop.ResolveReview(p.ctx, first.ID, false, false); err != nil {
		t.Fatal(err)
	}
	if err := p.shop.Reconciliation.RepairDrift(p.ctx); err != nil {
		t.Fatal(err)
	}
	waits("still wrong", 1)
	if strings.Count(logged.String(), "added to the review queue") != 2 {
		t.Errorf("told %q", logged.String())
	}
	p.view(func(ctx context.Context, tx db.Tx) error { // which is what the person does
		_, err := access.PutCustomer(ctx, tx, 5, customer)
		return err
	})
	if _, err := p.shop.ResolveReview(p.ctx, first.ID, false, false); err != nil {
		t.Fatal(err)
	}
	if err := p.shop.Reconciliation.RepairDrift(p.ctx); err != nil {
		t.Fatal(err)
	}
	waits("set right", 0)
	if s := p.subscriptions(5); len(s) != 1 || s[0].ProviderID != id || p.drift()[len(p.drift())-1].Repaired != true {
		t.Errorf("%+v", s)
	}
	if _, err := p.shop.ResolveReview(p.ctx, first.ID, false, false); err == nil {
		t.Error("settled what does not wait")
	}
}

// A payment that the bank took back stays so: once settled, it does not wait again, whatever the provider reports.
func TestASettledDisputeStaysSettled(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	again := func() (fresh bool) {
		p.view(func(ctx context.Context, tx db.Tx) (err error) {
			fresh, err = access.PutReview(ctx, tx, access.ReviewDispute, "in_1", 1, "invoice 1")
			return err
		})
		return fresh
	}
	if !again() || again() {
		t.Fatal("it does not wait once")
	}
	list, err := p.shop.Access.Reviews(p.ctx, false)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if _, err := p.shop.ResolveReview(p.ctx, list[0].ID, false, false); err != nil {
		t.Fatal(err)
	}
	if again() {
		t.Error("it waits again")
	}
}
