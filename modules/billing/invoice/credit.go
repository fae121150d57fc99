package invoice

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
)

// current is the invoice that stands for a payment: the one that was issued, or what has corrected it. Its balance is
// locked.
func (d *Document) current(ctx context.Context, tx db.Tx) (*Document, error) {
	for {
		if err := lockBalance(ctx, tx, d); err != nil {
			return nil, err
		}
		next, err := Find(ctx, tx, "d.source = ?", CorrectionSource(d.Number, "invoice"))
		if err != nil || next == nil {
			return d, err
		}
		d = next
	}
}

// creditName is what a credit note says that it gives back.
func creditName(ed *edition.Edition, of *Document) string {
	return i18n.T(ed, "invoice.refund", map[string]any{"Number": of.Number})
}

// ErrOverCredit is a refund of more than was invoiced.
var ErrOverCredit = errors.New("billing: more was given back than was invoiced")

// CreditRefund issues the credit note for a refund.
func CreditRefund(ctx context.Context, tx db.Tx, of *Document, r Refund) error {
	source := "refund:" + r.ID
	of, err := of.current(ctx, tx)
	if err != nil {
		return err
	}
	if there, err := Find(ctx, tx, "d.source = ?", source); err != nil || there != nil {
		return err
	}
	before, err := Select(ctx, tx, "d.refers_to = ? AND d.kind = 'CN' ORDER BY d.id", of.ID)
	if err != nil {
		return err
	}
	lines := of.Credit(r.Sum, before, creditName(tx.Edition, of))
	if lines == nil {
		return fmt.Errorf("%w: %s, %d", ErrOverCredit, of.Number, r.Sum)
	}
	ordered := Day(tx.Edition, of.Ordered)
	_, err = Issue(ctx, tx, Draft{
		Kind: CreditNote, Source: source, ReaderID: of.ReaderID, Refers: of, Customer: of.Customer, Lines: lines,
		Currency:  of.Currency,
		Delivered: r.At, Order: of.Order, OrderedAt: ordered, Method: of.Method, Paid: true, Mistake: r.Mistake,
	})
	return err
}

// Refund is money that went back.
type Refund struct {
	ID      string
	Sum     int64
	At      time.Time
	Mistake bool // it was never paid: a transfer was recorded for the wrong order
}
