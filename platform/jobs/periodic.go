package jobs

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	otrace "go.opentelemetry.io/otel/trace"
	"golang.org/x/sync/errgroup"

	"example.org/broadsheet/platform/advisory"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/trace"
)

// periodic is work that is due at intervals.
type periodic struct {
	name     string
	interval time.Duration
	fn       func(context.Context) error
	running  sync.Mutex    // a periodic job that takes longer than its interval does not overtake itself
	runs     atomic.Uint64 // of all editions, failed ones too
	failures atomic.Uint64
	failed   atomic.Pointer[bool] // the last run, in any edition; nil before the first one of a leader
}

// Every has fn run for every live edition at an interval, by one worker of all. fn asks for a state ("ends within
// three days, not reminded"), never for a moment, so a missed or doubled run does no harm. Call it before Run.
func (w *Worker) Every(name string, interval time.Duration, fn func(context.Context) error) {
	w.periodics = append(w.periodics, &periodic{name: name, interval: interval, fn: fn})
}

// leaderLock is the advisory lock of the worker that keeps time. It lives with one connection: whoever loses that has
// lost the office, and knows it at the next check.
const leaderLock = "broadsheet.leader"

// keepTime seeks the leadership until ctx ends.
func (w *Worker) keepTime(ctx context.Context) {
	var doubted, complained time.Time
	for ctx.Err() == nil {
		err := w.lead(ctx)
		if err == nil && time.Since(doubted) > complainEvery {
			doubted, err = time.Now(), w.doubt(ctx)
		}
		if err != nil && ctx.Err() == nil && time.Since(complained) > complainEvery {
			complained = time.Now()
			w.opts.Log.WarnContext(ctx, "the leadership was lost, or cannot be had", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(w.opts.LeaderCheck):
		}
	}
}

// complainEvery is how often it is looked whether anybody leads, and said that nobody does.
const complainEvery = 30 * time.Second

// doubt returns an error when the session that has the leadership says nothing, for longer than Postgres should let it:
// then nobody keeps the time.
func (w *Worker) doubt(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, slack)
	defer cancel()
	h, err := advisory.HolderOf(ctx, w.db.Core(), leaderLock)
	switch {
	case errors.Is(err, advisory.ErrNotHeld):
		return nil
	case err == nil && h.Quiet > 2*leaderSilence:
		return fmt.Errorf("process %d of Postgres has had it for %s without a word", h.PID, h.Quiet.Round(time.Second))
	}
	return err
}

// leaderSilence is how long the leader's session may say nothing before Postgres ends it, so that another can lead. The
// leader speaks every two seconds, and gives up when it is not answered; a session whose network is gone would hold the
// office for hours.
const leaderSilence = 15 * time.Second

// lead returns nil when another worker leads, and an error when this one led and no longer does.
func (w *Worker) lead(ctx context.Context) error {
	ask, cancel := context.WithTimeout(ctx, slack)
	defer cancel()
	office, err := advisory.Try(ask, w.db.Core(), leaderLock, leaderSilence)
	if err != nil || office == nil {
		return err
	}
	for _, t := range w.periodics {
		t.failed.Store(nil) // another has led meanwhile
	}
	w.leader.Store(true)
	defer w.leader.Store(false)
	ctx, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	for _, t := range w.periodics {
		running.Go(func() { w.repeat(ctx, t) })
	}
	err = w.confirm(ctx, office)
	stop()
	running.Wait()
	if release := office.Release(ctx); err == nil {
		err = release
	}
	return err
}

// confirm returns when ctx ends or the connection that holds the lock is gone.
func (w *Worker) confirm(ctx context.Context, office *advisory.Lock) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(w.opts.LeaderCheck):
		}
		ask, cancel := context.WithTimeout(ctx, 2*w.opts.LeaderCheck)
		err := office.Held(ask)
		cancel()
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
}

func (w *Worker) repeat(ctx context.Context, t *periodic) {
	for ctx.Err() == nil {
		w.fire(ctx, t)
		select {
		case <-ctx.Done():
		case <-time.After(t.interval):
		}
	}
}

// fire runs a periodic job for all editions; a slow or failing one does not hold up the others. Whoever begins to lead
// has all periodic jobs of all editions to run at once: they take turns, so that they leave connections to the jobs of
// the same edition.
func (w *Worker) fire(ctx context.Context, t *periodic) {
	t.running.Lock()
	defer t.running.Unlock()
	var all errgroup.Group
	var failed atomic.Bool
	all.SetLimit(w.opts.PeriodicEditions)
	for _, ed := range w.editions.All() {
		if !ed.RestoredFrom.IsZero() { // what was done since the backup would be done again
			continue
		}
		all.Go(func() error {
			turn := w.turn(ed.ID)
			select {
			case turn <- struct{}{}:
				defer func() { <-turn }()
			case <-ctx.Done():
				return nil
			}
			run, cancel := context.WithTimeout(edition.With(ctx, ed), w.opts.PeriodicTimeout)
			defer cancel()
			t.runs.Add(1)
			// The end of the process is no failure; running out of time is one.
			run, span := w.opts.Trace.Begin(run, "periodic "+t.name, otrace.SpanKindInternal,
				attribute.String("broadsheet.edition", ed.ID))
			err := t.run(run)
			trace.End(span, err)
			if err != nil && ctx.Err() == nil {
				t.failures.Add(1)
				failed.Store(true)
				w.opts.Log.ErrorContext(ctx, "a tick failed", "edition", ed.ID, "tick", t.name, "error", err)
			}
			return nil
		})
	}
	_ = all.Wait() // each says what has failed
	if ctx.Err() == nil {
		last := failed.Load()
		t.failed.Store(&last)
	}
}

// turn has a place for each periodic job that may run in an edition at once.
func (w *Worker) turn(editionID string) chan struct{} {
	turn, _ := w.turns.LoadOrStore(editionID, make(chan struct{}, w.opts.PeriodicConcurrency))
	return turn.(chan struct{})
}

func (t *periodic) run(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return t.fn(ctx)
}
