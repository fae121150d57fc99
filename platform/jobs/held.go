package jobs

import (
	"context"
	"time"

	"example.org/broadsheet/platform/audit"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
)

// ActionRestored records what an operator decided on the work that a restore brought back.
var ActionRestored = audit.New("restore-confirm")

// held is the last error of work that came back with a backup. It counts as given up, so that no worker touches it and
// operators see it where they look anyway.
const held = "it came back with a backup; `broadsheet restore confirm` runs or drops it"

// Hold gives up all work of the edition of ctx that is not done, until Release. It returns how much.
func Hold(ctx context.Context, d *db.DB) (n int64, err error) {
	err = d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		res, err := tx.NewRaw(`UPDATE outbox SET dead_at = ?, claimed_until = NULL, last_error = ?
			WHERE done_at IS NULL AND dead_at IS NULL`, tx.Now, held).Exec(ctx)
		if err == nil {
			n, err = res.RowsAffected()
		}
		return err
	})
	return n, err
}

// HeldWork is what Hold has given up of one kind.
type HeldWork struct {
	Event  string
	Due    int64     // rows that are overdue by now
	Later  int64     // rows that are due later
	Oldest time.Time // when the first of them was due
}

// Held lists what Hold has given up in the edition of ctx, by event.
func Held(ctx context.Context, d *db.DB) (list []HeldWork, err error) {
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw(`SELECT event, count(*) FILTER (WHERE due_at <= ?0) AS due,
			count(*) FILTER (WHERE due_at > ?0) AS later, min(due_at) AS oldest
			FROM outbox WHERE dead_at IS NOT NULL AND last_error = ?1 GROUP BY event ORDER BY event`,
			tx.Now, held).Scan(ctx, &list)
	})
	return list, err
}

// Release ends what Hold began in the edition of ctx: work that is due later goes on as if nothing had been, and what
// is overdue is run, or dropped. It returns how much was overdue.
func Release(ctx context.Context, d *db.DB, run bool) (overdue int64, err error) {
	err = d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if !run {
			res, err := tx.NewRaw(`UPDATE outbox SET dead_at = NULL, done_at = ?0
				WHERE dead_at IS NOT NULL AND last_error = ?1 AND due_at <= ?0`, tx.Now, held).Exec(ctx)
			if err != nil {
				return err
			}
			if overdue, err = res.RowsAffected(); err != nil {
				return err
			}
		}
		var due []bool
		err := tx.NewRaw(`UPDATE outbox SET dead_at = NULL, attempts = 0, last_error = '', due_at = greatest(due_at, ?0),
			next_at = greatest(due_at, ?0) WHERE dead_at IS NOT NULL AND last_error = ?1 RETURNING due_at <= ?0`,
			tx.Now, held).Scan(ctx, &due)
		if err != nil {
			return err
		}
		for _, now := range due {
			if now {
				overdue++
			}
		}
		return notify.Tell(ctx, tx, notify.Outbox)
	})
	return overdue, err
}
