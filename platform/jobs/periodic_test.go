package jobs

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

func leaders(ws []*Worker) (n int) {
	for _, w := range ws {
		if w.Leads() {
			n++
		}
	}
	return n
}

func TestOneWorkerKeepsTime(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	options, s := quick(startRedis(t).URL()), shelve(t, ctx)
	options.LeaderCheck = 200 * time.Millisecond // a leader that waits longer than twice that for an answer gives up
	var ws []*Worker
	var stops []func()
	var together, most atomic.Int64
	for range 4 {
		p := testkit.Process(t, d)
		p.Attach("test_sk", "ed_test_sk")
		w, err := New(p, s, event.Registry{}, options)
		w.Every("test.tick", 2*time.Millisecond, func(context.Context) error {
			if n := together.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(time.Millisecond)
			together.Add(-1)
			return nil
		})
		ws = append(ws, w)
		stops = append(stops, run(t, w, err))
	}
	wait.Until(t, "a leader", func() bool { return leaders(ws) == 1 })
	for range 50 {
		if n := leaders(ws); n > 1 {
			t.Fatalf("%d leaders", n)
		}
		time.Sleep(2 * time.Millisecond)
	}
	for i, w := range ws { // the leader leaves in an orderly way
		if w.Leads() {
			stops[i]()
			ws = append(ws[:i:i], ws[i+1:]...)
			break
		}
	}
	wait.Until(t, "a successor", func() bool { return leaders(ws) == 1 })
	if most.Load() != 1 {
		t.Errorf("%d ticks at once", most.Load())
	}
	// A leader whose connection dies knows it at the next check; until then two may tick, which does no harm.
	before := ws[0]
	for _, w := range ws {
		if w.Leads() {
			before = w
		}
	}
	var killed int
	err := d.Core().NewRaw("SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE locktype = 'advisory' AND "+
		"database = (SELECT oid FROM pg_database WHERE datname = current_database())").Scan(ctx, &killed)
	if err != nil || killed == 0 {
		t.Fatalf("%d connections ended, %v", killed, err)
	}
	wait.Until(t, "the office is lost with the connection", func() bool { return !before.Leads() || leaders(ws) == 1 })
	wait.Until(t, "somebody leads again", func() bool { return leaders(ws) == 1 })
}

func TestAFailingTickIsItsEditionsOwn(t *testing.T) {
	t.Parallel()
	ctxs, d := testkit.Editions(t, 3)
	w, err := New(d, shelve(t, ctxs...), event.Registry{}, quick(startRedis(t).URL()))
	var mu sync.Mutex
	runs := map[string]int{}
	w.Every("test.tick", 5*time.Millisecond, func(ctx context.Context) error {
		ed, _ := edition.From(ctx)
		mu.Lock()
		runs[ed.ID]++
		mu.Unlock()
		switch ed.ID {
		case "test_sk":
			return errors.New("no")
		case "test_at":
			panic("boom")
		}
		return nil
	})
	run(t, w, err)
	wait.Until(t, "all editions had three", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return runs["test_sk"] > 2 && runs["test_at"] > 2 && runs["test_ch"] > 2
	})
	if n := w.PeriodicFailures()["test.tick"]; n < 4 {
		t.Errorf("%d failures counted", n)
	}
}

// A periodic job that runs out of its time has failed; one that the end of the process cuts off has not.
func TestATickThatRunsOutOfTimeIsCounted(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	for name, limit := range map[string]time.Duration{"of its own": 20 * time.Millisecond, "of the process": time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := quick("redis://127.0.0.1:1/0")
			o.PeriodicTimeout = limit
			w, err := New(d, shelve(t, ctx), event.Registry{}, o)
			if err != nil {
				t.Fatal(err)
			}
			var runs atomic.Int64
			w.Every("test.tick", time.Hour, func(ctx context.Context) error { runs.Add(1); <-ctx.Done(); return ctx.Err() })
			process, end := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer end()
			w.fire(process, w.periodics[0])
			want := uint64(0)
			if limit < time.Minute {
				want = 1
			}
			if n := w.PeriodicFailures()["test.tick"]; runs.Load() != 1 || n != want {
				t.Errorf("%d runs, %d failures counted", runs.Load(), n)
			}
		})
	}
}

// Whoever begins to lead has all ticks of all editions to run at once: few of an edition do, and those of others do not
// wait.
func TestTicksTakeTurns(t *testing.T) {
	t.Parallel()
	ctxs, d := testkit.Editions(t, 2)
	w, err := New(d, shelve(t, ctxs...), event.Registry{}, quick(startRedis(t).URL()))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	now, most, all := map[string]int{}, map[string]int{}, 0
	for range 12 {
		w.Every("test.tick", time.Hour, func(ctx context.Context) error {
			ed, _ := edition.From(ctx)
			mu.Lock()
			now[ed.ID]++
			most[ed.ID] = max(most[ed.ID], now[ed.ID])
			mu.Unlock()
			time.Sleep(5 * time.Millisecond)
			mu.Lock()
			now[ed.ID]--
			all++
			mu.Unlock()
			return nil
		})
	}
	run(t, w, nil)
	wait.Until(t, "all have run", func() bool { mu.Lock(); defer mu.Unlock(); return all == 24 })
	if most["test_sk"] != 2 || most["test_at"] != 2 {
		t.Errorf("%v at once", most)
	}
}

// A leader whose line is dead is succeeded although Postgres does not learn of it: the lock goes with the session,
// which Postgres ends when it says nothing.
func TestASilentLeaderIsSucceeded(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	far, proxy := testkit.BehindProxy(ctx, t, d, db.Options{MaxConns: 3})
	url := startRedis(t).URL()
	first, err := New(far, shelve(t, ctx), event.Registry{}, quick(url))
	run(t, first, err)
	wait.Until(t, "a leader", first.Leads)
	proxy.Strand()
	second, err := New(d, shelve(t, ctx), event.Registry{}, quick(url))
	run(t, second, err)
	began := time.Now()
	wait.Until(t, "the office is lost with the line", func() bool { return !first.Leads() })
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("the line was held to be alive for %s", took)
	}
	wait.Until(t, "a successor", func() bool { return first.Leads() || second.Leads() })
	if took := time.Since(began); took > time.Minute {
		t.Errorf("nobody led for %s", took)
	}
}
