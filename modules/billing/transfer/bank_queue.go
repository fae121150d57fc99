package transfer

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

// Line is a payment of a statement as a person sees it.
type Line struct {
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
	ErrNoOrder  = errors.New("billing: no order has this reference or number")
	ErrNotNow   = errors.New("billing: the payment is not in the queue")
	ErrNothing  = errors.New("billing: there is nothing to take back")
	ErrHindered = errors.New("billing: the order cannot be paid")
)

// Lines lists the payments that wait for a person, or all of the last 90 days with them, the newest last.
func (s *Service) Lines(ctx context.Context, all bool) (list []Line, err error) {
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		where := "l.state = 'queued'"
		if all {
			where += " OR l.imported_at > ?0"
		}
		list, err = selectLines(ctx, tx, where+" ORDER BY l.id", tx.Now.AddDate(0, 0, -90))
		return err
	})
	return list, err
}

// editLine runs what a person does about a payment. With dry, it is done and rolled back.
func (s *Service) editLine(ctx context.Context, id int64, dry bool,
	fn func(context.Context, db.Tx, *Line) error,
) (l Line, err error) {
	inTx := s.db.InTx
	if dry {
		inTx = s.db.DryRun
	}
	err = inTx(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err := selectLines(ctx, tx, "l.id = ? FOR UPDATE OF l", id)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return ErrNoLine
		}
		if l = list[0]; !l.Credit && l.State != LineQueued {
			return ErrNotNow
		}
		if err := fn(ctx, tx, &l); err != nil {
			return err
		}
		if list, err = selectLines(ctx, tx, "l.id = ?", id); err != nil {
			return err
		}
		l = list[0]
		return nil
	})
	if err == nil && !dry {
		s.access.ForgetHere(ctx)
	}
	return l, err
}

// Match pays an order with a payment of the queue; order is its reference or the number of its pro-forma invoice.
// Orders that were void or reversed can be paid so. Another amount has to be accepted: the invoice is over what came. A
// payment whose sum could not be read is over that of the order.
// With dry, nothing stays.
func (s *Service) Match(ctx context.Context, id int64, order string, anyAmount, dry bool) (Line, error) {
	order = strings.ToUpper(strings.Join(strings.Fields(order), ""))
	find := func(ctx context.Context, tx db.Tx) ([]Order, error) {
		return Select(ctx, tx, "reference = ?0 OR document_id = (SELECT id FROM billing_documents WHERE number = "+
			"?0)", order)
	}
	if !dry {
		if err := s.checkBuyers(ctx, find); err != nil {
			return Line{}, err
		}
	}
	return s.editLine(ctx, id, dry, func(ctx context.Context, tx db.Tx, l *Line) error {
		if l.State != LineQueued || !l.Credit {
			return ErrNotNow
		}
		if l.Reason == ReasonCollection {
			return fmt.Errorf("%w: it is several payments; `broadsheet bank split` makes a line of each", ErrHindered)
		}
		named, err := find(ctx, tx)
		if err != nil {
			return err
		}
		if len(named) == 0 {
			return fmt.Errorf("%w: %s", ErrNoOrder, order)
		}
		o, err := lock(ctx, tx, named[0])
		if err != nil {
			return err
		}
		if l.Amount == 0 { // the file did not say how much came: the person who pairs it has looked
			l.Amount, l.Currency = o.Amount, o.Currency
			if err := setSum(ctx, tx, l); err != nil {
				return err
			}
		}
		switch {
		case o.State == StatePaid:
			return fmt.Errorf("%w: it is paid", ErrHindered)
		case o.Currency != l.Currency:
			return fmt.Errorf("%w: it is in %s", ErrHindered, o.Currency)
		case o.Amount != l.Amount && !anyAmount:
			return fmt.Errorf("%w: it is over %s, and %s came; with --any-amount the invoice is over what came", ErrHindered,
				invoice.Decimal(o.Amount), invoice.Decimal(l.Amount))
		}
		gone, err := isForgotten(ctx, tx, o.ID)
		if err != nil {
			return err
		}
		if gone {
			return fmt.Errorf("%w: its reader has left", ErrHindered)
		}
		why, err := s.obstacle(ctx, tx, o, camt.Payment{Booked: l.Booked})
		if err != nil {
			return err
		}
		if why != "" {
			return fmt.Errorf("%w: %s", ErrHindered, why)
		}
		if o.State != StateOpen { // what was called off meanwhile is not asked for a second time
			if err := VoidOf(ctx, tx, o.ReaderID); err != nil {
				return err
			}
		}
		if err := settleLine(ctx, tx, l.ID, LineMatched, "", o.ID); err != nil {
			return err
		}
		return s.pay(ctx, tx, o, l.Amount, l.Booked)
	})
}

