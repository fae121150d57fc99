package subscription

import (
	"context"

	"example.org/broadsheet/modules/billing/email"
	"example.org/broadsheet/platform/db"
)

// lastGrants are each reader's grants that end last, of those that a condition holds for and no email was asked for
// yet; ?1 is the instant up to which they end.
const lastGrants = `(SELECT g.id FROM billing_grants g WHERE g.until <= ?1 AND NOT EXISTS (SELECT FROM billing_grants o
		WHERE o.reader_id = g.reader_id AND (o.until, o.id) > (g.until, g.id)) AND `

// claimEndingGrants takes those that end soon. One that was given for less than that needs no other email.
func claimEndingGrants(ctx context.Context, tx db.Tx) (ids []int64, err error) {
	err = tx.NewRaw("UPDATE billing_grants SET ending_told_at = ?0 WHERE id IN "+lastGrants+
		"g.ending_told_at IS NULL AND g.until > ?0 AND g.granted_at < g.until - make_interval(secs => ?2) "+
		"ORDER BY g.until LIMIT ?3 FOR UPDATE SKIP LOCKED) RETURNING id",
		tx.Now, tx.Now.Add(RemindBefore), RemindBefore.Seconds(), SweepBatch).Scan(ctx, &ids)
	return ids, err
}

// claimEndedGrants takes those that ended not long ago.
func claimEndedGrants(ctx context.Context, tx db.Tx) (ids []int64, err error) {
	err = tx.NewRaw("UPDATE billing_grants SET ended_told_at = ?0 WHERE id IN "+lastGrants+
		"g.ended_told_at IS NULL AND g.until > ?2 ORDER BY g.until LIMIT ?3 FOR UPDATE SKIP LOCKED) RETURNING id",
		tx.Now, tx.Now, tx.Now.Add(-email.MaxNoticeDelay), SweepBatch).Scan(ctx, &ids)
	return ids, err
}
