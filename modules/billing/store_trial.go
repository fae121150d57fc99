package billing

import (
	"context"

	"example.org/broadsheet/platform/db"
)

func putTrialGrant(ctx context.Context, tx db.Tx, person, source string) error {
	_, err := tx.NewRaw("INSERT INTO billing_promises (person, source, promised_at) VALUES (?, ?, ?) ON CONFLICT DO "+
		"NOTHING", person, source, tx.Now).Exec(ctx)
	return err
}

func hasTrialGrant(ctx context.Context, tx db.Tx, person, source string) (ok bool, err error) {
	err = tx.NewRaw("SELECT EXISTS (SELECT FROM billing_promises WHERE person = ? AND source = ?)", person, source).
		Scan(ctx, &ok)
	return ok, err
}
