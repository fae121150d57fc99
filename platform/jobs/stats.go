package jobs

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// Stats is one edition's work since this worker started, except for Waiting, DeadRows and Age, which are of now.
type Stats struct {
	Handed   uint64 // hand-overs to the queue
	Redriven uint64 // of these: not the first of their row
	Direct   uint64 // run without the queue
	Done     uint64
	Failed   uint64 // runs that failed
	Dead     uint64 // rows given up
	Waiting  int64  // rows that are due and not done
	DeadRows int64  // rows given up, by any worker
	Age      time.Duration
	AgeLogin time.Duration // of the oldest login
	QueueUp  bool          // the queue took the last row, or answered since
}

type counters struct {
	handed, redriven, direct, done, failed, dead atomic.Uint64
	waiting, deadRows, age, ageLogin             atomic.Int64
}

// Stats returns the counters of every edition.
func (w *Worker) Stats() map[string]Stats {
	w.mu.Lock()
	defer w.mu.Unlock()
	m := make(map[string]Stats, len(w.workers))
	for id, l := range w.workers {
		c := &l.counts
		m[id] = Stats{
			Handed: c.handed.Load(), Redriven: c.redriven.Load(), Direct: c.direct.Load(),
			Done: c.done.Load(), Failed: c.failed.Load(), Dead: c.dead.Load(),
			Waiting: c.waiting.Load(), DeadRows: c.deadRows.Load(), Age: time.Duration(c.age.Load()),
			AgeLogin: time.Duration(c.ageLogin.Load()),
			QueueUp:  l.away.Load() == nil,
		}
	}
	return m
}

// PeriodicFailures counts the failed runs of every periodic job, over all editions.
func (w *Worker) PeriodicFailures() map[string]uint64 {
	m := make(map[string]uint64, len(w.periodics))
	for _, t := range w.periodics {
		m[t.name] = t.failures.Load()
	}
	return m
}

// Leads reports whether this worker keeps the time for all.
func (w *Worker) Leads() bool { return w.leader.Load() }

// measure looks at the outbox itself: what is due and how old it is.
func (l *editionWorker) measure(ctx context.Context) {
	ed, ok := l.w.editions.Get(l.id)
	if !ok {
		return
	}
	var m struct {
		Waiting, Dead int64
		Oldest, Login *time.Time
	}
	ctx, cancel := context.WithTimeout(edition.With(ctx, ed), l.w.opts.Timeout)
	defer cancel()
	err := l.w.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		err := tx.NewRaw(`SELECT count(*) AS waiting, min(due_at) AS oldest, min(due_at) FILTER (WHERE event = ANY
			(ARRAY[?])) AS login
			FROM outbox WHERE done_at IS NULL AND dead_at IS NULL AND due_at <= ?`,
			bun.List(event.OfClass(event.Login)), tx.Now).Scan(ctx, &m)
		if err != nil {
			return err
		}
		l.counts.age.Store(int64(since(tx.Now, m.Oldest)))
		l.counts.ageLogin.Store(int64(since(tx.Now, m.Login)))
		l.counts.waiting.Store(m.Waiting)
		return tx.NewRaw("SELECT count(*) AS dead FROM outbox WHERE dead_at IS NOT NULL").Scan(ctx, &m.Dead)
	})
	if err != nil {
		return // the relay says so
	}
	l.counts.deadRows.Store(m.Dead)
}

func since(now time.Time, t *time.Time) time.Duration {
	if t == nil {
		return 0
	}
	return now.Sub(*t)
}
