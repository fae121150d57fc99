package jobs

import (
	"context"
	"encoding/json"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/retention"
)

// DeadRow is work that was given up.
type DeadRow struct {
	ID        int64
	Event     string
	Payload   json.RawMessage
	Attempts  int
	LastError string
	CreatedAt time.Time
	DeadAt    time.Time
}

// Dead lists what the edition of ctx has given up, newest first, at most limit rows.
func Dead(ctx context.Context, d *db.DB, limit int) (rows []DeadRow, err error) {
	err = d.View(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw(`SELECT id, event, payload, attempts, last_error, created_at, dead_at FROM outbox
			WHERE dead_at IS NOT NULL ORDER BY dead_at DESC, id DESC LIMIT ?`, limit).Scan(ctx, &rows)
	})
	return rows, err
}

// Requeue gives dead rows a new life, all of the edition's when no ids are named. It returns how many.
func Requeue(ctx context.Context, d *db.DB, ids ...int64) (n int64, err error) {
	err = d.Update(ctx, func(ctx context.Context, tx db.Tx) error {
		q := tx.NewUpdate().Table("outbox").Set("dead_at = NULL, claimed_until = NULL, attempts = 0, next_at = ?", tx.Now).Where("dead_at IS NOT NULL")
		if len(ids) > 0 {
			q = q.Where("id IN (?)", bun.List(ids))
		}
		res, err := q.Exec(ctx)
		if err != nil {
			return err
		}
		n, err = res.RowsAffected()
		return err
	})
	return n, err
}

// doneKept is how long it can be seen what was done.
const doneKept = 30 * 24 * time.Hour

// Retentions is how long the outbox keeps what. Work that was given up waits for a person.
func Retentions() []retention.Rule {
	return []retention.Rule{{Name: "outbox", Rows: "work that was done", Kept: doneKept, Where: "x.done_at < ?0"}}
}
