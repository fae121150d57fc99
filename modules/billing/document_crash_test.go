package billing

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/embedded/postgres"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// mortal is an edition on a Postgres of its own, which a test may kill; it comes back by itself.
func mortal(t *testing.T) (*env, *postgres.Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	pg, err := postgres.Start(ctx,
		postgres.Options{Ephemeral: true, Settings: map[string]string{"fsync": "on", "synchronous_commit": "on"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := pg.EnsureDatabase(ctx, "paper"); err != nil {
		t.Fatal(err)
	}
	d, err := db.Open(pg.DSN("paper"), &clock.Clock{}, db.Options{
		MaxConns: 20, StatementTimeout: 20 * time.Second, LockTimeout: 20 * time.Second, Password: func(id string) string {
			return "test-" + id
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(d.Close(), pg.Stop(context.Background())); err != nil {
			t.Error(err)
		}
	})
	ed, err := edition.New(testkit.Document(0), testkit.Origin)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{d.MigrateCore(ctx), d.Provision(ctx, d.Core(), ed.ID), d.Migrate(ctx, ed.ID)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	d.Attach(ed.ID, ed.Schema)
	return &env{
		t: t, ctx: edition.With(t.Context(), ed), ed: ed, db: d,
		shop: &Module{db: d, Invoices: invoice.NewService(invoice.Deps{DB: d})},
	}, pg
}

// Postgres is killed again and again under those who issue: who was told that a document is made finds it, with its
// number, and no number is missing or there twice.
func TestNumbersHaveNoGapWhenPostgresIsKilled(t *testing.T) {
	t.Parallel()
	p, pg := mortal(t)
	var mu sync.Mutex
	promised, failures := map[string]string{}, 0
	enough := make(chan struct{})
	var all sync.WaitGroup
	for worker := range 10 {
		all.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-enough:
					return
				default:
				}
				source := fmt.Sprintf("invoice:%d/%d", worker, n)
				d := p.sold(source, 796)
				var made *invoice.Document
				err := p.db.InTx(p.ctx, func(ctx context.Context, tx db.Tx) (err error) {
					if made, err = invoice.Issue(ctx, tx, d); err == nil && n%5 == 4 {
						err = errRolledBack
					}
					return err
				})
				mu.Lock()
				switch {
				case err == nil:
					promised[source] = made.Number
				case !errors.Is(err, errRolledBack):
					failures++
				}
				mu.Unlock()
				if err != nil && !errors.Is(err, errRolledBack) {
					time.Sleep(20 * time.Millisecond)
				}
			}
		})
	}
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(promised)
	}
	for kill := range 4 {
		reached(t, count, count()+30)
		if kill == 3 {
			break
		}
		before := pg.Restarts()
		if err := syscall.Kill(pg.Pid(), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		reached(t, func() int { return int(pg.Restarts()) }, int(before)+1)
	}
	close(enough)
	all.Wait()
	if failures == 0 {
		t.Error("nobody has noticed that Postgres was killed: the test shows nothing")
	}
	made := map[string]string{}
	var rows []struct{ Source, Number string }
	p.view(func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT source, number FROM billing_documents").Scan(ctx, &rows)
	})
	for _, r := range rows {
		made[r.Source] = r.Number
	}
	for source, number := range promised {
		if made[source] != number {
			t.Errorf("%s was promised for %s, which has %q", number, source, made[source])
		}
	}
	p.whole(invoice.TaxInvoice, len(rows))
	t.Logf("%d documents, %d promised, %d failures", len(rows), len(promised), failures)
}

// reached waits for a number.
func reached(t *testing.T, now func() int, want int) {
	t.Helper()
	wait.Until(t, fmt.Sprintf("%d are there", want), func() bool { return now() >= want })
}
