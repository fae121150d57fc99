package billing

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
)

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

func putPromise(ctx context.Context, tx db.Tx, person, source string) error {
	_, err := tx.NewRaw("INSERT INTO billing_promises (person, source, promised_at) VALUES (?, ?, ?) ON CONFLICT DO "+
		"NOTHING", person, source, tx.Now).Exec(ctx)
	return err
}

func isPromised(ctx context.Context, tx db.Tx, person, source string) (ok bool, err error) {
	err = tx.NewRaw("SELECT EXISTS (SELECT FROM billing_promises WHERE person = ? AND source = ?)", person, source).
		Scan(ctx, &ok)
	return ok, err
}
