package consent

import (
	"context"
	"time"

	"github.com/uptrace/bun/dialect/pgdialect"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/retention"
	"example.org/broadsheet/platform/web"
)

// insertText keeps the words of what was shown, once.
func insertText(ctx context.Context, tx db.Tx, t text) error {
	_, err := tx.NewRaw("INSERT INTO consent_texts (hash, language, text, created_at) VALUES (?, ?, ?, ?) ON CONFLICT "+
		"(hash) DO NOTHING",
		t.hash(), t.language, t.words, tx.Now).Exec(ctx)
	return err
}

func insertEntry(ctx context.Context, tx db.Tx, v visitor, e entry) error {
	_, err := tx.NewRaw(`INSERT INTO consent_log (kind, reader_id, visitor_id, categories, action, policy_version,
		text_hash, language, network, agent, at)
		VALUES (?, nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		e.kind, v.readerID, v.id, pgdialect.Array(e.categories), e.action, e.policy, e.text.hash(), e.text.language,
		web.TruncateIP(v.ip), v.agent, tx.Now).Exec(ctx)
	return err
}

// insertDocument notes that a version of a document stood with these words, once.
func insertDocument(ctx context.Context, tx db.Tx, d Document) error {
	if err := insertText(ctx, tx, d.words); err != nil {
		return err
	}
	_, err := tx.NewRaw(`INSERT INTO consent_documents (document, version, text_hash, title, address, first_shown_at)
		VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (document, version, text_hash) DO NOTHING`, d.ID, d.Version, d.Hash, d.Title, d.URL, tx.Now).Exec(ctx)
	return err
}

// findAnswer returns "" when the reader has not answered these versions of the documents, or put them off before since.
func findAnswer(ctx context.Context, tx db.Tx, readerID int64, policy string,
	since time.Time,
) (string, error) {
	return db.Get[string](ctx, tx.NewRaw(`SELECT CASE WHEN policy_version <> ? OR (action = 'later' AND at < ?) THEN ''
			WHEN action = 'documents' THEN array_to_string(categories, ',') ELSE action END
		FROM consent_log WHERE reader_id = ? AND kind = 'terms' ORDER BY id DESC LIMIT 1`, policy, since, readerID))
}

// hasAnswered reports whether a reader has answered about documents, whichever versions they had.
func hasAnswered(ctx context.Context, tx db.Tx, readerID int64) (bool, error) {
	return db.Get[bool](ctx,
		tx.NewRaw("SELECT EXISTS (SELECT FROM consent_log WHERE reader_id = ? AND kind = 'terms')", readerID))
}

// retentions is how long this module keeps what. What a reader agreed to stays with the account, and as its proof after
// it.
var retentions = []retention.Rule{
	{
		Name: "consent_log", Rows: "choices of visitors", Kept: visitorsKept, Where: "x.reader_id IS NULL AND x.at < ?0",
		Setting: "consent.kept_since",
	},
}
