package jobs

import (
	"context"
	"testing"
	"time"

	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// What was handed to a queue that is emptied in silence is handed over again within seconds, not when its time is over;
// also where the worker has just begun, and what it begins with is an empty queue.
func TestAnEmptiedQueueIsNoticed(t *testing.T) {
	t.Parallel()
	for name, restarted := range map[string]bool{"while it works": false, "while nobody works": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, d := testkit.Edition(t)
			r := startRedis(t)
			var l ledger
			listen := listening(func(ctx context.Context, p event.Entitlement) error {
				time.Sleep(20 * time.Millisecond)
				return l.note(ctx, p)
			})
			o := quick(r.URL())
			o.Redrive, o.Concurrency = 10*time.Minute, 1 // nothing is done twice for having waited long
			w, err := New(d, shelve(t, ctx), listen, o)
			tell(ctx, t, d, numbers(40)...)
			stop := run(t, w, err)
			wait.Until(t, "all handed over", func() bool { return count(ctx, t, d, "enqueued_at IS NULL") == 0 })
			if restarted {
				stop()
			} else { // the worker has seen the mark that goes
				wait.Until(t, "there is a mark", func() bool { return w.redis.Exists(ctx, markKey).Val() == 1 })
			}
			r.FlushAll()
			if left := count(ctx, t, d, "done_at IS NULL"); left == 0 {
				t.Fatal("everything was done before the loss")
			}
			if restarted {
				w, err = New(d, shelve(t, ctx), listen, o)
				run(t, w, err)
			}
			wait.Until(t, "all done", func() bool { return count(ctx, t, d, "done_at IS NULL") == 0 })
			if keys, runs := l.total(); keys != 40 || runs != 40 {
				t.Errorf("%d facts, %d runs", keys, runs)
			}
		})
	}
}

// Another Redis that has the mark may lack what was handed over last: a replica that leads now, or the same after a
// restart.
func TestAnotherRedisMayLackWhatWasHandedOver(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	first, second := testkit.FreePort(t), testkit.FreePort(t)
	redisServer(t, "port "+first+"\n")
	redisServer(t, "port "+second+"\n")
	w, err := New(d, shelve(t, ctx), listening(nil), quick("redis://127.0.0.1:"+first))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.redis.Close() })
	another, err := openRedis("redis://127.0.0.1:" + second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = another.Close() })
	wait.Until(t, "both answer", func() bool { return w.Ping(ctx) == nil && another.Ping(ctx).Err() == nil })
	ask := func(what string, lost bool) {
		t.Helper()
		if a := w.ask(ctx); a.err != nil || a.lost.IsZero() == lost {
			t.Errorf("%s: lost until %v, %v; want %t", what, a.lost, a.err, lost)
		}
	}
	ask("an empty one", true)
	ask("the same", false)
	ask("the same again", false)
	if err := another.Set(ctx, markKey, w.mark, 0).Err(); err != nil {
		t.Fatal(err)
	}
	w.redis = another
	ask("another that has the mark", true)
	ask("that one again", false)
}
