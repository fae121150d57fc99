package discussion

import (
	"context"
	"time"

	"example.org/broadsheet/platform/db"
)

func putHidden(ctx context.Context, tx db.Tx, id int64, hidden bool) error {
	var at *time.Time
	if hidden {
		at = &tx.Now
	}
	_, err := tx.NewRaw("UPDATE discussion_comments SET hidden_at = ? WHERE id = ?", at, id).Exec(ctx)
	return err
}

// settleReports reports whether there was one.
func settleReports(ctx context.Context, tx db.Tx, commentID int64) (bool, error) {
	return db.Changed(tx.NewRaw("UPDATE discussion_reports SET settled_at = ? WHERE comment_id = ? AND settled_at IS NULL",
		tx.Now, commentID).Exec(ctx))
}

// liftBans reports whether there was one.
func liftBans(ctx context.Context, tx db.Tx, readerID int64) (bool, error) {
	return db.Changed(tx.NewRaw("UPDATE discussion_bans SET lifted_at = ?0 WHERE reader_id = ?1 AND lifted_at IS NULL "+
		"AND "+
		"ends_at > ?0", tx.Now, readerID).Exec(ctx))
}

func insertBan(ctx context.Context, tx db.Tx, readerID int64, until time.Time, reason string) error {
	_, err := tx.NewRaw("INSERT INTO discussion_bans (reader_id, ends_at, reason, created_at) VALUES (?, ?, ?, ?)",
		readerID, until, reason, tx.Now).Exec(ctx)
	return err
}

func logAction(ctx context.Context, tx db.Tx, a ModerationAction, action string, commentID, readerID int64,
	ends *time.Time,
) error {
	_, err := tx.NewRaw(`INSERT INTO discussion_log (actor, action, comment_id, reader_id, reason, ends_at, at) VALUES `+
		`(?, ?, nullif(?, 0), ?, ?, ?, ?)`,
		a.Actor, action, commentID, readerID, a.Reason, ends, tx.Now).Exec(ctx)
	return err
}

// findAuthor returns 0 when there is no such comment, or nobody's any more.
func findAuthor(ctx context.Context, tx db.Tx, commentID int64) (int64, error) {
	return db.Get[int64](ctx, tx.NewRaw("SELECT reader_id FROM discussion_comments WHERE id = ?", commentID))
}

func listReported(ctx context.Context, tx db.Tx, most int) (list []Reported, err error) {
	err = tx.NewRaw(`SELECT c.id AS comment_id, c.post_id, c.reader_id, c.body AS text, string_agg(DISTINCT r.reason,
		', ') AS reasons, count(*) AS count, min(r.created_at) AS first
		FROM discussion_reports r JOIN discussion_comments c ON c.id = r.comment_id
		WHERE r.settled_at IS NULL AND c.removed_at IS NULL AND c.hidden_at IS NULL GROUP BY c.id ORDER BY first, c.id
		LIMIT ?`, most).Scan(ctx, &list)
	return list, err
}
