package paywall

import (
	"context"

	"example.org/broadsheet/platform/db"
)

// Kinds of the record.
const (
	article = "article"
	video   = "video"
)

// lockOpened is listOpened for whoever is about to add: the reader's row stays locked until the transaction ends, so
// two who count cannot both find the last credit.
func lockOpened(ctx context.Context, tx db.Tx, readerID int64, kind string) ([]int64, error) {
	if _, err := tx.NewRaw("INSERT INTO paywall_readers (reader_id) VALUES (?) ON CONFLICT DO NOTHING", readerID).
		Exec(ctx); err != nil {
		return nil, err
	}
	if _, err := tx.NewRaw("SELECT FROM paywall_readers WHERE reader_id = ? FOR UPDATE", readerID).Exec(ctx); err != nil {
		return nil, err
	}
	return listOpened(ctx, tx, readerID, kind)
}

// listOpened returns the ids of the running period, oldest first.
func listOpened(ctx context.Context, tx db.Tx, readerID int64, kind string) ([]int64, error) {
	key, err := period(tx)
	if err != nil {
		return nil, err
	}
	ids := []int64{}
	err = tx.NewRaw(`SELECT post_id FROM paywall_opened WHERE reader_id = ? AND period_key = ? AND kind = ?
		ORDER BY opened_at, post_id`, readerID, key, kind).Scan(ctx, &ids)
	return ids, err
}

func insertOpened(ctx context.Context, tx db.Tx, readerID int64, kind string, postID int64) error {
	key, err := period(tx)
	if err != nil {
		return err
	}
	_, err = tx.NewRaw(`INSERT INTO paywall_opened (reader_id, period_key, kind, post_id, opened_at) VALUES (?, ?, ?, ?,`+
		` ?)`,
		readerID, key, kind, postID, tx.Now).Exec(ctx)
	return err
}

func period(tx db.Tx) (string, error) {
	return periodKey(tx.Edition.Meter.Period, tx.Now, tx.Edition.Location)
}
