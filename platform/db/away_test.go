package db_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/testkit"
)

var errTaken = fault.New(fault.Conflict, "TEST_TAKEN")

// A server that is silent, or cut off, is TRY_AGAIN to whoever waits for it: for a connection, for a free one of the
// pool, for the answer to a statement, and for the end of a transaction. What the caller knows better stays as it is.
func TestASilentServerIsToldFromABug(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	for name, c := range map[string]struct {
		idle bool // a connection is there from before
		hold bool // the only one is in use
		fail func(*testkit.Proxy)
	}{
		"no connection is made":   {fail: func(p *testkit.Proxy) { p.Silence(true) }},
		"no connection is free":   {idle: true, hold: true, fail: func(*testkit.Proxy) {}},
		"a statement has no end":  {idle: true, fail: func(p *testkit.Proxy) { p.Silence(true) }},
		"the line is cut":         {idle: true, fail: func(p *testkit.Proxy) { time.AfterFunc(50*time.Millisecond, p.Cut) }},
		"nobody listens any more": {fail: func(p *testkit.Proxy) { time.AfterFunc(50*time.Millisecond, p.Cut) }},
		"a transaction has no end": {idle: true, fail: func(p *testkit.Proxy) {
			time.AfterFunc(50*time.Millisecond, func() { p.Silence(true) })
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			far, p := testkit.BehindProxy(ctx, t, d, db.Options{MaxConns: 1})
			if c.idle {
				if err := exec(ctx, far, "SELECT 1"); err != nil {
					t.Fatal(err)
				}
			}
			c.fail(p)
			held, done := make(chan struct{}), make(chan struct{})
			if c.hold {
				go func() {
					_ = far.InTx(ctx, func(context.Context, db.Tx) error { close(held); <-done; return nil })
				}()
				<-held
				defer close(done)
			}
			if strings.HasPrefix(name, "nobody") {
				p.Silence(true)
			}
			within, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
			defer cancel()
			start := time.Now()
			err := far.InTx(within, func(ctx context.Context, tx db.Tx) error {
				for range 20 {
					if _, err := tx.ExecContext(ctx, "SELECT pg_sleep(0.02)"); err != nil {
						return fmt.Errorf("reading: %w", err)
					}
				}
				return nil
			})
			if !errors.Is(err, db.ErrBusy) || fault.From(err).Kind != fault.Unavailable {
				t.Errorf("%v", err)
			}
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
	for _, known := range []error{errTaken.Because(io.EOF), errors.New("a bug")} {
		if err := db.Classify(known); errors.Is(err, db.ErrBusy) {
			t.Errorf("%v became %v", known, err)
		}
	}
}

// A server that takes connections and says nothing is given up after a while, also by whoever has no deadline.
func TestConnectingHasAnEnd(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	far, p := testkit.BehindProxy(ctx, t, d, db.Options{ConnectTimeout: 100 * time.Millisecond})
	p.Silence(true)
	if err := exec(ctx, far, "SELECT 1"); !errors.Is(err, db.ErrBusy) {
		t.Error(err)
	}
	usual, err := db.Open("postgres://nobody@127.0.0.1:1/none", d.Clock(), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = usual.Close() })
	if c := usual.Config().ConnectTimeout; c != 5*time.Second {
		t.Errorf("it is tried for %s", c)
	}
}

// A statement whose answer was lost may have been done: Run says that the database is away and leaves it at that, Retry
// runs it again.
func TestALostAnswer(t *testing.T) {
	t.Parallel()
	const insert = `INSERT INTO outbox (event, payload, created_at, due_at, next_at)
		VALUES ('a', '{}', now(), now(), now())`
	for name, do := range map[string]func(context.Context, db.Tx) error{
		"executed": func(ctx context.Context, tx db.Tx) error { _, err := tx.ExecContext(ctx, insert); return err },
		"asked": func(ctx context.Context, tx db.Tx) error {
			return tx.NewRaw(insert+" RETURNING id").Scan(ctx, new(int64))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, d := testkit.Edition(t)
			far, p := testkit.BehindProxy(ctx, t, d, db.Options{})
			done := func() (n int) {
				t.Helper()
				if err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
					return tx.NewRaw("SELECT count(*) FROM outbox").Scan(ctx, &n)
				}); err != nil {
					t.Fatal(err)
				}
				return n
			}
			p.Lose("INSERT 0 1")
			if err := far.Run(ctx, do); !errors.Is(err, db.ErrBusy) {
				t.Errorf("Run returned %v, want %v", err, db.ErrBusy)
			}
			if n := done(); n != 1 {
				t.Errorf("Run did it %d times, want 1", n)
			}
			p.Lose("INSERT 0 1")
			if err := far.Retry(ctx, do); err != nil {
				t.Errorf("Retry returned %v", err)
			}
			if n := done(); n != 3 {
				t.Errorf("Retry did it %d times, want 2", n-1)
			}
		})
	}
}
