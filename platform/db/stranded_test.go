package db_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/testkit"
)

// Of connections that a network has lost without a word, one alone keeps a question waiting.
func TestStrandedConnectionsAreDiscarded(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	ed := testkit.EditionOf(ctx, t)
	far, proxy := testkit.BehindProxy(ctx, t, d, db.Options{CoreConns: 3})
	pool, err := far.Pool(ed.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []*bun.DB{pool, far.Core()} {
		open := make([]bun.Conn, 3)
		for i := range open {
			if open[i], err = of.Conn(ctx); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range open {
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if idle := of.Stats().Idle; idle != 3 {
			t.Fatalf("%d connections are idle, want 3", idle)
		}
	}
	proxy.Strand()
	for name, ask := range map[string]func(context.Context) error{
		"an edition": func(ctx context.Context) error { return far.Reach(ctx, ed.ID) },
		"the owner":  far.Ping,
	} {
		short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
		err := ask(short)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: the first question: %v, want %v", name, err, context.DeadlineExceeded)
		}
		long, cancel := context.WithTimeout(ctx, 10*time.Second)
		err = ask(long)
		cancel()
		if err != nil {
			t.Errorf("%s: the second question: %v", name, err)
		}
	}
}

// A caller without a short deadline waits neither for an answer that the network has lost, nor on a connection that it
// lost while nobody used it.
func TestLostAnswersAreNotAwaited(t *testing.T) {
	t.Parallel()
	base, d := testkit.Edition(t)
	far, proxy := testkit.BehindProxy(base, t, d, db.Options{StatementTimeout: time.Second})
	ctx, cancel := context.WithTimeout(base, time.Minute)
	defer cancel()
	ask := func(ctx context.Context, tx db.Tx) error {
		_, err := tx.ExecContext(ctx, "SELECT 1")
		return err
	}
	err := far.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := ask(ctx, tx); err != nil {
			t.Error(err)
		}
		proxy.Strand()
		return ask(ctx, tx)
	})
	if !errors.Is(err, db.ErrBusy) || ctx.Err() != nil {
		t.Errorf("a statement over a lost connection: %v, want %v before %v", err, db.ErrBusy, ctx.Err())
	}
	if err := far.Run(ctx, ask); err != nil {
		t.Error(err)
	}
	proxy.Strand()
	time.Sleep(1100 * time.Millisecond) // what was idle for a second is asked whether it lives
	if err := far.Run(ctx, ask); err != nil {
		t.Errorf("a statement after a lost connection was idle: %v", err)
	}
}

func TestSetStatementTimeout(t *testing.T) {
	t.Parallel()
	base, d := testkit.Edition(t)
	far, _ := testkit.BehindProxy(base, t, d, db.Options{StatementTimeout: 100 * time.Millisecond})
	for _, c := range []struct {
		timeout time.Duration
		want    error
	}{{50 * time.Millisecond, db.ErrBusy}, {time.Minute, nil}} {
		err := far.InTx(base, func(ctx context.Context, tx db.Tx) error {
			ctx, err := db.SetStatementTimeout(ctx, tx, c.timeout)
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, "SELECT pg_sleep(6)") // longer than answers are waited for by default
			return err
		})
		if !errors.Is(err, c.want) {
			t.Errorf("six seconds where a statement may take %s: %v, want %v", c.timeout, err, c.want)
		}
	}
}
