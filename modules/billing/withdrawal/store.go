package withdrawal

import (
	"context"
	"time"

	"example.org/broadsheet/platform/db"
)

const statementColumns = `id, name, email, contract, created_at, coalesce(received_at, created_at) AS received_at, ` +
	`confirmed_at, state, product, coalesce(concluded_at, created_at) AS concluded_at,
	coalesce(provider_id, '') AS provider_id, coalesce(gift_id, 0) AS gift_id, amount, currency`

// FindStatement returns nil when there is none, or its second step has come too late.
func FindStatement(ctx context.Context, tx db.Tx, id int64, lock bool) (*Contract, error) {
	query := "SELECT " + statementColumns + " FROM billing_withdrawals WHERE id = ? AND (received_at IS NOT NULL OR " +
		"created_at > ?)"
	if lock {
		query += " FOR UPDATE"
	}
	w := new(Contract)
	return db.One(w, tx.NewRaw(query, id, tx.Now.Add(-statementTTL)).Scan(ctx, w))
}

// findUnsent returns the content of a statement whose second step has not been taken; an empty one if it is gone.
func findUnsent(ctx context.Context, tx db.Tx, id int64) (in Request, err error) {
	found, err := db.One(&in, tx.NewRaw("SELECT name, email, contract FROM billing_withdrawals WHERE id = ? AND "+
		"received_at IS NULL", id).Scan(ctx, &in))
	if found == nil {
		return Request{}, err
	}
	return in, err
}

// renewStatement gives a statement that was not sent its time again. It reports whether it is stored.
func renewStatement(ctx context.Context, tx db.Tx, id int64) (bool, error) {
	got, err := tx.NewRaw("UPDATE billing_withdrawals SET created_at = ? WHERE id = ? AND received_at IS NULL", tx.Now,
		id).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := got.RowsAffected()
	return n > 0, err
}

func insertStatement(ctx context.Context, tx db.Tx, s Request) (id int64, err error) {
	err = tx.NewRaw("INSERT INTO billing_withdrawals (name, email, contract, created_at) VALUES (?, ?, ?, ?) RETURNING id",
		s.Name, s.Email, s.Contract, tx.Now).Scan(ctx, &id)
	return id, err
}

func receiveStatement(ctx context.Context, tx db.Tx, id int64) error {
	_, err := tx.NewRaw("UPDATE billing_withdrawals SET state = 'received', received_at = ? WHERE id = ?", tx.Now, id).
		Exec(ctx)
	return err
}

func setConfirmed(ctx context.Context, tx db.Tx, id int64) error {
	_, err := tx.NewRaw("UPDATE billing_withdrawals SET confirmed_at = ? WHERE id = ?", tx.Now, id).Exec(ctx)
	return err
}

func listStatements(ctx context.Context, tx db.Tx, all bool) (list []Statement, err error) {
	err = tx.NewRaw(`SELECT id, name, email, contract, state, received_at, confirmed_at FROM billing_withdrawals
		WHERE state = 'received' AND confirmed_at IS NULL OR ?0 AND received_at > ?1 ORDER BY id`, all,
		tx.Now.AddDate(0, 0, -90)).Scan(ctx, &list)
	return list, err
}

// matchStatement notes what a statement is about, or that nothing was found.
func matchStatement(ctx context.Context, tx db.Tx, w *Contract) error {
	_, err := tx.NewRaw(`UPDATE billing_withdrawals SET state = ?, product = ?, concluded_at = ?, provider_id = `+
		`nullif(?, ''), gift_id = nullif(?, 0), amount = ?, currency = ? WHERE id = ?`,
		w.State, w.Product, w.ConcludedAt, w.ProviderID, w.GiftID, w.Amount, w.Currency, w.ID).Exec(ctx)
	return err
}

func settleStatement(ctx context.Context, tx db.Tx, id int64) error {
	_, err := tx.NewRaw("UPDATE billing_withdrawals SET state = 'done', settled_at = ? WHERE id = ? AND state = 'matched'",
		tx.Now, id).Exec(ctx)
	return err
}

// listUnpaidWithdrawals are those of which the money is still to go back after an hour.
func listUnpaidWithdrawals(ctx context.Context, tx db.Tx) (ids []int64, err error) {
	err = tx.NewRaw("SELECT id FROM billing_withdrawals WHERE state = 'matched' AND received_at < ? ORDER BY id LIMIT 200",
		tx.Now.Add(-time.Hour)).Scan(ctx, &ids)
	return ids, err
}

// decideStatement notes the decision of a person.
func decideStatement(ctx context.Context, tx db.Tx, w *Contract) error {
	return db.ExactlyOne(tx.NewRaw("UPDATE billing_withdrawals SET state = ?0, settled_at = CASE WHEN ?0 = 'refused' "+
		"THEN ?1::timestamptz END WHERE id = ?2 AND state = 'review'", w.State, tx.Now, w.ID).Exec(ctx))
}
