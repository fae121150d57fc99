package subscription

import (
	"context"

	"example.org/broadsheet/platform/db"
)

// PutTrialGrant notes that a person was given a trial.
func PutTrialGrant(ctx context.Context, tx db.Tx, person, source string) error {
	_, err := tx.NewRaw("INSERT INTO billing_promises (person, source, promised_at) VALUES (?, ?, ?) ON CONFLICT DO "+
		"NOTHING", person, source, tx.Now).Exec(ctx)
	return err
}

func hasTrialGrant(ctx context.Context, tx db.Tx, person, source string) (ok bool, err error) {
	err = tx.NewRaw("SELECT EXISTS (SELECT FROM billing_promises WHERE person = ? AND source = ?)", person, source).
		Scan(ctx, &ok)
	return ok, err
}
