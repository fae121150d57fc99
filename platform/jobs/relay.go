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
)

// due is a row that was taken up.
type due struct {
	ID       int64
	Event    string
	Drives   int
	Attempts int
	DueAt    time.Time
}

// relayForever carries the edition's due rows to the queue until ctx ends.
func (l *editionWorker) relayForever(ctx context.Context) {
	measured := time.Time{}
	for ctx.Err() == nil {
		turn, cancel := context.WithTimeout(ctx, l.w.opts.Timeout) // a connection that has died in silence is given up
		n, err := l.relay(turn)
		cancel()
		if err != nil && ctx.Err() == nil {
			l.log.Warn("the outbox cannot be read", "error", err)
		}
		if time.Since(measured) > 5*time.Second {
			measured = time.Now()
			l.probe(ctx)
			l.measure(ctx)
		}
		if n == batch {
			continue // there is more
		}
		select {
		case <-ctx.Done():
		case <-time.After(l.w.opts.Poll):
		}
	}
}

// relay takes up what is due, commits, and only then speaks to the queue: no transaction waits for Redis. A row that
// is lost after the commit is taken up again at its next_at; so is one that was handed over and not done in time.
func (l *editionWorker) relay(ctx context.Context) (int, error) {
	ed, ok := l.w.editions.Get(l.id)
	if !ok {
		return 0, nil
	}
	ctx = edition.With(ctx, ed)
	rows, err := l.take(ctx)
	if err != nil {
		return 0, err
	}
	var refused []due
	for i, r := range rows {
		if err := l.enqueue(ctx, r); err != nil {
			l.refusal(err)
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

func (l *editionWorker) refusal(err error) {
	now := l.w.db.Now()
	if l.away.Swap(&now) == nil {
		l.log.Warn("the queue is away; rows wait in the outbox", "error", err)
	}
}

// probe asks the queue whether it is there: while nothing is due, nobody else would notice that it went and came.
func (l *editionWorker) probe(ctx context.Context) {
	ed, ok := l.w.editions.Get(l.id)
	if !ok {
		return
	}
	ask, cancel := context.WithTimeout(ctx, enqueueTimeout)
	defer cancel()
	if err := l.w.Ping(ask); err != nil {
		if ctx.Err() == nil {
			l.refusal(err)
		}
		return
	}
	if err := l.accepted(edition.With(ctx, ed)); err != nil {
		l.log.Warn("what the queue was given before it was away cannot be brought forward", "error", err)
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
	if l.away.CompareAndSwap(away, nil) {
		l.log.Info("the queue is back")
	}
	return nil
}

// giveBack puts rows that the queue refused back in line. A login that has waited too long is done right here.
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
		if queue(r.Event) == queueLogin && now.Sub(r.DueAt) >= l.w.opts.DirectAfter {
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
