package reconcile

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/db"
)

// putDrift keeps the time at which drift was found first.
func putDrift(ctx context.Context, tx db.Tx, d Drift) error {
	_, err := tx.NewRaw(`INSERT INTO billing_drift (provider_id, kind, detail, found_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (provider_id) WHERE repaired_at IS NULL DO UPDATE SET kind = excluded.kind, detail = excluded.detail`,
		d.ProviderID, d.Kind, d.Detail, tx.Now).Exec(ctx)
	return err
}

func settleDrift(ctx context.Context, tx db.Tx, providerID string) error {
	_, err := tx.NewRaw("UPDATE billing_drift SET repaired_at = ? WHERE provider_id = ? AND repaired_at IS NULL", tx.Now,
		providerID).Exec(ctx)
	return err
}

func listDrift(ctx context.Context, tx db.Tx) (list []Drift, err error) {
	err = tx.NewRaw("SELECT provider_id, kind, detail FROM billing_drift WHERE repaired_at IS NULL ORDER BY found_at "+
		"LIMIT 500").Scan(ctx, &list)
	return list, err
}

func countDrift(ctx context.Context, tx db.Tx) (s DriftStats, err error) {
	var oldest bun.NullTime
	err = tx.NewRaw("SELECT count(*), min(found_at) FROM billing_drift WHERE repaired_at IS NULL").
		Scan(ctx, &s.Open, &oldest)
	s.Oldest = oldest.Time
	return s, err
}

// listChanged are the subscriptions that have changed here since, and those whose period has ended since.
func listChanged(ctx context.Context, tx db.Tx, since time.Time) (ids []string, err error) {
	err = tx.NewRaw(`SELECT provider_id FROM billing_subscriptions WHERE provider_id IS NOT NULL AND updated_at > ?0
		UNION SELECT provider_id FROM billing_subscriptions WHERE status = 'active' AND NOT trial AND NOT transfer AND
		period_end BETWEEN ?0 AND ?1
		UNION SELECT provider_id FROM billing_subscriptions WHERE status IN ('past_due', 'unpaid') AND NOT trial`, since,
		tx.Now).Scan(ctx, &ids)
	return ids, err
}

// countStored counts the messages that have arrived, of those with some ids.
func countStored(ctx context.Context, tx db.Tx, ids []string) (n int, err error) {
	if len(ids) == 0 {
		return 0, nil
	}
	err = tx.NewRaw("SELECT count(*) FROM billing_events WHERE id IN (?)", bun.List(ids)).Scan(ctx, &n)
	return n, err
}

func countWaiting(ctx context.Context, tx db.Tx) (w Waiting, err error) {
	if w.Reviews, err = access.CountReviews(ctx, tx); err != nil {
		return w, err
	}
	err = tx.NewRaw("SELECT count(*) FROM billing_bank_lines WHERE state = 'queued'").Scan(ctx, &w.BankLines)
	return w, err
}
