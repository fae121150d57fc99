package jobs

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// There are no figures of the outbox before it was asked, and while it cannot be.
func TestStats_DatabaseAway(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	far, proxy := testkit.BehindProxy(ctx, t, d, db.Options{MaxConns: 3})
	w, err := New(far, shelve(t, ctx), event.Registry{}, quick(startRedis(t).URL()))
	run(t, w, err)
	backlog := func() *Backlog { return w.Stats()["test_sk"].Backlog }
	wait.Until(t, "the figures are known", func() bool { return backlog() != nil })
	proxy.Refuse(true)
	wait.Until(t, "no figures while the database is away", func() bool { return backlog() == nil })
	proxy.Refuse(false)
	wait.Until(t, "the figures are known again", func() bool { return backlog() != nil })
}

// The last run of periodic work counts, in all editions, and only at the leader.
func TestStats_PeriodicFailed(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	w, err := New(d, shelve(t, ctx), event.Registry{}, quick(startRedis(t).URL()))
	var broken atomic.Bool
	broken.Store(true)
	w.Every("test.tick", 5*time.Millisecond, func(context.Context) error {
		if broken.Load() {
			return errors.New("no")
		}
		return nil
	})
	if got := w.PeriodicFailed(); len(got) > 0 {
		t.Errorf("got %v before the first run, want nothing", got)
	}
	stop := run(t, w, err)
	is := func(want bool) func() bool {
		return func() bool { got, known := w.PeriodicFailed()["test.tick"]; return known && got == want }
	}
	wait.Until(t, "the last run failed", is(true))
	broken.Store(false)
	wait.Until(t, "the last run succeeded", is(false))
	stop()
	if got := w.PeriodicFailed(); len(got) > 0 {
		t.Errorf("got %v of a worker that does not lead, want nothing", got)
	}
}
