package billing

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/camt"
	"example.org/broadsheet/platform/db"
)

// BankLine is a payment of a statement as a person sees it.
type BankLine struct {
	ID         int64
	Booked     time.Time // a day
	Credit     bool
	Amount     int64 // minor units
	Currency   string
	Payer      string
	PayerIBAN  string
	Given      string // references and words that came with it
	State      string // matched, queued, refunded, dismissed
	Reason     string // why it is in the queue
	TransferID int64
	Reference  string // of the order that it pays, or seems to; "" for none
	ReaderID   int64  // of that order
}

// Errors of the desk at which payments are looked after.
var (
	ErrNoLine   = errors.New("billing: there is no such payment; `broadsheet bank list --all` has the numbers")
	errNoOrder  = errors.New("billing: no order has this reference or number")
	errNotNow   = errors.New("billing: the payment is not in the queue")
	errNothing  = errors.New("billing: there is nothing to take back")
	errHindered = errors.New("billing: the order cannot be paid")
)

// BankLines lists the payments that wait for a person, or all of the last 90 days with them, the newest last.
func (m *Module) BankLines(ctx context.Context, all bool) (list []BankLine, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		where := "l.state = 'queued'"
		if all {
			where += " OR l.imported_at > ?0"
		}
		list, err = selectLines(ctx, tx, where+" ORDER BY l.id", tx.Now.AddDate(0, 0, -90))
		return err
	})
	return list, err
}

// editLine runs what a person does about a payment. A rehearsal does it, too, and takes it back.
func (m *Module) editLine(ctx context.Context, id int64, dry bool,
	fn func(context.Context, db.Tx, *BankLine) error,
) (l BankLine, err error) {
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err := selectLines(ctx, tx, "l.id = ? FOR UPDATE OF l", id)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return ErrNoLine
		}
		if l = list[0]; !l.Credit && l.State != lineQueued {
			return errNotNow
		}
		if err := fn(ctx, tx, &l); err != nil {
			return err
		}
		if list, err = selectLines(ctx, tx, "l.id = ?", id); err != nil {
			return err
		}
		if l = list[0]; dry {
			return errDryRun
		}
		return nil
	})
	if errors.Is(err, errDryRun) {
		return l, nil
	}
	if err == nil {
		m.Access.ForgetAll()
	}
	return l, err
}

// MatchLine pays an order with a payment of the queue; order is its reference or the number of its pro-forma invoice.
// Orders that were void or reversed can be paid so. Another amount has to be accepted: the invoice is over what came.
// With dry, nothing stays.
func (m *Module) MatchLine(ctx context.Context, id int64, order string, anyAmount, dry bool) (BankLine, error) {
	order = strings.ToUpper(strings.Join(strings.Fields(order), ""))
	find := func(ctx context.Context, tx db.Tx) ([]transfer, error) {
		return selectTransfers(ctx, tx, "reference = ?0 OR document_id = (SELECT id FROM billing_documents WHERE number = "+
			"?0)", order)
	}
	if !dry {
		if err := m.checkOrders(ctx, find); err != nil {
			return BankLine{}, err
		}
	}
	return m.editLine(ctx, id, dry, func(ctx context.Context, tx db.Tx, l *BankLine) error {
		if l.State != lineQueued || !l.Credit {
			return errNotNow
		}
		named, err := find(ctx, tx)
		if err != nil {
			return err
		}
		if len(named) == 0 {
			return fmt.Errorf("%w: %s", errNoOrder, order)
		}
		o, err := lockTransfer(ctx, tx, named[0])
		if err != nil {
			return err
		}
		switch {
		case o.State == transferPaid:
			return fmt.Errorf("%w: it is paid", errHindered)
		case o.Currency != l.Currency:
			return fmt.Errorf("%w: it is in %s", errHindered, o.Currency)
		case o.Amount != l.Amount && !anyAmount:
			return fmt.Errorf("%w: it is over %s, and %s came; with --any-amount the invoice is over what came", errHindered,
				invoice.Decimal(o.Amount), invoice.Decimal(l.Amount))
		}
		gone, err := isForgotten(ctx, tx, o.ID)
		if err != nil {
			return err
		}
		if gone {
			return fmt.Errorf("%w: its reader has left", errHindered)
		}
		why, err := m.obstacle(ctx, tx, o, camt.Payment{Booked: l.Booked})
		if err != nil {
			return err
		}
		if why != "" {
			return fmt.Errorf("%w: %s", errHindered, why)
		}
		if o.State != transferOpen { // what was called off meanwhile is not asked for a second time
			if err := voidTransferOf(ctx, tx, o.ReaderID); err != nil {
				return err
			}
		}
		if err := settleLine(ctx, tx, l.ID, lineMatched, "", o.ID); err != nil {
			return err
		}
		return m.payTransfer(ctx, tx, o, l.Amount, l.Booked)
	})
}

