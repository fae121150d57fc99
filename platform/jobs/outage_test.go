package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// bench is an editionWorker without a queue: what is due is taken up and worked on at once, in the time of the test's
// clock.
func bench(ctx context.Context, t *testing.T, d *db.DB, w *Worker, err error) (turn func()) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	l := &editionWorker{w: w, id: "test_sk", log: w.opts.Log}
	return func() {
		t.Helper()
		for {
			rows, err := l.take(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				l.work(ctx, r.ID)
			}
			if len(rows) == 0 {
				return
			}
		}
	}
}

// calm are the options that ship.
func calm() Options {
	return Options{RedisURL: "redis://127.0.0.1:1/0", Log: slog.New(slog.DiscardHandler)}
}

// What others could not take for six hours is all done a quarter of an hour after they can, and nothing of it is given
// up.
func TestAnOutageOfHoursLosesNothing(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	const many = 120
	var l ledger
	away := true
	w, err := New(d, shelve(t, ctx), listening(func(ctx context.Context, p event.Entitlement) error {
		if away {
			return errors.New("connection refused")
		}
		return l.note(ctx, p)
	}), calm())
	turn := bench(ctx, t, d, w, err)
	for i := range many {
		tell(ctx, t, d, int64(i))
		if i%10 == 0 {
			testkit.Clock(d).Advance(time.Minute)
			turn()
		}
	}
	for range 6 * 12 {
		testkit.Clock(d).Advance(5 * time.Minute)
		turn()
	}
	if n := count(ctx, t, d, "attempts > 12"); n != many {
		t.Fatalf("%d rows have failed more than twelve times", n)
	}
	away = false
	for range 15 {
		testkit.Clock(d).Advance(time.Minute)
		turn()
	}
	if keys, runs := l.total(); keys != many || runs != many || count(ctx, t, d, "done_at IS NOT NULL") != many {
		t.Errorf("%d of %d rows are done, in %d runs", keys, many, runs)
	}
}

// A row is given up after days and many failures: neither the days alone suffice, because the workers may have been
// away, nor the failures. Who brings it back gives it as many days again.
func TestWorkIsGivenUpAfterDays(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	w, err := New(d, shelve(t, ctx), listening(func(context.Context, event.Entitlement) error {
		return errors.New("never")
	}), calm())
	turn := bench(ctx, t, d, w, err)
	tell(ctx, t, d, 1)
	live := func(life string) {
		t.Helper()
		start := d.Now()
		for count(ctx, t, d, "dead_at IS NOT NULL") == 0 {
			testkit.Clock(d).Advance(2 * time.Hour)
			turn()
			if d.Now().Sub(start) > 10*24*time.Hour {
				t.Fatalf("%s: it is tried for ever", life)
			}
		}
		if age := d.Now().Sub(start); age < 4*24*time.Hour || age > 5*24*time.Hour {
			t.Errorf("%s: it is given up after %s", life, age)
		}
	}
	live("first")
	if n, err := Requeue(ctx, d); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	live("second")

	tell(ctx, t, d, 2)
	testkit.Clock(d).Advance(30 * 24 * time.Hour) // without a worker
	for i := range 11 {
		testkit.Clock(d).Advance(10 * time.Minute)
		turn()
		if n := count(ctx, t, d, "dead_at IS NOT NULL"); n != 1 {
			t.Fatalf("the late row is given up after %d tries", i+1)
		}
	}
	open, err := Open(ctx, d, 10)
	if err != nil || len(open) != 1 || open[0].Attempts != 11 || open[0].LastError != "never" || open[0].DeadAt != nil ||
		string(open[0].Payload) != fmt.Sprintf(`{"reader_id": %d}`, 2) {
		t.Errorf("open %+v, %v", open, err)
	}
	testkit.Clock(d).Advance(10 * time.Minute)
	turn()
	if n := count(ctx, t, d, "dead_at IS NOT NULL"); n != 2 {
		t.Error("the late row is tried for ever")
	}
}

