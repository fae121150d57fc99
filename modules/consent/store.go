package consent

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun/dialect/pgdialect"

	"example.org/broadsheet/platform/db"
)

// insertText keeps the words of what was shown, once.
func insertText(ctx context.Context, tx db.Tx, t text) error {
	_, err := tx.NewRaw("INSERT INTO consent_texts (hash, language, text, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING",
		t.hash(), t.language, t.words, tx.Now).Exec(ctx)
	return err
}

func insertEntry(ctx context.Context, tx db.Tx, v visitor, e entry) error {
	_, err := tx.NewRaw(`INSERT INTO consent_log (kind, reader_id, visitor_id, categories, action, policy_version, text_hash, language, network, agent, at)
		VALUES (?, nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		e.kind, v.readerID, v.id, pgdialect.Array(e.categories), e.action, e.policy, e.text.hash(), e.text.language, network(v.ip), v.agent, tx.Now).Exec(ctx)
	return err
}

// findAnswer returns "" when the reader has not answered these versions of the documents.
func findAnswer(ctx context.Context, tx db.Tx, readerID int64, policy string) (answer string, err error) {
	err = tx.NewRaw(`SELECT CASE WHEN policy_version <> ? THEN '' WHEN action = 'documents' THEN array_to_string(categories, ',') ELSE action END
		FROM consent_log WHERE reader_id = ? AND kind = 'terms' ORDER BY id DESC LIMIT 1`, policy, readerID).Scan(ctx, &answer)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return answer, err
}

// reminder is the notice of the subscription's end.
const reminder = "subscription_expiration_reminder"

func upsertDismissal(ctx context.Context, tx db.Tx, readerID int64, notice string) error {
	_, err := tx.NewRaw(`INSERT INTO consent_dismissals (reader_id, notice, dismissed_at) VALUES (?, ?, ?)
		ON CONFLICT (reader_id, notice) DO UPDATE SET dismissed_at = EXCLUDED.dismissed_at`, readerID, notice, tx.Now).Exec(ctx)
	return err
}

func deleteDismissal(ctx context.Context, tx db.Tx, readerID int64, notice string) error {
	_, err := tx.NewRaw("DELETE FROM consent_dismissals WHERE reader_id = ? AND notice = ?", readerID, notice).Exec(ctx)
	return err
}

func findDismissal(ctx context.Context, tx db.Tx, readerID int64, notice string) (at time.Time, err error) {
	err = tx.NewRaw("SELECT dismissed_at FROM consent_dismissals WHERE reader_id = ? AND notice = ?", readerID, notice).Scan(ctx, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	return at, err
}

func deleteOldVisitors(ctx context.Context, tx db.Tx, before time.Time) error {
	_, err := tx.NewRaw("DELETE FROM consent_log WHERE reader_id IS NULL AND at < ?", before).Exec(ctx)
	return err
}
