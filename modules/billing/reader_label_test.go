package billing

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/testkit"
)

// restore brings the edition back to a dump of before anybody bought; who registers now gets the numbers of those who
// are lost. Readers who are kept were in the dump.
func (p *env) restore(lost bool) {
	p.t.Helper()
	owner := testkit.OwnerOf(p.ctx, p.t, p.db)
	err := owner.RunInTx(p.ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		var tables []string
		if err := tx.NewRaw("SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND (tablename LIKE "+
			"'billing%' OR tablename = 'outbox')").Scan(ctx, &tables); err != nil {
			return err
		}
		triggers := func(do string) (err error) { // documents are final
			for _, table := range tables {
				_, one := tx.NewRaw("ALTER TABLE " + table + " " + do + " TRIGGER USER").Exec(ctx)
				err = errors.Join(err, one)
			}
			return err
		}
		if err := triggers("DISABLE"); err != nil {
			return err
		}
		if _, err := tx.NewRaw("TRUNCATE " + strings.Join(tables, ", ") + " RESTART IDENTITY").Exec(ctx); err != nil {
			return err
		}
		return triggers("ENABLE")
	})
	if err != nil {
		p.t.Fatal(err)
	}
	if lost {
		p.restored++
	}
	p.shop = p.module()
	p.site.Config.Handler = p.handler()
}

func (p *env) reconciled() {
	p.t.Helper()
	for _, do := range []func(context.Context) error{
		p.shop.Reconciliation.Changed, p.shop.Reconciliation.All,
		p.shop.Reconciliation.RepairDrift,
	} {
		if err := do(p.ctx); err != nil {
			p.t.Fatal(err)
		}
	}
	p.work()
}

// After an older dump was restored, whoever registers has the number of a reader who is lost, and gets nothing of what
// that one has bought: that waits for a person.
func TestARestoreGivesNobodyWhatAStrangerBought(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	strangers := map[string]bool{
		p.subscribe(1, access.Monthly).ProviderID: true,
		p.subscribe(2, access.Yearly).ProviderID:  true,
	}
	p.restore(true)
	p.advance(29 * day) // a renewal is told by a message
	p.work()
	p.reconciled()
	if a := p.post(1, "/fns/stripe-update-subscription", `{}`); a.Status != http.StatusOK {
		t.Fatal(a)
	}
	for reader := int64(1); reader <= 2; reader++ {
		if until, _, _, _ := p.standing(reader); !until.IsZero() || len(p.subscriptions(reader)) != 0 {
			t.Errorf("reader %d reads until %s: %+v", reader, until, p.subscriptions(reader))
		}
		if x, err := p.shop.Subscriptions.Extended(p.ctx, reader); err != nil || len(x.Invoices) != 0 || x.Portal != "" {
			t.Errorf("reader %d is shown %+v %v", reader, x, err)
		}
	}
	list, err := p.shop.Access.Reviews(p.ctx, false)
	if err != nil || len(list) != 2 || list[0].Kind != access.ReviewUnknown || !strangers[list[0].ProviderID] ||
		!strangers[list[1].ProviderID] {
		t.Fatalf("%+v %v", list, err)
	}

	// They buy, with the addresses of those who are lost.
	p.buy(p.order(1, access.Monthly), goodCard)
	p.work()
	p.reconciled()
	got := p.subscriptions(1)
	if len(got) != 1 || strangers[got[0].ProviderID] || got[0].Status != stripe.Active {
		t.Fatalf("%+v", got)
	}
	if n := p.count("SELECT count(*) FROM billing_documents WHERE reader_id = 1"); n != 1 {
		t.Errorf("%d documents", n)
	}
	for id := range strangers {
		if s := p.api(http.MethodGet, "subscriptions/"+id, nil); s["status"] != "active" {
			t.Errorf("%s of a stranger is %v", id, s["status"])
		}
	}
}

// What was lost of a reader who was in the dump comes back.
func TestARestoreFindsWhatItsReadersBought(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	bought := p.subscribe(1, access.Yearly)
	p.restore(false)
	p.reconciled()
	if got := p.subscriptions(1); len(got) != 1 || got[0].ProviderID != bought.ProviderID ||
		got[0].Status != stripe.Active {
		t.Errorf("%+v", got)
	}
}

// A subscription that was begun before readers had public ids goes on, and is labelled when everything is compared.
func TestAnOldSubscriptionIsLabelled(t *testing.T) {
	t.Parallel()
	for name, customer := range map[string]bool{"by its customer": true, "by its own row": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			s := p.subscribe(1, access.Monthly)
			p.api(http.MethodPost, "subscriptions/"+s.ProviderID, url.Values{"metadata[reader_public_id]": {""}})
			if !customer {
				p.view(func(ctx context.Context, tx db.Tx) error {
					_, err := tx.NewRaw("DELETE FROM billing_customers").Exec(ctx)
					return err
				})
			}
			p.fault(sandboxSilent)
			p.advance(28*day + time.Minute)
			p.reconciled()
			if got := p.subscriptions(1); len(got) != 1 || got[0].Status != stripe.Active ||
				!got[0].PeriodEnd.After(p.db.Now()) {
				t.Errorf("%+v", got)
			}
			meta, _ := p.api(http.MethodGet, "subscriptions/"+s.ProviderID, nil)["metadata"].(map[string]any)
			if meta["reader_public_id"] != "public-1-0" || meta["reader_id"] != "1" {
				t.Errorf("%v", meta)
			}
			p.reconciled()
			if list := p.drift(); len(list) != 1 {
				t.Errorf("compared again, it differs: %+v", list)
			}
		})
	}
}
