package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/hibiken/asynq"
	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

const (
	batch          = 200
	enqueueTimeout = 2 * time.Second
	// idTaken keeps a finished task's id taken, so that a second hand-over with the same number is refused.
	idTaken = 10 * time.Minute
	// unreachable is how long a row waits after the queue refused it.
	unreachable = time.Second
	// settle is the least time between two rounds.
	settle = 25 * time.Millisecond
	// measureEvery is how old the figures of an edition that has work may be.
	measureEvery = 5 * time.Second
)

// due is a row that was taken up.
type due struct {
	ID       int64
	Event    string
	Drives   int
	Attempts int
	DueAt    time.Time
}

// relayForever carries the edition's due rows to the queue until ctx ends: when it is told that there are some, when
// the next is due by the clock, and now and then, because notices can be lost.
func (l *editionWorker) relayForever(ctx context.Context) {
	for ctx.Err() == nil {
		began := time.Now()
		wait := l.round(ctx)
		// Notices come in heaps; each round takes up what all of them are about.
		if pause := min(l.w.opts.Poll, settle) - time.Since(began); pause > 0 && wait > 0 {
			wait = max(0, wait-pause)
			sleep(ctx, pause, nil)
		}
		sleep(ctx, wait, l.wake)
	}
}

// sleep returns after a while, when it is woken, and when ctx ends.
func sleep(ctx context.Context, d time.Duration, wake <-chan struct{}) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-wake:
	case <-t.C:
	}
}

// round hands over what is due and returns how long there is nothing to do.
func (l *editionWorker) round(ctx context.Context) time.Duration {
	ctx, cancel := context.WithTimeout(ctx, l.w.opts.Timeout) // a connection that has died in silence is given up
	defer cancel()
	n, err := l.relay(ctx)
	switch {
	case err != nil:
		if !errors.Is(ctx.Err(), context.Canceled) {
			l.log.WarnContext(ctx, "the outbox cannot be read", "error", err)
		}
		l.last.Store(nil)
		return l.w.opts.Poll
	case n == batch:
		return 0 // there is more
	case (n > 0 || !l.w.opts.Listening()) && time.Since(l.measured) < measureEvery:
		return l.w.opts.Poll
	}
	next, open, err := l.measure(ctx)
	if err != nil {
		l.last.Store(nil)
		return l.w.opts.Poll // the next round says so
	}
	longest := l.w.opts.Sweep
	if !l.w.opts.Listening() {
		longest = l.w.opts.Poll
	} else if open > 0 {
		longest = min(longest, measureEvery)
	} else if rest, serving := l.untilRest(); serving {
		longest = min(longest, max(rest, settle))
	}
	return min(max(next, l.w.opts.Poll), longest)
}

// relay takes up what is due, commits, and only then speaks to the queue: no transaction waits for Redis. A row that
// is lost after the commit is taken up again at its next_at; so is one that was handed over and not done in time.
func (l *editionWorker) relay(ctx context.Context) (int, error) {
	ed, ok := l.w.editions.Get(l.id)
	if !ok {
		return 0, nil
	}
	ctx = edition.With(ctx, ed)
	l.handing.Lock()
	defer l.handing.Unlock()
	if err := l.advance(ctx); err != nil {
		return 0, err
	}
	rows, err := l.take(ctx)
	if err != nil {
		return 0, err
	}
	var refused []due
	for i, r := range rows {
		if err := l.enqueue(ctx, r); err != nil {
			l.refusal(l.w.db.Now(), err)
			refused = rows[i:]
			break
		}
		l.counts.handed.Add(1)
		if r.Drives > 1 {
			l.counts.redriven.Add(1)
		}
	}
	switch {
	case len(rows) == 0:
		return 0, nil
	case len(refused) > 0:
		return 0, l.giveBack(ctx, refused)
	}
	l.serve() // now, so that a server that begins finds them at once
	return len(rows), l.accepted(ctx)
}

