package access

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
)

// GrantedUntil is the latest end of what was given to a reader; zero for nothing.
func GrantedUntil(ctx context.Context, tx db.Tx, readerID int64) (time.Time, error) {
	var until bun.NullTime
	err := tx.NewRaw("SELECT max(until) FROM billing_grants WHERE reader_id = ?", readerID).Scan(ctx, &until)
	return until.UTC(), err
}

// GivenNext is the end of the given time behind which the reader's next payment has to come; zero for nothing. Grants
// from before begins_at was written count if a code has opened them.
func GivenNext(ctx context.Context, tx db.Tx, readerID int64) (time.Time, error) {
	var until bun.NullTime
	err := tx.NewRaw(`SELECT max(until) FROM billing_grants
		WHERE reader_id = ? AND (begins_at IS NOT NULL OR reason LIKE 'coupon %')`, readerID).Scan(ctx, &until)
	return until.UTC(), err
}

// listMovable returns a reader's grants that can move, in the order in which they begin.
func listMovable(ctx context.Context, tx db.Tx, readerID int64) (list []Grant, err error) {
	err = tx.NewRaw(`SELECT id, reader_id, until, product, begins_at, periods, coalesce(coupon_id, 0) AS coupon_id
		FROM billing_grants WHERE reader_id = ? AND begins_at IS NOT NULL ORDER BY begins_at, id`, readerID).
		Scan(ctx, &list)
	return list, err
}

// moveGrant writes when a grant begins and ends, and the same for the code that has opened it.
func moveGrant(ctx context.Context, tx db.Tx, g Grant) error {
	if _, err := tx.NewRaw("UPDATE billing_grants SET begins_at = ?, until = ?, periods = ?, ending_told_at = NULL, "+
		"ended_told_at = NULL WHERE id = ?", g.BeginsAt, g.Until, g.Periods, g.ID).Exec(ctx); err != nil {
		return err
	}
	_, err := tx.NewRaw("UPDATE billing_redemptions SET until = ? WHERE coupon_id = nullif(?, 0) AND reader_id = ?",
		g.Until, g.CouponID, g.ReaderID).Exec(ctx)
	return err
}
