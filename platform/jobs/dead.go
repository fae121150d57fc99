package jobs

import (
	"context"
	"encoding/json"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
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

// How long the platform's own tables remember.
const (
	keepDone = 30 * 24 * time.Hour
	keepMail = 365 * 24 * time.Hour
	keepBulk = 90 * 24 * time.Hour // letters to many: longer than their bounces take, and than who asks why one did not come
	tidyRows = 5000                // a statement's worth
)

// tidy removes what nobody will ask for again.
func (w *Worker) tidy(ctx context.Context) error {
	for _, s := range []struct {
		sql string
		age time.Duration
	}{
		{"DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE done_at < ? LIMIT ?)", keepDone},
		{"DELETE FROM mail_log WHERE id IN (SELECT id FROM mail_log WHERE created_at < ? LIMIT ?)", keepMail},
		{"DELETE FROM mail_log WHERE id IN (SELECT id FROM mail_log WHERE kind = 'newsletter' AND created_at < ? LIMIT ?)", keepBulk},
		{"DELETE FROM mail_reports WHERE id IN (SELECT id FROM mail_reports WHERE at < ? LIMIT ?)", keepMail},
		{"DELETE FROM rate_limits WHERE ctid IN (SELECT ctid FROM rate_limits WHERE expires_at < ? LIMIT ?)", 0},
	} {
		for more := true; more; {
			err := w.db.View(ctx, func(ctx context.Context, tx db.Tx) error {
				res, err := tx.NewRaw(s.sql, tx.Now.Add(-s.age), tidyRows).Exec(ctx)
				if err != nil {
					return err
				}
				n, err := res.RowsAffected()
				more = n == tidyRows
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
