package mail

import (
	"context"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/privacy"
)

// Kept is the log of emails, as something that is kept of readers.
type Kept struct{ DB *db.DB }

var keeps = []privacy.Query{
	{Name: "letters", SQL: "SELECT kind, state, created_at, sent_at FROM mail_log WHERE recipient = ?1 AND created_at " +
		">= ?3 AND created_at < ?2 ORDER BY id"},
	{Name: "letter_reports", SQL: "SELECT kind, hard, letter, status, at FROM mail_reports WHERE address = ?1 AND at >= " +
		"?3 AND at < ?2 ORDER BY id"},
	{Name: "letter_refusals", SQL: "SELECT reason, at FROM mail_suppressions WHERE address = ?1 AND at >= ?3 AND at < ?2"},
}

// Export implements privacy.Keeper.
func (k Kept) Export(ctx context.Context, r privacy.Reader) (list []privacy.Table, err error) {
	err = k.DB.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err = privacy.Read(ctx, tx, r, keeps...)
		return err
	})
	return list, err
}

// Erase implements privacy.Keeper.
func (k Kept) Erase(ctx context.Context, r privacy.Reader) error {
	return k.DB.InTx(ctx, func(ctx context.Context, tx db.Tx) error { return Erase(ctx, tx, r) })
}