// Unmatch takes a payment from an order that it was never for, ends what it has opened, issues the credit note and
// puts the payment into the queue; one that was marked as paid back goes there, too. The order's reader is told so, and
// that no money is on its way. With dry, nothing stays.
func (s *Service) Unmatch(ctx context.Context, id int64, dry bool) (Line, error) {
	return s.editLine(ctx, id, dry, func(ctx context.Context, tx db.Tx, l *Line) error {
		if l.State == LineQueued || l.Reason == ReasonSplit {
			return ErrNothing // the payments of a collection that was split are lines of their own
		}
		why := ReasonUnmatched
		if l.Reason == ReasonCollection {
			why = l.Reason // it can be split still
		}
		return s.unmatch(ctx, tx, l, why, true)
	})
}

// unmatch takes a payment from its order; mistake as in reverseTransfer.
func (s *Service) unmatch(ctx context.Context, tx db.Tx, l *Line, why string, mistake bool) error {
	if l.State == LineMatched {
		o, err := lock(ctx, tx, Order{ID: l.TransferID, ReaderID: l.ReaderID})
		if err == nil {
			err = s.reverse(ctx, tx, o, mistake)
		}
		if err != nil {
			return err
		}
	}
	return settleLine(ctx, tx, l.ID, LineQueued, why, l.TransferID)
}

// Refund notes that a payment was given back to its payer, by hand at the bank; one that pays an order is taken
// from it first. A payment that had gone back by itself takes its order with it. With dry, nothing stays.
func (s *Service) Refund(ctx context.Context, id int64, dry bool) (Line, error) {
	return s.editLine(ctx, id, dry, func(ctx context.Context, tx db.Tx, l *Line) error {
		if l.State == LineRefunded {
			return ErrNothing
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
		if of.State == LineMatched {
			if err := s.unmatch(ctx, tx, &of, ReasonUnmatched, false); err != nil {
				return err
			}
		}
		if of.ID != l.ID {
			if err := settleLine(ctx, tx, of.ID, LineRefunded, "", of.TransferID); err != nil {
				return err
			}
		}
		return settleLine(ctx, tx, l.ID, LineRefunded, "", l.TransferID)
	})
}

// Dismiss takes a payment out of the queue about which there is nothing to do: it is the same as another line, or
// is not a reader's. With dry, nothing stays.
func (s *Service) Dismiss(ctx context.Context, id int64, dry bool) (Line, error) {
	return s.editLine(ctx, id, dry, func(ctx context.Context, tx db.Tx, l *Line) error {
		if l.State != LineQueued {
			return ErrNotNow
		}
		return settleLine(ctx, tx, l.ID, lineDismissed, l.Reason, l.TransferID)
	})
}

// Split makes a line of each payment of a collection that the bank did not tell apart. The sums are those of the
// payments, as decimals, and the collection's together. The collection itself is dismissed. With dry, nothing stays.
func (s *Service) Split(ctx context.Context, id int64, sums []string, dry bool) (Line, error) {
	return s.editLine(ctx, id, dry, func(ctx context.Context, tx db.Tx, l *Line) error {
		if l.State != LineQueued || l.Reason != ReasonCollection {
			return fmt.Errorf("%w: only a collection of the queue can be split", ErrNotNow)
		}
		parts := make([]int64, len(sums))
		var total int64
		for i, sum := range sums {
			var err error
			if parts[i], err = camt.ParseAmount(sum, l.Currency); err != nil || parts[i] == 0 {
				return fmt.Errorf("%w: %q is no sum", ErrHindered, sum)
			}
			total += parts[i]
		}
		if total != l.Amount {
			return fmt.Errorf("%w: the sums are %s together, and %s came", ErrHindered, invoice.Decimal(total),
				invoice.Decimal(l.Amount))
		}
		if err := insertParts(ctx, tx, l.ID, parts); err != nil {
			return err
		}
		return settleLine(ctx, tx, l.ID, lineDismissed, ReasonSplit, 0)
	})
}

// Withdraw ends the subscription of a key, from which its reader has withdrawn, and leaves the payment to a
// person, who gives it back at the bank. settle is part of the transaction.
func (s *Service) Withdraw(ctx context.Context, key string,
	settle func(context.Context, db.Tx) error,
) error {
	err := s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err := selectLines(ctx, tx, `l.state = 'matched' AND l.transfer_id IN (SELECT id FROM billing_transfers `+
			`WHERE 'transfer:' || subscription_id = ?)
			ORDER BY o.ends_at DESC FOR UPDATE OF l`, key)
		if err != nil {
			return err
		}
		for i := range list { // the last year first
			if err := s.unmatch(ctx, tx, &list[i], ReasonWithdrawn, false); err != nil {
				return err
			}
		}
		return settle(ctx, tx)
	})
	s.access.ForgetHere(ctx)
	return err
}
