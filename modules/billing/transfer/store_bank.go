package transfer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"example.org/broadsheet/modules/billing/access"
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
	err = tx.NewRaw(`INSERT INTO billing_bank_lines (entry, account, credit, amount, currency, booked, payer,
		payer_iban, given, state, reason, transfer_id, imported_at, settled_at, numbers)
		VALUES (?0, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, nullif(?11, 0), ?12, CASE WHEN ?9 = 'queued' THEN NULL ELSE
		?12::timestamptz END, ?13)
		ON CONFLICT (entry) DO NOTHING RETURNING id`,
		l.ID, l.Account, l.Credit, l.Amount, l.Currency, l.Booked.Format("2006-01-02"), l.Payer, l.PayerIBAN,
		givenWith(l), state, why, order, tx.Now, pgdialect.Array(numbersOf(l.Numbers))).Scan(ctx, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

// lockAccount has dry runs, each of which keeps the locks of all its payments, wait for each other and for the payments
// that are stored just now. Those do not wait for each other.
func lockAccount(ctx context.Context, tx db.Tx, dry bool) error {
	lock := "pg_advisory_xact_lock_shared"
	if dry {
		lock = "pg_advisory_xact_lock"
	}
	_, err := tx.NewRaw("SELECT "+lock+"(hashtextextended('billing.bank:' || ?, 0))", tx.Edition.Bank.IBAN).Exec(ctx)
	return err
}

// lockReadersOf locks the readers of all orders that payments name, in one order. A dry run needs them before it takes
// numbers of documents, for which others who have locked a reader wait.
func lockReadersOf(ctx context.Context, tx db.Tx, payments []camt.Payment) error {
	var readers []int64
	for _, l := range payments {
		list, _, err := findNamed(ctx, tx, l)
		if err != nil {
			return err
		}
		for _, o := range list {
			readers = append(readers, o.ReaderID)
		}
	}
	slices.Sort(readers)
	for _, id := range slices.Compact(readers) {
		if err := access.LockReader(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

// listAlike lists the payments that are known of the account, day, sum and direction of a payment, and locks them: who
// asks at the same time waits.
func listAlike(ctx context.Context, tx db.Tx, l camt.Payment) (list []storedLine, err error) {
	day := l.Booked.Format("2006-01-02")
	if _, err := tx.NewRaw("SELECT pg_advisory_xact_lock(hashtextextended('billing.bank:' || ?, 0))",
		fmt.Sprint(l.Account, day, l.Amount, l.Currency, l.Credit)).Exec(ctx); err != nil {
		return nil, err
	}
	rows := []struct {
		storedLine
		Numbers []string `bun:",array"`
	}{}
	err = tx.NewRaw(`SELECT id, entry, numbers, payer, payer_iban, given FROM billing_bank_lines WHERE booked = ? AND `+
		`amount = ? AND account = ? AND currency = ? AND credit = ? ORDER BY id`,
		day, l.Amount, l.Account, l.Currency, l.Credit).Scan(ctx, &rows)
	for _, r := range rows {
		r.storedLine.Numbers = r.Numbers
		list = append(list, r.storedLine)
	}
	return list, err
}

func settleLine(ctx context.Context, tx db.Tx, id int64, state, why string, transferID int64) error {
	_, err := tx.NewRaw(`UPDATE billing_bank_lines SET state = ?0, reason = ?1, transfer_id = nullif(?2, 0), settled_at `+
		`= CASE WHEN ?0 = 'queued' THEN NULL ELSE ?3::timestamptz END WHERE id = ?4`,
		state, why, transferID, tx.Now, id).Exec(ctx)
	return err
}

// insertParts queues payments of some sums that came as one line.
func insertParts(ctx context.Context, tx db.Tx, line int64, sums []int64) error {
	for i, sum := range sums {
		if _, err := tx.NewRaw(`INSERT INTO billing_bank_lines (entry, account, credit, amount, currency, booked, payer,
			payer_iban, given, state, reason, imported_at, numbers)
			SELECT entry || '/' || ?0, account, credit, ?1, currency, booked, payer, payer_iban, given, 'queued', ?2, ?3,
			'{"","","",""}' FROM billing_bank_lines WHERE id = ?4`, i+1, sum, ReasonPart, tx.Now, line).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

func setSum(ctx context.Context, tx db.Tx, l *Line) error {
	_, err := tx.NewRaw("UPDATE billing_bank_lines SET amount = ?, currency = ? WHERE id = ?", l.Amount, l.Currency, l.ID).
		Exec(ctx)
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
	return Select(ctx, tx, "reference IN (?) ORDER BY id", bun.List(references))
}

// findNumbered finds the orders whose pre-invoices have one of some numbers.
func findNumbered(ctx context.Context, tx db.Tx, numbers []string) ([]Order, error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	return Select(ctx, tx, "document_id IN (SELECT id FROM billing_documents WHERE number IN (?)) ORDER BY id",
		bun.List(numbers))
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
