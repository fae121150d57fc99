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