func (l *editionWorker) take(ctx context.Context) (rows []due, err error) {
	err = l.w.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		var open []due
		err := tx.NewRaw(`SELECT id, event, drives, attempts, due_at FROM outbox
			WHERE done_at IS NULL AND dead_at IS NULL AND next_at <= ?
			ORDER BY event <> ALL (ARRAY[?]), next_at LIMIT ? FOR UPDATE SKIP LOCKED`, tx.Now,
			bun.List(event.OfClass(event.Login)), batch).
			Scan(ctx, &open)
		if err != nil || len(open) == 0 {
			return err
		}
		type change struct {
			ID   int64     `bun:"id"`
			Next time.Time `bun:"next_at"`
		}
		changes := make([]change, len(open))
		for i := range open {
			open[i].Drives++
			changes[i] = change{open[i].ID, l.w.opts.again(tx.Now, queue(open[i].Event), open[i].Drives-open[i].Attempts)}
		}
		rows = open
		_, err = tx.NewRaw(`UPDATE outbox o SET enqueued_at = ?, drives = drives + 1, next_at = c.next_at::timestamptz
			FROM (?) AS c (id, next_at) WHERE o.id = c.id::bigint`, tx.Now, tx.NewValues(&changes)).Exec(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}

func (l *editionWorker) enqueue(ctx context.Context, r due) error {
	body, err := json.Marshal(envelope{l.id, r.Event, r.ID})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, enqueueTimeout)
	defer cancel()
	_, err = l.w.client.EnqueueContext(ctx, asynq.NewTask(taskType, body),
		asynq.Queue(queueName(l.id, queue(r.Event))), asynq.TaskID(fmt.Sprintf("%s:%d#%d", l.id, r.ID, r.Drives)),
		asynq.MaxRetry(0), asynq.Timeout(l.w.opts.Timeout+time.Second), asynq.Retention(idTaken))
	if errors.Is(err, asynq.ErrTaskIDConflict) {
		return nil // it is there already
	}
	return err
}

// refusal notes that the queue took nothing at a time.
func (l *editionWorker) refusal(at time.Time, err error) {
	l.away.Store(&at)
	if l.w.away.CompareAndSwap(false, true) {
		l.w.opts.Log.Warn("the queue is away; rows wait in the outbox", "error", err)
	}
}

// hear notes what the queue has answered when it was asked whether it is there. Who hands over at the moment knows
// better.
func (l *editionWorker) hear(ctx context.Context, asked time.Time, answer error) {
	if !l.handing.TryLock() {
		return
	}
	defer l.handing.Unlock()
	ed, ok := l.w.editions.Get(l.id)
	switch {
	case answer != nil:
		l.refusal(asked, answer)
	case ok:
		if err := l.accepted(edition.With(ctx, ed)); err != nil && ctx.Err() == nil {
			l.log.WarnContext(ctx, "what the queue was given before it was away cannot be brought forward", "error", err)
		}
	}
}

// accepted notes that the queue is there. Where it was away, it may have lost what it was given: all of that is due at
// once, but for what somebody works on or a failure keeps back.
func (l *editionWorker) accepted(ctx context.Context) error {
	away := l.away.Load()
	if away == nil {
		return nil
	}
	err := l.w.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(`UPDATE outbox SET next_at = ?0 WHERE done_at IS NULL AND dead_at IS NULL AND next_at > ?0
			AND enqueued_at <= ?1 AND (claimed_until IS NULL OR claimed_until <= ?0)`, tx.Now, *away).Exec(ctx)
		return err
	})
	if err != nil {
		return err // the next answer of the queue tries it again
	}
	l.away.CompareAndSwap(away, nil)
	if l.w.away.CompareAndSwap(true, false) {
		l.w.opts.Log.InfoContext(ctx, "the queue is back")
	}
	l.look()
	return nil
}

// giveBack puts rows that the queue refused back in line. What a reader awaits is done right here once it has waited
// too long.
func (l *editionWorker) giveBack(ctx context.Context, rows []due) error {
	now := l.w.db.Now()
	ids := make([]int64, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	err := l.w.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw("UPDATE outbox SET next_at = ?, drives = drives - 1 WHERE id IN (?) AND done_at IS NULL",
			now.Add(unreachable), bun.List(ids)).Exec(ctx)
		return err
	})
	for _, r := range rows {
		if event.Awaited(r.Event) && now.Sub(r.DueAt) >= l.w.opts.DirectAfter {
			l.workDirectly(ctx, r.ID)
		}
	}
	return err
}

// workDirectly runs a row without the queue, unless all places are taken: then it has its turn at the next poll.
func (l *editionWorker) workDirectly(ctx context.Context, id int64) {
	select {
	case l.direct <- struct{}{}:
	default:
		return
	}
	l.relayer.Go(func() {
		defer func() { <-l.direct }()
		l.counts.direct.Add(1)
		l.work(context.WithoutCancel(ctx), id)
	})
}
