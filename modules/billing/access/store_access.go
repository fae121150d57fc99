package access

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
)

// InsertGrant stores access that was given away.
func InsertGrant(ctx context.Context, tx db.Tx, g Grant) error {
	_, err := tx.NewRaw("INSERT INTO billing_grants (reader_id, until, reason, product, granted_at) VALUES (?, ?, ?, ?, "+
		"?)", g.ReaderID, g.Until, g.Reason, cmp.Or(g.Product, NoProduct), tx.Now).Exec(ctx)
	return err
}

// listGrants are all that a reader was given, the newest last.
func listGrants(ctx context.Context, tx db.Tx, readerID int64) (list []Grant, err error) {
	err = tx.NewRaw("SELECT reader_id, until, reason, product, granted_at FROM billing_grants WHERE reader_id = ? ORDER "+
		"BY id", readerID).Scan(ctx, &list)
	return list, err
}

func findDismissed(ctx context.Context, tx db.Tx, readerID int64) (time.Time, error) {
	var at bun.NullTime
	err := tx.NewRaw("SELECT reminder_dismissed_at FROM billing_readers WHERE reader_id = ?", readerID).Scan(ctx, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	return at.Time, err
}

func putDismissed(ctx context.Context, tx db.Tx, readerID int64, dismissed bool) error {
	at := bun.NullTime{}
	if dismissed {
		at.Time = tx.Now
	}
	_, err := tx.NewRaw(`INSERT INTO billing_readers (reader_id, reminder_dismissed_at) VALUES (?, ?)
		ON CONFLICT (reader_id) DO UPDATE SET reminder_dismissed_at = excluded.reminder_dismissed_at`, readerID, at).Exec(ctx)
	return err
}
