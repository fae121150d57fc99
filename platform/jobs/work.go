package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"time"

	"github.com/uptrace/bun"
	"go.opentelemetry.io/otel/attribute"
	otrace "go.opentelemetry.io/otel/trace"

	"example.org/broadsheet/platform/breaker"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/trace"
	"example.org/broadsheet/platform/typed"
)

// skip marks an error that no repetition will mend.
type skip struct{ err error }

func (s skip) Error() string { return s.err.Error() }
func (s skip) Unwrap() error { return s.err }

// Skip makes err permanent: the row is given up at once. Skip(nil) is nil.
func Skip(err error) error {
	if err == nil {
		return nil
	}
	return skip{err}
}

// IsSkip reports whether err, or one it wraps, was made by Skip.
func IsSkip(err error) bool {
	var s skip
	return errors.As(err, &s)
}

// Join is errors.Join for what a job does for several: one that failed for good does not make the others permanent.
func Join(errs ...error) error {
	temporary := slices.ContainsFunc(errs, func(err error) bool { return err != nil && !IsSkip(err) })
	joined := make([]error, len(errs))
	for i, err := range errs {
		if joined[i] = err; temporary && IsSkip(err) {
			joined[i] = errors.New(err.Error())
		}
	}
	return errors.Join(joined...)
}

// retry marks an error that says itself by when another try makes sense.
type retry struct {
	error
	within time.Duration
}

func (r retry) Unwrap() error { return r.error }

// RetryWithin makes the next try after err come within d, however often the job has failed. RetryWithin(nil, d) is nil.
func RetryWithin(err error, d time.Duration) error {
	if err == nil {
		return nil
	}
	return retry{err, d}
}

// claimed is a row that this worker has to itself.
type claimed struct {
	Event    string
	Payload  json.RawMessage
	Attempts int
	DueAt    time.Time
}

const (
	// slack is what a claim lasts beyond the job's own timeout.
	slack = 10 * time.Second
	// longestOff bounds the wait after a failure: what an outage has held up is done that soon after its end.
	longestOff = 10 * time.Minute
	// urgentOff bounds it for what a reader awaits, who leaves after urgentFor.
	urgentOff = 20 * time.Second
	urgentFor = time.Hour
	maxError  = 2000 // bytes kept of an error
)

// work claims a row, runs its listeners and writes down what happened to it. A row that is done, given up or held by
// another worker is left alone, so a delivery may come twice.
func (l *editionWorker) work(ctx context.Context, id int64) {
	c, err := l.claim(ctx, id)
	if err != nil {
		if !errors.Is(err, sql.ErrNoRows) {
			l.log.WarnContext(ctx, "a row cannot be claimed", "job", id, "error", err) // the relay brings it again
		}
		return
	}
	ctx = withJob(ctx, Job{id, c.Event})
	ctx, span := l.w.opts.Trace.Begin(ctx, "job "+c.Event, otrace.SpanKindConsumer,
		attribute.String("broadsheet.edition", l.id), attribute.String("broadsheet.job.event", c.Event),
		attribute.Int64("broadsheet.job.id", id), attribute.Int("broadsheet.job.attempt", c.Attempts+1))
	failure := l.run(ctx, c)
	defer trace.End(span, failure)
	if err := l.finish(context.WithoutCancel(ctx), id, c, failure); err != nil {
		l.log.ErrorContext(ctx, "the outcome of a row cannot be written", "job", id, "event", c.Event, "error", err)
	}
	if failure != nil {
		l.look() // it is due again sooner than the relay knows
	}
}

// claim waits for a database that is away, and recognises its own claim when only the answer was lost.
func (l *editionWorker) claim(ctx context.Context, id int64) (c claimed, err error) {
	ctx, cancel := context.WithTimeout(ctx, min(slack, l.w.opts.Timeout))
	defer cancel()
	var unanswered []time.Time
	err = l.w.db.Retry(ctx, func(ctx context.Context, tx db.Tx) error {
		until := tx.Now.Add(l.w.opts.Timeout + slack)
		err := tx.NewRaw(`UPDATE outbox SET claimed_until = ?0, next_at = ?0 WHERE id = ?1 AND done_at IS NULL
			AND dead_at IS NULL AND (claimed_until IS NULL OR claimed_until <= ?2 OR claimed_until IN (?3))
			RETURNING event, payload, attempts, due_at`, until, id, tx.Now, bun.List(unanswered)).Scan(ctx, &c)
		if err != nil {
			unanswered = append(unanswered, until)
		}
		return err
	})
	return c, err
}

