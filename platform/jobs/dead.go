package jobs

import (
	"context"
	"encoding/json"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/retention"
)

// Row is work that is due and not done.
type Row struct {
	ID        int64
	Event     string
	Payload   json.RawMessage
	Attempts  int
	LastError string
	DueAt     time.Time
	NextAt    time.Time  // when it is tried next, at the latest
	DeadAt    *time.Time // when it was given up; nil while it is tried
}

// Open lists the work of the edition of ctx that is due and not done, oldest first, at most limit rows; what was given
// up is not in it.
func Open(ctx context.Context, d *db.DB, limit int) ([]Row, error) {
	return list(ctx, d, "done_at IS NULL AND dead_at IS NULL AND due_at <= ?0 ORDER BY due_at, id", limit)
}

// Dead lists what the edition of ctx has given up, newest first, at most limit rows.
func Dead(ctx context.Context, d *db.DB, limit int) ([]Row, error) {
	return list(ctx, d, "dead_at IS NOT NULL AND dead_at <= ?0 ORDER BY dead_at DESC, id DESC", limit)
}

// DeadOf lists the work of one event that the edition of ctx has given up, oldest first.
func DeadOf(ctx context.Context, d *db.DB, event string) (rows []Row, err error) {
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw(`SELECT id, event, payload, attempts, last_error, due_at, next_at, dead_at FROM outbox
			WHERE dead_at IS NOT NULL AND event = ?0 ORDER BY id`, event).Scan(ctx, &rows)
	})
	return rows, err
}

func list(ctx context.Context, d *db.DB, which string, limit int) (rows []Row, err error) {
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT id, event, payload, attempts, last_error, due_at, next_at, dead_at FROM outbox WHERE "+which+
			" LIMIT ?1", tx.Now, limit).Scan(ctx, &rows)
	})
	return rows, err
}

// CountDead tells how many of these rows were given up, of all when no ids are named.
func CountDead(ctx context.Context, d *db.DB, ids ...int64) (n int64, err error) {
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		q := tx.NewSelect().Table("outbox").ColumnExpr("count(*)").Where("dead_at IS NOT NULL")
		if len(ids) > 0 {
			q = q.Where("id IN (?)", bun.List(ids))
		}
		return q.Scan(ctx, &n)
	})
	return n, err
}

// Requeue gives dead rows a new life that begins now, all of the edition's when no ids are named. It returns how many.
func Requeue(ctx context.Context, d *db.DB, ids ...int64) (n int64, err error) {
	err = d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		q := tx.NewUpdate().Table("outbox").
			Set("dead_at = NULL, claimed_until = NULL, attempts = 0, due_at = ?0, next_at = ?0", tx.Now).
			Where("dead_at IS NOT NULL")
		if len(ids) > 0 {
			q = q.Where("id IN (?)", bun.List(ids))
		}
		res, err := q.Exec(ctx)
		if err != nil {
			return err
		}
		if n, err = res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		return notify.Tell(ctx, tx, notify.Outbox)
	})
	return n, err
}

// Drop gives dead rows up for good: they count as done, and are not done. It returns how many.
func Drop(ctx context.Context, d *db.DB, ids ...int64) (n int64, err error) {
	err = d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		res, err := tx.NewUpdate().Table("outbox").Set("dead_at = NULL, done_at = ?", tx.Now).
			Where("dead_at IS NOT NULL AND id IN (?)", bun.List(ids)).Exec(ctx)
		if err == nil {
			n, err = res.RowsAffected()
		}
		return err
	})
	return n, err
}

// Backlog is the work of one edition that is due and not done.
type Backlog struct {
	Waiting, Dead int64         // rows that are due and not done, and rows that were given up
	Age, AgeLogin time.Duration // of the oldest row that waits, and of the oldest login
}

// Measure looks at the backlog of the edition of ctx.
func Measure(ctx context.Context, d *db.DB) (b Backlog, err error) {
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		var m struct {
			Waiting, Dead int64
			Oldest, Login *time.Time
		}
		err := tx.NewRaw(`SELECT count(*) FILTER (WHERE dead_at IS NULL) AS waiting,
			count(*) FILTER (WHERE dead_at IS NOT NULL) AS dead, min(due_at) FILTER (WHERE dead_at IS NULL) AS oldest,
			min(due_at) FILTER (WHERE dead_at IS NULL AND event = ANY (ARRAY[?1])) AS login
			FROM outbox WHERE done_at IS NULL AND due_at <= ?0`, tx.Now, bun.List(event.OfClass(event.Login))).Scan(ctx, &m)
		b = Backlog{m.Waiting, m.Dead, since(tx.Now, m.Oldest), since(tx.Now, m.Login)}
		return err
	})
	return b, err
}

// doneKept is how long it can be seen what was done.
const doneKept = 30 * 24 * time.Hour

// Retentions is how long the outbox keeps what. Work that was given up waits for a person.
func Retentions() []retention.Rule {
	return []retention.Rule{{Name: "outbox", Rows: "work that was done", Kept: doneKept, Where: "x.done_at < ?0"}}
}
