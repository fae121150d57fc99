package reconcile

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/db"
)

// FindRun returns nil for one that was never gone.
func FindRun(ctx context.Context, tx db.Tx, name string) (*Run, error) {
	var row struct {
		Name       string
		Stage      int
		Position   string
		BeganAt    time.Time
		FinishedAt bun.NullTime
	}
	found, err := db.One(&row,
		tx.NewRaw("SELECT name, stage, position, began_at, finished_at FROM billing_rounds WHERE name = ?", name).
			Scan(ctx, &row))
	if err != nil || found == nil {
		return nil, err
	}
	return &Run{
		Name: row.Name, Stage: row.Stage, Position: row.Position, BeganAt: row.BeganAt,
		FinishedAt: row.FinishedAt.Time,
	}, nil
}

// PutRun stores how far a comparison is.
func PutRun(ctx context.Context, tx db.Tx, r *Run) error {
	_, err := tx.NewRaw(`INSERT INTO billing_rounds (name, stage, position, began_at, finished_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET stage = excluded.stage, position = excluded.position, began_at =
		excluded.began_at, finished_at = excluded.finished_at`,
		r.Name, r.Stage, r.Position, r.BeganAt, bun.NullTime{Time: r.FinishedAt}).Exec(ctx)
	return err
}

// findListed finds subscriptions that are in the provider's list, and notes that they are. There is at least one id.
func findListed(ctx context.Context, tx db.Tx, ids []string) ([]access.Subscription, error) {
	_, err := tx.NewRaw(`INSERT INTO billing_syncs (provider_id, drawn, compared_at) SELECT id, 0, ?0 FROM
		unnest(ARRAY[?1]) id
		ON CONFLICT (provider_id) DO UPDATE SET compared_at = excluded.compared_at`, tx.Now, bun.List(ids)).Exec(ctx)
	if err != nil {
		return nil, err
	}
	return access.Select(ctx, tx, "provider_id IN (?)", bun.List(ids))
}

// listMissing are the subscriptions that are not over here, and were neither in the provider's list nor written since
// an instant.
func listMissing(ctx context.Context, tx db.Tx, since time.Time) (ids []string, err error) {
	err = tx.NewRaw(`SELECT s.provider_id FROM billing_subscriptions s LEFT JOIN billing_syncs y USING (provider_id)
		WHERE s.provider_id IS NOT NULL AND s.status NOT IN ('canceled', 'incomplete_expired') AND s.updated_at < ?0 AND
		(y.compared_at IS NULL OR y.compared_at < ?0)
		ORDER BY s.provider_id COLLATE "C"`, since).Scan(ctx, &ids)
	return ids, err
}