// run calls the listeners within the job's time; a panic is a failure.
func (l *editionWorker) run(ctx context.Context, c claimed) (err error) {
	ctx, cancel := context.WithTimeout(ctx, l.w.opts.Timeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			l.log.ErrorContext(ctx, "a job panicked", "event", c.Event, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	for _, listen := range l.w.listeners[c.Event] { // some facts are told for listeners to come
		if err := listen(ctx, c.Payload); err != nil {
			return err
		}
	}
	return nil
}

// finish writes down the outcome of a row. It waits for a database that is away: nobody else takes the row up before
// the claim ends.
func (l *editionWorker) finish(ctx context.Context, id int64, c claimed, failure error) error {
	ctx, cancel := context.WithTimeout(ctx, slack)
	defer cancel()
	next, write := l.outcome(ctx, id, c, failure)
	if err := l.w.db.Retry(ctx, write); err != nil {
		return err
	}
	// Not before the commit: advance would not find the row in this state, and forget it.
	if server, ok := errors.AsType[*breaker.ServerError](failure); ok && !next.IsZero() {
		l.delays.add(id, delay{server.Server, next}, server.Began, l.w.db.Now())
	}
	return nil
}

// outcome counts a job that has run, logs a failure, and returns what writes it down. next is when the row is tried
// again; zero for never.
func (l *editionWorker) outcome(ctx context.Context, id int64, c claimed,
	failure error,
) (next time.Time, write func(context.Context, db.Tx) error) {
	if failure == nil {
		l.counts.done.Add(1)
		return next, func(ctx context.Context, tx db.Tx) error {
			_, err := tx.NewRaw("UPDATE outbox SET done_at = ?, claimed_until = NULL, last_error = '' WHERE id = ?",
				tx.Now, id).Exec(ctx)
			return err
		}
	}
	l.counts.failed.Add(1)
	attempts := c.Attempts + 1
	text := typed.Cut(failure.Error(), maxError)
	now := l.w.db.Now()
	age := now.Sub(c.DueAt)
	if IsSkip(failure) || l.w.opts.hopeless(attempts, age) {
		l.counts.dead.Add(1)
		l.log.ErrorContext(ctx, "a job is given up", "job", id, "event", c.Event, "attempts", attempts, "error", failure)
		return next, func(ctx context.Context, tx db.Tx) error {
			_, err := tx.NewRaw(`UPDATE outbox SET dead_at = ?, claimed_until = NULL, attempts = ?, last_error = ?
				WHERE id = ?`, tx.Now, attempts, text, id).Exec(ctx)
			return err
		}
	}
	next = now.Add(l.w.opts.wait(failure, attempts, event.ClassOf(c.Event) == event.Login && age < urgentFor))
	l.log.WarnContext(ctx, "a job failed", "job", id, "event", c.Event, "attempts", attempts, "next", next,
		"error", failure)
	return next, func(ctx context.Context, tx db.Tx) error {
		// The claim lasts until the next try, so that no late copy of the task comes before it.
		_, err := tx.NewRaw(`UPDATE outbox SET claimed_until = ?0, next_at = ?0, attempts = ?1, last_error = ?2
			WHERE id = ?3`, next, attempts, text, id).Exec(ctx)
		return err
	}
}

// hopeless tells when a row is given up: neither by age alone, because the workers may have been away, nor by count
// alone, because a mail server or the payment provider may be away for days.
func (o *Options) hopeless(attempts int, age time.Duration) bool {
	return attempts >= o.Attempts && age >= o.Patience
}

// wait is the time until the next try: the backoff, or less where the failure says so or the work is urgent.
func (o *Options) wait(failure error, attempts int, urgent bool) time.Duration {
	longest := longestOff
	if urgent {
		longest = urgentOff
	}
	d := o.backoff(attempts, longest)
	if r, ok := errors.AsType[retry](failure); ok {
		d = min(d, max(r.within, 0))
	}
	return d
}

// backoff doubles with each failure up to the longest, less up to a fifth so that failures do not march in step.
func (o *Options) backoff(attempts int, longest time.Duration) time.Duration {
	d := min(o.Backoff<<min(attempts-1, 20), longest)
	return d - time.Duration(rand.Int64N(int64(d)/5+1)) //nolint:gosec // no secret
}