// What a queue was given and has lost, again and again, is done as soon as it is back; what a failure keeps back keeps
// its time.
func TestAQueueThatIsBackIsGivenEverything(t *testing.T) {
	t.Parallel()
	for _, due := range []bool{true, false} {
		t.Run(fmt.Sprintf("another row is due %t", due), func(t *testing.T) {
			t.Parallel()
			ctx, d := testkit.Edition(t)
			r := startRedis(t)
			var l ledger
			w, err := New(d, shelve(t, ctx), listening(l.note), quick(r.URL()))
			tell(ctx, t, d, 1, 2, 3)
			if err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
				_, err := tx.NewRaw(`UPDATE outbox SET drives = 5, enqueued_at = ?0, next_at = ?0::timestamptz + interval
					'8 minutes',
					claimed_until = CASE WHEN id = 3 THEN ?0::timestamptz + interval '8 minutes' END`, tx.Now).Exec(ctx)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			r.Pause()
			run(t, w, err)
			if due {
				tell(ctx, t, d, 4)
			}
			wait.Until(t, "it is known that the queue is away", func() bool {
				s, begun := w.Stats()["test_sk"]
				return begun && !s.QueueUp
			})
			if err := r.Resume(); err != nil {
				t.Fatal(err)
			}
			wait.Until(t, "what was handed over is done", func() bool {
				return count(ctx, t, d, "id < 3 AND done_at IS NOT NULL") == 2
			})
			wait.Until(t, "it is known that the queue is back", func() bool { return w.Stats()["test_sk"].QueueUp })
			if n := count(ctx, t, d, "id = 3 AND done_at IS NULL AND next_at = claimed_until"); n != 1 {
				t.Error("a row that a failure keeps back was brought forward")
			}
			if n := count(ctx, t, d, "id = 4 AND drives > 1"); n != 0 {
				t.Error("a row was handed over again that the queue has just taken")
			}
		})
	}
}

// Connections that have died in silence are given up, by the relay and by whoever works: what is due is done over
// others.
func TestDeadConnectionsHoldNothingUp(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	far, proxy := testkit.BehindProxy(ctx, t, d, db.Options{MaxConns: 3})
	var l ledger
	o := quick(startRedis(t).URL())
	o.Timeout = time.Second
	w, err := New(far, shelve(t, ctx), listening(l.note), o)
	run(t, w, err)
	tell(ctx, t, d, numbers(50)...)
	wait.Until(t, "all done", func() bool { return count(ctx, t, d, "done_at IS NOT NULL") == 50 })
	proxy.Strand()
	tell(ctx, t, d, 51, 52, 53)
	wait.Until(t, "what came later is done", func() bool { return count(ctx, t, d, "done_at IS NOT NULL") == 53 })
}

// A worker recognises its claim when the answer to it was lost: the row is done at once, and not when the claim has run
// out.
func TestALostAnswerToAClaim(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	far, proxy := testkit.BehindProxy(ctx, t, d, db.Options{MaxConns: 3})
	var runs atomic.Int64
	w, err := New(far, shelve(t, ctx), listening(func(context.Context, event.Entitlement) error {
		runs.Add(1)
		return nil
	}), calm())
	turn := bench(ctx, t, far, w, err)
	tell(ctx, t, d, 1)
	turn()
	tell(ctx, t, d, 2, 3)
	proxy.Lose("UPDATE 1") // of the first row: what takes both up says 2
	turn()
	if done := count(ctx, t, d, "done_at IS NOT NULL"); done != 3 || runs.Load() != 3 {
		t.Errorf("%d of 3 rows are done, in %d runs", done, runs.Load())
	}
}

// What has ended while the database was away is written down when it is back, long before the claim ends.
func TestAnOutcomeOutlivesAnOutage(t *testing.T) {
	t.Parallel()
	for _, failure := range []error{nil, RetryWithin(errors.New("once"), time.Millisecond)} {
		t.Run(fmt.Sprint(failure), func(t *testing.T) {
			t.Parallel()
			ctx, d := testkit.Edition(t)
			far, proxy := testkit.BehindProxy(ctx, t, d, db.Options{MaxConns: 3})
			var runs atomic.Int64
			o := quick(startRedis(t).URL())
			o.Timeout = time.Minute
			w, err := New(far, shelve(t, ctx), listening(func(context.Context, event.Entitlement) error {
				if runs.Add(1) > 1 {
					return nil
				}
				proxy.Refuse(true)
				time.AfterFunc(time.Second, func() { proxy.Refuse(false) })
				return failure
			}), o)
			run(t, w, err)
			tell(ctx, t, d, 1)
			wait.Until(t, "done", func() bool { return count(ctx, t, d, "done_at IS NOT NULL") == 1 })
			if want := int64(1); failure == nil && runs.Load() != want {
				t.Errorf("it ran %d times, want %d", runs.Load(), want)
			}
		})
	}
}
