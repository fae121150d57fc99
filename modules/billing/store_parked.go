package billing

import (
	"context"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
)

// putParked reports whether it waits only since now.
func putParked(ctx context.Context, tx db.Tx, kind, providerID string, readerID int64,
	detail string,
) (fresh bool, err error) {
	res, err := tx.NewRaw(`INSERT INTO billing_parked (kind, provider_id, reader_id, detail, created_at) VALUES (?0,
		?1, nullif(?2, 0), ?3, ?4)
		ON CONFLICT (kind, provider_id) DO UPDATE SET resolved_at = NULL, created_at = excluded.created_at, detail =
		excluded.detail
		WHERE billing_parked.resolved_at IS NOT NULL AND billing_parked.kind <> ?5`, kind, providerID, readerID, detail,
		tx.Now, parkDispute).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

func resolveParked(ctx context.Context, tx db.Tx, kind, providerID string) error {
	_, err := tx.NewRaw("UPDATE billing_parked SET resolved_at = ? WHERE kind = ? AND provider_id = ? AND resolved_at "+
		"IS NULL", tx.Now, kind, providerID).Exec(ctx)
	return err
}

func selectParked(ctx context.Context, tx db.Tx, where string, args ...any) ([]Parked, error) {
	var rows []struct {
		Parked
		ResolvedAt bun.NullTime
	}
	err := tx.NewRaw("SELECT id, kind, provider_id, coalesce(reader_id, 0) AS reader_id, detail, created_at, "+
		"resolved_at FROM billing_parked WHERE "+where, args...).Scan(ctx, &rows)
	list := make([]Parked, len(rows))
	for i, r := range rows {
		list[i] = r.Parked
		list[i].ResolvedAt = r.ResolvedAt.Time
	}
	return list, err
}

func listParked(ctx context.Context, tx db.Tx, kind string) (ids []string, err error) {
	err = tx.NewRaw("SELECT provider_id FROM billing_parked WHERE kind = ? AND resolved_at IS NULL ORDER BY id LIMIT 100",
		kind).Scan(ctx, &ids)
	return ids, err
}

// isParked reports whether a person has to look at something already.
func isParked(ctx context.Context, tx db.Tx, kind, providerID string) (parked bool, err error) {
	err = tx.NewRaw("SELECT EXISTS (SELECT FROM billing_parked WHERE kind = ? AND provider_id = ? AND resolved_at IS "+
		"NULL)", kind, providerID).Scan(ctx, &parked)
	return parked, err
}

func countWaiting(ctx context.Context, tx db.Tx) (w Waiting, err error) {
	w.Parked = map[string]int{}
	for _, kind := range parkedKinds {
		w.Parked[kind] = 0
	}
	var rows []struct {
		Kind string
		N    int
	}
	if err := tx.NewRaw("SELECT kind, count(*) AS n FROM billing_parked WHERE resolved_at IS NULL GROUP BY kind").
		Scan(ctx, &rows); err != nil {
		return w, err
	}
	for _, r := range rows {
		w.Parked[r.Kind] = r.N
	}
	err = tx.NewRaw("SELECT count(*) FROM billing_bank_lines WHERE state = 'queued'").Scan(ctx, &w.BankLines)
	return w, err
}

// furthestRedemption is the one that opens the most to a reader; nil for none.
func furthestRedemption(ctx context.Context, tx db.Tx, readerID int64) (*redemption, error) {
	r := new(redemption)
	return db.One(r,
		tx.NewRaw("SELECT coupon_id, reader_id, redeemed_at, until FROM billing_redemptions WHERE reader_id = ? ORDER BY "+
			"until DESC, redeemed_at DESC LIMIT 1", readerID).Scan(ctx, r))
}
