package subscription

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
)

// findOpenChange returns the same change if it got no answer since; 0 for none.
func findOpenChange(ctx context.Context, tx db.Tx, subscriptionID int64, c Change,
	since time.Time,
) (id int64, err error) {
	err = tx.NewRaw(`SELECT id FROM billing_changes WHERE subscription_id = ? AND state = 'open' AND kind = ? AND
		product = ? AND periods = ? AND amount = ?
		AND at IS NOT DISTINCT FROM ? AND created_at > ?`, subscriptionID, c.Kind, c.Product, c.Periods, c.Amount,
		bun.NullTime{Time: c.At}, since).Scan(ctx, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

// lapseChanges gives up on what got no answer, because something else is wanted now.
func lapseChanges(ctx context.Context, tx db.Tx, subscriptionID int64) error {
	_, err := tx.NewRaw("UPDATE billing_changes SET state = 'lapsed', settled_at = ? WHERE subscription_id = ? AND "+
		"state = 'open'", tx.Now, subscriptionID).Exec(ctx)
	return err
}

func insertChange(ctx context.Context, tx db.Tx, readerID, subscriptionID int64, c Change) (id int64, err error) {
	err = tx.NewRaw("INSERT INTO billing_changes (reader_id, subscription_id, kind, product, periods, amount, at, "+
		"created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
		readerID, subscriptionID, c.Kind, c.Product, c.Periods, c.Amount, bun.NullTime{Time: c.At}, tx.Now).Scan(ctx, &id)
	return id, err
}

func closeChange(ctx context.Context, tx db.Tx, id int64, state string) error {
	_, err := tx.NewRaw("UPDATE billing_changes SET state = ?, settled_at = ? WHERE id = ? AND state = 'open'", state,
		tx.Now, id).Exec(ctx)
	return err
}

// markEnded has the end of a subscription not be announced by the sweep.
func markEnded(ctx context.Context, tx db.Tx, subscriptionID int64, endedAt time.Time) error {
	_, err := tx.NewRaw("INSERT INTO billing_reminders (subscription_id, kind, period_end, claimed_at) VALUES (?, "+
		"'access_ended', ?, ?) ON CONFLICT DO NOTHING", subscriptionID, endedAt, tx.Now).Exec(ctx)
	return err
}
