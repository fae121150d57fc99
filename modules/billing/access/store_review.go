package access

import (
	"context"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
)

// PutReview reports whether it waits only since now.
func PutReview(ctx context.Context, tx db.Tx, kind, providerID string, readerID int64,
	detail string,
) (fresh bool, err error) {
	res, err := tx.NewRaw(`INSERT INTO billing_parked (kind, provider_id, reader_id, detail, created_at) VALUES (?0,
		?1, nullif(?2, 0), ?3, ?4)
		ON CONFLICT (kind, provider_id) DO UPDATE SET resolved_at = NULL, created_at = excluded.created_at, detail =
		excluded.detail
		WHERE billing_parked.resolved_at IS NOT NULL AND billing_parked.kind NOT IN (?5, ?6)`, kind, providerID, readerID,
		detail, tx.Now, ReviewDispute, ReviewPrice).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// CloseReview notes that something needs no review any more; it need not have been in the queue.
func CloseReview(ctx context.Context, tx db.Tx, kind, providerID string) error {
	_, err := tx.NewRaw("UPDATE billing_parked SET resolved_at = ? WHERE kind = ? AND provider_id = ? AND resolved_at "+
		"IS NULL", tx.Now, kind, providerID).Exec(ctx)
	return err
}

func selectReviews(ctx context.Context, tx db.Tx, where string, args ...any) ([]Review, error) {
	var rows []struct {
		Review
		ResolvedAt bun.NullTime
	}
	err := tx.NewRaw("SELECT id, kind, provider_id, coalesce(reader_id, 0) AS reader_id, detail, created_at, "+
		"resolved_at FROM billing_parked WHERE "+where, args...).Scan(ctx, &rows)
	list := make([]Review, len(rows))
	for i, r := range rows {
		list[i] = r.Review
		list[i].ResolvedAt = r.ResolvedAt.Time
	}
	return list, err
}

// ReviewsOf returns the provider's ids of up to 100 things of a kind that wait, the oldest first.
func ReviewsOf(ctx context.Context, tx db.Tx, kind string) (ids []string, err error) {
	err = tx.NewRaw("SELECT provider_id FROM billing_parked WHERE kind = ? AND resolved_at IS NULL ORDER BY id LIMIT 100",
		kind).Scan(ctx, &ids)
	return ids, err
}

// InReview reports whether a person has to look at something already.
func InReview(ctx context.Context, tx db.Tx, kind, providerID string) (waits bool, err error) {
	err = tx.NewRaw("SELECT EXISTS (SELECT FROM billing_parked WHERE kind = ? AND provider_id = ? AND resolved_at IS "+
		"NULL)", kind, providerID).Scan(ctx, &waits)
	return waits, err
}

// CountReviews counts what waits for a person, by kind; every kind has a number.
func CountReviews(ctx context.Context, tx db.Tx) (map[string]int, error) {
	n := map[string]int{}
	for _, kind := range reviewKinds {
		n[kind] = 0
	}
	var rows []struct {
		Kind string
		N    int
	}
	err := tx.NewRaw("SELECT kind, count(*) AS n FROM billing_parked WHERE resolved_at IS NULL GROUP BY kind").
		Scan(ctx, &rows)
	for _, r := range rows {
		n[r.Kind] = r.N
	}
	return n, err
}
