package billing

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/reconcile"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
)

type driftRow struct {
	ProviderID, Kind, Detail string
	Repaired                 bool
}

func (p *env) drift() (rows []driftRow) {
	p.t.Helper()
	p.view(func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT provider_id, kind, detail, repaired_at IS NOT NULL AS repaired FROM billing_drift ORDER "+
			"BY id").Scan(ctx, &rows)
	})
	return rows
}

// Both reconcilers find what was never told, write down what differed, and repair it; where nothing differs they write
// nothing.
func TestDrift(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func(*reconcile.Service, context.Context) error{
		"touched": (*reconcile.Service).Changed,
		"all":     (*reconcile.Service).All,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			ids := map[int64]string{}
			for reader := int64(1); reader <= 3; reader++ {
				ids[reader] = p.subscribe(reader, access.Monthly).ProviderID
			}
			again := func() {
				t.Helper()
				if err := run(p.shop.Reconciliation, p.ctx); err != nil {
					t.Fatal(err)
				}
			}
			again()
			if rows := p.drift(); len(rows) != 0 {
				t.Fatalf("where nothing differs: %+v", rows)
			}
			if err := p.box.SetFaults(sandbox.Faults{Webhooks: "drop"}); err != nil {
				t.Fatal(err)
			}
			p.api(http.MethodDelete, "subscriptions/"+ids[1], nil)
			p.api(http.MethodPost, "subscriptions/"+ids[2], url.Values{"cancel_at_period_end": {"true"}})
			p.buy(p.order(4, access.Yearly), goodCard)
			p.work()
			again()
			again()
			rows, kinds := p.drift(), []string{}
			for _, r := range rows {
				if !r.Repaired {
					t.Errorf("not repaired: %+v", r)
				}
				kinds = append(kinds, r.Kind+" "+r.Detail)
			}
			remote := strings.Join(kinds, "\n")
			if len(rows) != 2 || !strings.Contains(remote, "different cancel_at_period_end") {
				t.Errorf("written down: %q", kinds)
			}
			if p.subscriptions(1)[0].Status != stripe.Canceled || !p.subscriptions(2)[0].CancelAtPeriodEnd ||
				len(p.subscriptions(4)) != 1 || p.subscriptions(3)[0].Status != stripe.Active {
				t.Error("not as the provider has it")
			}
		})
	}
}

// What cannot be repaired at once is known until it is, with its age.
func TestDriftIsTriedAgain(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	s := p.subscribe(1, access.Monthly)
	if err := p.box.SetFaults(sandbox.Faults{Webhooks: "drop", API: "500"}); err != nil {
		t.Fatal(err)
	}
	if err := p.shop.Reconciliation.Repair(p.ctx,
		[]reconcile.Drift{{ProviderID: s.ProviderID, Kind: reconcile.DriftDifferent, Detail: "status"}}); err == nil {
		t.Fatal("repaired without the provider")
	}
	p.advance(20 * time.Minute)
	if err := p.shop.Reconciliation.RepairDrift(p.ctx); err == nil {
		t.Fatal("repaired without the provider")
	}
	if age := p.shop.Reconciliation.DriftAges()[p.ed.ID]; age < 20*time.Minute || age > 21*time.Minute {
		t.Errorf("its age is %s", age)
	}
	if err := p.box.SetFaults(sandbox.Faults{API: "none"}); err != nil {
		t.Fatal(err)
	}
	if err := p.shop.Reconciliation.RepairDrift(p.ctx); err != nil {
		t.Fatal(err)
	}
	if age, ok := p.shop.Reconciliation.DriftAges()[p.ed.ID]; age != 0 || !ok || !p.drift()[0].Repaired {
		t.Errorf("repaired, its age is %s (%t): %+v", age, ok, p.drift())
	}
}
