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
