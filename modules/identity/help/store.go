package help

import (
	"context"
	"time"

	"example.org/broadsheet/platform/db"
)

// hasMessage reports whether the same words came from the same address a moment ago: a form that was sent twice.
func hasMessage(ctx context.Context, tx db.Tx, h *storedMessage) (bool, error) {
	return db.Get[bool](ctx,
		tx.NewRaw("SELECT EXISTS (SELECT FROM identity_help_messages WHERE email = ? AND name = ? AND text = ? AND "+
			"created_at > ?)",
			h.Email, h.Name, h.Text, tx.Now.Add(-RepeatAfter)))
}

func insertMessage(ctx context.Context, tx db.Tx, h *storedMessage) (id int64, err error) {
	err = tx.NewRaw("INSERT INTO identity_help_messages (email, name, text, created_at) VALUES (?, ?, ?, ?) RETURNING id",
		h.Email, h.Name, h.Text, tx.Now).Scan(ctx, &id)
	return id, err
}

// findOpenMessage returns nil for one that was sent, or that is gone.
func findOpenMessage(ctx context.Context, tx db.Tx, id int64) (*storedMessage, error) {
	h := new(storedMessage)
	return db.One(h,
		tx.NewRaw("SELECT id, email, name, text, tries, created_at FROM identity_help_messages WHERE id = ? AND sent_at IS "+
			"NULL", id).Scan(ctx, h))
}

func listOpenMessages(ctx context.Context, tx db.Tx, before time.Time) (ids []int64, err error) {
	err = tx.NewRaw("SELECT id FROM identity_help_messages WHERE sent_at IS NULL AND created_at < ? ORDER BY created_at "+
		"LIMIT 100", before).Scan(ctx, &ids)
	return ids, err
}

func countTry(ctx context.Context, tx db.Tx, id int64) error {
	_, err := tx.NewRaw("UPDATE identity_help_messages SET tries = tries + 1 WHERE id = ?", id).Exec(ctx)
	return err
}

func markSent(ctx context.Context, tx db.Tx, id int64) error {
	_, err := tx.NewRaw("UPDATE identity_help_messages SET sent_at = ? WHERE id = ? AND sent_at IS NULL", tx.Now, id).
		Exec(ctx)
	return err
}
