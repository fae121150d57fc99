package transfer

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/camt"
	"example.org/broadsheet/platform/db"
)

// insertLine returns 0 for a line that is there. Who inserts the same one at the same time waits.
func insertLine(ctx context.Context, tx db.Tx, l camt.Payment, o *Order, why string) (id int64, err error) {
	state, order := LineMatched, int64(0)
	if why != "" {
		state = LineQueued
	}
	if o != nil {
		order = o.ID
	}
	givenUntil := strings.Join(append(append([]string{}, l.References...), l.Text), "\n")
	err = tx.NewRaw(`INSERT INTO billing_bank_lines (entry, account, credit, amount, currency, booked, payer,
		payer_iban, given, state, reason, transfer_id, imported_at, settled_at)
		VALUES (?0, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, nullif(?11, 0), ?12, CASE WHEN ?9 = 'queued' THEN NULL ELSE
		?12::timestamptz END)
		ON CONFLICT (entry) DO NOTHING RETURNING id`,
		l.ID, l.Account, l.Credit, l.Amount, l.Currency, l.Booked.Format("2006-01-02"), l.Payer, l.PayerIBAN,
		strings.TrimSpace(givenUntil), state, why, order, tx.Now).Scan(ctx, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

func isStoredLine(ctx context.Context, tx db.Tx, entry string) (known bool, err error) {
	err = tx.NewRaw("SELECT EXISTS (SELECT FROM billing_bank_lines WHERE entry = ?)", entry).Scan(ctx, &known)
	return known, err
}

// hasTwin reports whether another statement has a payment that is the same in all but the statement.
func hasTwin(ctx context.Context, tx db.Tx, entry string) (twin bool, err error) {
	err = tx.NewRaw("SELECT EXISTS (SELECT FROM billing_bank_lines WHERE left(entry, ?0) = ?1 AND substr(entry, ?0 + 1, "+
		"?0) <> ?2)", camt.HashLen, entry[:camt.HashLen], entry[camt.HashLen:2*camt.HashLen]).Scan(ctx, &twin)
	return twin, err
}

func settleLine(ctx context.Context, tx db.Tx, id int64, state, why string, transferID int64) error {
	_, err := tx.NewRaw(`UPDATE billing_bank_lines SET state = ?0, reason = ?1, transfer_id = nullif(?2, 0), settled_at `+
		`= CASE WHEN ?0 = 'queued' THEN NULL ELSE ?3::timestamptz END WHERE id = ?4`,
		state, why, transferID, tx.Now, id).Exec(ctx)
	return err
}

func selectLines(ctx context.Context, tx db.Tx, where string, args ...any) (list []Line, err error) {
	err = tx.NewRaw(`SELECT l.id, l.booked, l.credit, l.amount, l.currency, l.payer, l.payer_iban, l.given, l.state,
		l.reason, coalesce(l.transfer_id, 0) AS transfer_id,
		coalesce(o.reference, '') AS reference, coalesce(o.reader_id, 0) AS reader_id
		FROM billing_bank_lines l LEFT JOIN billing_transfers o ON o.id = l.transfer_id WHERE `+where, args...).
		Scan(ctx, &list)
	return list, err
}

// findReferred finds the orders that have one of some references.
func findReferred(ctx context.Context, tx db.Tx, references []string) ([]Order, error) {
	if len(references) == 0 {
		return nil, nil
	}
	return Select(ctx, tx, "reference IN (?) ORDER BY id LIMIT 2", bun.List(references))
}

// isForgotten reports whether the reader of an order has left.
func isForgotten(ctx context.Context, tx db.Tx, id int64) (gone bool, err error) {
	err = tx.NewRaw("SELECT left_at IS NOT NULL FROM billing_transfers WHERE id = ?", id).Scan(ctx, &gone)
	return gone, err
}

func hasStatement(ctx context.Context, tx db.Tx, hash string) (known bool, err error) {
	err = tx.NewRaw("SELECT EXISTS (SELECT FROM billing_statements WHERE hash = ?)", hash).Scan(ctx, &known)
	return known, err
}

// putStatement reports whether the file was read before.
func putStatement(ctx context.Context, tx db.Tx, hash string, lines int) (known bool, err error) {
	res, err := tx.NewRaw("INSERT INTO billing_statements (hash, lines, imported_at) VALUES (?, ?, ?) ON CONFLICT DO "+
		"NOTHING", hash, lines, tx.Now).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 0, err
}
