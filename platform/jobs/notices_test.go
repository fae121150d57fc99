package jobs

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// hearing starts a worker that notices wake, and that by itself looks once an hour.
func hearing(t *testing.T, d *db.DB, s *shelf, listeners event.Registry, o Options) *Worker {
	t.Helper()
	hub := notify.NewHub(d, nil)
	o.Sweep, o.Rest, o.Listening = time.Hour, 50*time.Millisecond, hub.Connected
	w, err := New(d, s, listeners, o)
	if err != nil {
		t.Fatal(err)
	}
	hub.On(notify.Outbox, func(m notify.Message) { w.Look(m.Edition) })
	hub.OnReset(func() { w.Look("") })
	ctx, cancel := context.WithCancel(context.Background())
	var listening sync.WaitGroup
	listening.Go(func() { hub.Listen(ctx) })
	t.Cleanup(func() { cancel(); listening.Wait() })
	wait.Until(t, "connected", hub.Connected)
	run(t, w, nil)
	return w
}

// atRest reports whether the worker has looked at the edition's outbox, found nothing, and ended its servers.
func (w *Worker) atRest(id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := w.workers[id]
	if l == nil || len(l.wake) > 0 {
		return false
	}
	_, serving := l.untilRest()
	return !serving
}

// An edition whose outbox is empty has no servers that ask for work, and its relay sleeps until a notice comes.
func TestNoticesWakeAnEdition(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	var l ledger
	var refused atomic.Bool
	w := hearing(t, d, shelve(t, ctx), listening(func(ctx context.Context, p event.Entitlement) error {
		if refused.Load() {
			return Skip(errors.New("no"))
		}
		return l.note(ctx, p)
	}), quick(startRedis(t).URL()))
	in := func(fn func(context.Context, db.Tx) error) func() error {
		return func() error { return d.InTx(ctx, fn) }
	}
	fact := event.Entitlement{ReaderID: 1}
	for i, c := range []struct {
		name string
		do   func() error
	}{
		{"Tell", in(func(ctx context.Context, tx db.Tx) error {
			return outbox.Tell(ctx, tx, event.EntitlementChanged, fact)
		})},
		{"TellAll", in(func(ctx context.Context, tx db.Tx) error {
			return outbox.TellAll(ctx, tx, event.EntitlementChanged, []event.Entitlement{fact})
		})},
		{"Once", in(func(ctx context.Context, tx db.Tx) error {
			return outbox.Once(ctx, tx, event.EntitlementChanged, fact, "key")
		})},
		{"Later, and soon", in(func(ctx context.Context, tx db.Tx) error {
			return outbox.Later(ctx, tx, event.EntitlementChanged, fact, tx.Now.Add(100*time.Millisecond))
		})},
		{"Requeue", func() error {
			refused.Store(true)
			tell(ctx, t, d, 1)
			wait.Until(t, "it is given up", func() bool { return count(ctx, t, d, "dead_at IS NOT NULL") == 1 })
			wait.Until(t, "rest", func() bool { return w.atRest("test_sk") })
			refused.Store(false)
			_, err := Requeue(ctx, d)
			return err
		}},
	} {
		wait.Until(t, "rest before "+c.name, func() bool { return w.atRest("test_sk") })
		if err := c.do(); err != nil {
			t.Fatal(c.name, err)
		}
		wait.Until(t, c.name, func() bool {
			testkit.Clock(d).Advance(time.Millisecond)
			return count(ctx, t, d, "done_at IS NOT NULL") == i+1
		})
	}
}

// Processes share what one of them has handed over.
func TestAllProcessesWorkOnWhatOneHandedOver(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	var both sync.WaitGroup
	both.Add(2)
	o := quick(startRedis(t).URL())
	o.Concurrency = 1
	s := shelve(t, ctx)
	for range 2 {
		p := testkit.Process(t, d)
		p.Attach("test_sk", s.All()[0].Schema)
		w := hearing(t, p, s, listening(func(ctx context.Context, _ event.Entitlement) error {
			both.Done()
			both.Wait() // neither ends before both have begun, and a process does one at a time
			return nil
		}), o)
		wait.Until(t, "rest", func() bool { return w.atRest("test_sk") })
	}
	tell(ctx, t, d, 1, 2)
	wait.Until(t, "both are done", func() bool { return count(ctx, t, d, "done_at IS NOT NULL") == 2 })
}

// A periodic job runs in a few editions at a time: connections are few.
func TestPeriodicJobsVisitAFewEditionsAtATime(t *testing.T) {
	t.Parallel()
	ctxs, d := testkit.Editions(t, 3)
	o := quick(startRedis(t).URL())
	o.PeriodicEditions = 2
	w, err := New(d, shelve(t, ctxs...), nil, o)
	if err != nil {
		t.Fatal(err)
	}
	var running, most, runs atomic.Int64
	w.Every("test.many", time.Hour, func(ctx context.Context) error {
		if _, err := edition.From(ctx); err != nil {
			return err
		}
		n := running.Add(1)
		defer running.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		runs.Add(1)
		time.Sleep(20 * time.Millisecond)
		return nil
	})
	w.fire(t.Context(), w.periodics[0])
	if runs.Load() != 3 || most.Load() != 2 {
		t.Errorf("%d runs, %d at once; want 3 and 2", runs.Load(), most.Load())
	}
}
