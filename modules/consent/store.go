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

func deleteOldVisitors(ctx context.Context, tx db.Tx, before time.Time) error {
	_, err := tx.NewRaw("DELETE FROM consent_log WHERE reader_id IS NULL AND at < ?", before).Exec(ctx)
	return err
}
