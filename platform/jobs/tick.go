package jobs

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/edition"
)

// tick is work that is due at intervals.
type tick struct {
	name     string
	interval time.Duration
	fn       func(context.Context) error
	running  sync.Mutex // a tick that takes longer than its interval does not overtake itself
	failures atomic.Uint64
}

// Every has fn run for every live edition at an interval, by one worker of all. fn asks for a state ("ends within
// three days, not reminded"), never for a moment, so a missed or doubled run does no harm. Call it before Run.
func (w *Worker) Every(name string, interval time.Duration, fn func(context.Context) error) {
	w.ticks = append(w.ticks, &tick{name: name, interval: interval, fn: fn})
}

// leaderLock is the advisory lock of the worker that keeps time. It lives with one connection: whoever loses that has
// lost the office, and knows it at the next check.
const leaderLock = "broadsheet.leader"

// keepTime seeks the leadership until ctx ends.
func (w *Worker) keepTime(ctx context.Context) {
	for ctx.Err() == nil {
		if err := w.lead(ctx); err != nil && ctx.Err() == nil {
			w.opts.Log.Warn("the leadership was lost or can not be sought", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(w.opts.LeaderCheck):
		}
	}
}

// lead returns nil when another worker leads, and an error when this one led and no longer does.
func (w *Worker) lead(ctx context.Context) error {
	conn, err := w.db.Core().Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // a broken connection is the reason to leave
	var leads bool
	ask, cancel := context.WithTimeout(ctx, slack)
	defer cancel()
	if err := conn.NewRaw("SELECT pg_try_advisory_lock(hashtextextended(?, 0))", leaderLock).Scan(ask, &leads); err != nil || !leads {
		return err
	}
	w.leader.Store(true)
	defer w.leader.Store(false)
	ctx, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	for _, t := range w.ticks {
		running.Go(func() { w.repeat(ctx, t) })
	}
	err = w.confirm(ctx, conn)
	stop()
	running.Wait()
	release, done := context.WithTimeout(context.WithoutCancel(ctx), slack)
	defer done()
	if _, unlock := conn.ExecContext(release, "SELECT pg_advisory_unlock(hashtextextended(?, 0))", leaderLock); err == nil {
		err = unlock
	}
	return err
}

// confirm returns when ctx ends or the connection that holds the lock is gone.
func (w *Worker) confirm(ctx context.Context, conn bun.Conn) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(w.opts.LeaderCheck):
		}
		ask, cancel := context.WithTimeout(ctx, 2*w.opts.LeaderCheck)
		_, err := conn.ExecContext(ask, "SELECT 1")
		cancel()
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
}

func (w *Worker) repeat(ctx context.Context, t *tick) {
	for ctx.Err() == nil {
		w.fire(ctx, t)
		select {
		case <-ctx.Done():
		case <-time.After(t.interval):
		}
	}
}

// fire runs a tick for all editions side by side; a slow or failing one does not hold up the others.
func (w *Worker) fire(ctx context.Context, t *tick) {
	t.running.Lock()
	defer t.running.Unlock()
	var all sync.WaitGroup
	for _, ed := range w.editions.All() {
		all.Go(func() {
			run, cancel := context.WithTimeout(edition.With(ctx, ed), w.opts.TickTimeout)
			defer cancel()
			if err := t.run(run); err != nil && ctx.Err() == nil { // the end of the process is no failure; running out of time is one
				t.failures.Add(1)
				w.opts.Log.Error("a tick failed", "edition", ed.ID, "tick", t.name, "error", err)
			}
		})
	}
	all.Wait()
}

func (t *tick) run(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return t.fn(ctx)
}