// UnmatchLine takes a payment from an order that it was never for, ends what it has opened, issues the credit note and
// puts the payment into the queue; one that was marked as paid back goes there, too. The order's reader is told so, and
// that no money is on its way. With dry, nothing stays.
func (m *Module) UnmatchLine(ctx context.Context, id int64, dry bool) (BankLine, error) {
	return m.editLine(ctx, id, dry, func(ctx context.Context, tx db.Tx, l *BankLine) error {
		if l.State == lineQueued {
			return errNothing
		}
		return m.unmatch(ctx, tx, l, reasonUnmatched, true)
	})
}

// unmatch takes a payment from its order; mistake as in reverseTransfer.
func (m *Module) unmatch(ctx context.Context, tx db.Tx, l *BankLine, why string, mistake bool) error {
	if l.State == lineMatched {
		o, err := lockTransfer(ctx, tx, transfer{ID: l.TransferID, ReaderID: l.ReaderID})
		if err == nil {
			err = m.reverseTransfer(ctx, tx, o, mistake)
		}
		if err != nil {
			return err
		}
	}
	return settleLine(ctx, tx, l.ID, lineQueued, why, l.TransferID)
}

// RefundLine notes that a payment was given back to its payer, by hand at the bank; one that pays an order is taken
// from it first. A payment that had gone back by itself takes its order with it. With dry, nothing stays.
func (m *Module) RefundLine(ctx context.Context, id int64, dry bool) (BankLine, error) {
	return m.editLine(ctx, id, dry, func(ctx context.Context, tx db.Tx, l *BankLine) error {
		if l.State == lineRefunded {
			return errNothing
		}
		of := *l
		if !l.Credit { // the payment that it takes back is another line
			list, err := selectLines(ctx, tx, "l.transfer_id = ? AND l.state = 'matched' FOR UPDATE OF l", l.TransferID)
			if err != nil {
				return err
			}
			if len(list) > 0 {
				of = list[0]
			}
		}
		if of.State == lineMatched {
			if err := m.unmatch(ctx, tx, &of, reasonUnmatched, false); err != nil {
				return err
			}
		}
		if of.ID != l.ID {
			if err := settleLine(ctx, tx, of.ID, lineRefunded, "", of.TransferID); err != nil {
				return err
			}
		}
		return settleLine(ctx, tx, l.ID, lineRefunded, "", l.TransferID)
	})
}

// DismissLine takes a payment out of the queue about which there is nothing to do: it is the same as another line, or
// is not a reader's. With dry, nothing stays.
func (m *Module) DismissLine(ctx context.Context, id int64, dry bool) (BankLine, error) {
	return m.editLine(ctx, id, dry, func(ctx context.Context, tx db.Tx, l *BankLine) error {
		if l.State != lineQueued {
			return errNotNow
		}
		return settleLine(ctx, tx, l.ID, lineDismissed, l.Reason, l.TransferID)
	})
}

// withdrawTransfer ends what a reader has withdrawn from, and leaves the payment to a person, who gives it back at the
// bank.
func (m *Module) withdrawTransfer(ctx context.Context, w *matchedContract) error {
	err := m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err := selectLines(ctx, tx, `l.state = 'matched' AND l.transfer_id IN (SELECT id FROM billing_transfers `+
			`WHERE 'transfer:' || subscription_id = ?)
			ORDER BY o.ends_at DESC FOR UPDATE OF l`, w.ProviderID)
		if err != nil {
			return err
		}
		for i := range list { // the last year first
			if err := m.unmatch(ctx, tx, &list[i], reasonWithdrawn, false); err != nil {
				return err
			}
		}
		return settleStatement(ctx, tx, w.ID)
	})
	m.Access.ForgetAll()
	return err
}
