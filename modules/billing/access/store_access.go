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
	_, err := tx.NewRaw(`INSERT INTO billing_grants (reader_id, until, reason, product, granted_at, begins_at, periods,
			coupon_id)
		VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, 0))`, g.ReaderID, g.Until, g.Reason, cmp.Or(g.Product, NoProduct), tx.Now,
		bun.NullTime{Time: g.BeginsAt}, g.Periods, g.CouponID).Exec(ctx)
	return err
}

// selectGrants reads grants with their sources: a trial that was replaced, a code that was bought as a gift, another
// code, or support.
const selectGrants = `SELECT g.reader_id, g.until, g.reason, g.product, g.granted_at,
	CASE WHEN g.reason = '` + restOfTrial + `' THEN 'trial' WHEN g.reason !~ '^coupon [0-9]+$' THEN 'grant'
		WHEN EXISTS (SELECT FROM billing_gifts f WHERE f.coupon_id = substr(g.reason, 8)::bigint) THEN 'gift'
		ELSE 'code' END AS source
	FROM billing_grants g WHERE `

// listGrants are all that a reader was given, the newest last.
func listGrants(ctx context.Context, tx db.Tx, readerID int64) (list []Grant, err error) {
	err = tx.NewRaw(selectGrants+"g.reader_id = ? ORDER BY g.id", readerID).Scan(ctx, &list)
	return list, err
}

// FindGrant returns what was given to a reader, by the id of its row; nil if there is none.
func FindGrant(ctx context.Context, tx db.Tx, id int64) (*Grant, error) {
	g := new(Grant)
	return db.One(g, tx.NewRaw(selectGrants+"g.id = ?", id).Scan(ctx, g))
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
