package db_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/testkit"
)

// connections counts those of an edition's login on the server.
func connections(ctx context.Context, t *testing.T, d *db.DB) (n int) {
	t.Helper()
	err := d.Core().NewRaw("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename LIKE "+
		"'ed\\_%'").Scan(ctx, &n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Editions share a number of connections that is smaller than the sum of their pools: idle ones are closed for
// whoever needs one, and whoever finds all in use waits.
func TestEditionsShareConnections(t *testing.T) {
	t.Parallel()
	ctxs, d := testkit.Editions(t, 3)
	p := testkit.Process(t, d, func(o *db.Options) { o.TotalConns = 4 })
	for _, ctx := range ctxs {
		p.Attach(testkit.EditionOf(ctx, t).ID, testkit.EditionOf(ctx, t).Schema)
	}
	var all sync.WaitGroup
	var most atomic.Int64
	for range 4 {
		for _, ctx := range ctxs {
			all.Go(func() {
				for range 5 {
					err := p.Run(ctx, func(ctx context.Context, tx db.Tx) error {
						_, err := tx.ExecContext(ctx, "SELECT pg_sleep(0.005)")
						return err
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	for open := true; open; {
		select {
		case <-done:
			open = false
		default:
			most.Store(max(most.Load(), int64(connections(ctxs[0], t, d))))
		}
	}
	// One that was closed may be seen for a moment.
	if n := most.Load(); n < 2 || n > 6 {
		t.Errorf("%d connections at once, want at most about 4", n)
	}
	sum := 0
	for _, s := range p.Stats() {
		sum += s.OpenConnections
	}
	if sum > 4 {
		t.Errorf("%d connections are open, want at most 4", sum)
	}
}

// What waits for a connection of others gives up in time, and a connection that breaks gives its place back.
func TestPlacesOfConnectionsComeBack(t *testing.T) {
	t.Parallel()
	ctxs, d := testkit.Editions(t, 2)
	p := testkit.Process(t, d, func(o *db.Options) { o.TotalConns = 1 })
	for _, ctx := range ctxs {
		p.Attach(testkit.EditionOf(ctx, t).ID, testkit.EditionOf(ctx, t).Schema)
	}
	held, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		_ = p.InTx(ctxs[0], func(context.Context, db.Tx) error { close(held); <-release; return nil })
	})
	<-held
	within, cancel := context.WithTimeout(ctxs[1], 100*time.Millisecond)
	defer cancel()
	if err := exec(within, p, "SELECT 1"); !errors.Is(err, db.ErrBusy) {
		t.Errorf("got %v, want ErrBusy", err)
	}
	close(release)
	all.Wait()
	for range 5 {
		for _, ctx := range ctxs {
			if err := exec(ctx, p, "SELECT 1"); err != nil {
				t.Fatal(err)
			}
			// The connection ends, and the next statement needs another.
			if err := exec(ctx, p, "SELECT pg_terminate_backend(pg_backend_pid())"); err == nil {
				t.Fatal("the connection has not ended")
			}
		}
	}
	for range 3 { // a login that is refused takes no place either
		bad := testkit.Process(t, d, func(o *db.Options) { o.TotalConns = 1 })
		bad.Attach("test_sk", "ed_nobody")
		for range 3 {
			if err := exec(ctxs[0], bad, "SELECT 1"); err == nil || errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("got %v, want a refusal", err)
			}
		}
	}
}
