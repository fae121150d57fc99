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

// Stats is one edition's work since this worker started, except for Backlog, which is of now.
type Stats struct {
	Handed   uint64 // hand-overs to the queue
	Redriven uint64 // of these: not the first of their row
	Direct   uint64 // run without the queue
	Done     uint64
	Failed   uint64   // runs that failed
	Dead     uint64   // rows given up
	Backlog  *Backlog // of all workers; nil while the outbox cannot be asked
	QueueUp  bool     // the queue took the last row, or answered since
}

type counters struct {
	handed, redriven, direct, done, failed, dead atomic.Uint64
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
			Backlog: l.known(), QueueUp: l.away.Load() == nil,
		}
	}
	return m
}

// known returns the backlog as it was measured last, or nil if the last look failed or was overdue: a connection that
// hangs fails late.
func (l *editionWorker) known() *Backlog {
	last := l.last.Load()
	if last == nil || time.Since(last.at) > 2*l.w.opts.Sweep {
		return nil
	}
	return &last.Backlog
}

// looked is a backlog and when it was measured.
type looked struct {
	Backlog
	at time.Time // by the wall clock
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

// PeriodicFailed reports for each periodic job whether its last run failed, in any edition. It has only the jobs that
// this worker has run since it began to lead, and is empty if another leads.
func (w *Worker) PeriodicFailed() map[string]bool {
	m := map[string]bool{}
	for _, t := range w.periodics {
		if failed := t.failed.Load(); failed != nil && w.Leads() {
			m[t.name] = *failed
		}
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
		l.last.Store(&looked{Backlog{m.Waiting, m.Dead, since(tx.Now, m.Oldest), since(tx.Now, m.Login)}, time.Now()})
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
