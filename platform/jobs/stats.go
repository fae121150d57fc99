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

// PeriodicRuns counts the runs of every periodic job that this worker began, over all editions.
func (w *Worker) PeriodicRuns() map[string]uint64 {
	m := make(map[string]uint64, len(w.periodics))
	for _, t := range w.periodics {
		m[t.name] = t.runs.Load()
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

// measure looks at the outbox itself: what is due and how old it is, and when a row is taken up next. Servers begin and
// end by what it finds: rows that another worker handed over are everybody's to do.
func (l *editionWorker) measure(ctx context.Context) (next time.Duration, open int64, err error) {
	ed, ok := l.w.editions.Get(l.id)
	if !ok {
		return l.w.opts.Sweep, 0, nil
	}
	var m struct {
		Waiting, Dead, Handed int64
		Oldest, Login, Next   *time.Time
	}
	err = l.w.db.Run(edition.With(ctx, ed), func(ctx context.Context, tx db.Tx) error {
		err := tx.NewRaw(`SELECT count(*) FILTER (WHERE due_at <= ?0) AS waiting, min(due_at) AS oldest,
			min(due_at) FILTER (WHERE event = ANY (ARRAY[?1])) AS login, min(next_at) AS next,
			count(*) FILTER (WHERE enqueued_at IS NOT NULL AND due_at <= ?0) AS handed,
			(SELECT count(*) FROM outbox WHERE dead_at IS NOT NULL) AS dead
			FROM outbox WHERE done_at IS NULL AND dead_at IS NULL`,
			tx.Now, bun.List(event.OfClass(event.Login))).Scan(ctx, &m)
		if err != nil {
			return err
		}
		l.counts.age.Store(int64(since(tx.Now, m.Oldest)))
		l.counts.ageLogin.Store(int64(since(tx.Now, m.Login)))
		l.counts.waiting.Store(m.Waiting)
		l.counts.deadRows.Store(m.Dead)
		next = l.w.opts.Sweep
		if m.Next != nil {
			next = m.Next.Sub(tx.Now)
		}
		return nil
	})
	if err != nil {
		return 0, 0, err
	}
	l.measured = time.Now()
	if m.Handed > 0 && l.away.Load() == nil {
		l.serve()
	} else {
		l.rest()
	}
	return next, m.Waiting, nil
}

func since(now time.Time, t *time.Time) time.Duration {
	if t == nil {
		return 0
	}
	return max(0, now.Sub(*t))
}
