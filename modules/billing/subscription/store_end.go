package subscription

import (
	"context"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
)

// notEnded are the rows of subscriptions that the provider has not ended.
const notEnded = "provider_id IS NOT NULL AND status NOT IN ('canceled', 'incomplete_expired')"

// countRunning uses no column that an edition out of service may not have yet.
func countRunning(ctx context.Context, tx db.Tx) (r Running, err error) {
	var last bun.NullTime
	err = tx.NewRaw("SELECT count(*), count(*) FILTER (WHERE NOT cancel_at_period_end), max(period_end) FROM "+
		"billing_subscriptions WHERE "+notEnded).Scan(ctx, &r.Count, &r.Renews, &last)
	r.Last = last.UTC()
	return r, err
}
