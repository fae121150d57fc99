package transfer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/camt"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// maxStatement bounds a file of the bank.
const maxStatement = 64 << 20

// States of a line of a statement.
const (
	LineMatched   = "matched"
	LineQueued    = "queued"
	LineRefunded  = "refunded"
	lineDismissed = "dismissed" // no payment of a reader, or one that is there already
)

// Reasons for which a person has to look at a payment.
const (
	ReasonUnknown      = "unknown_reference"
	ReasonAmbiguous    = "several_references"
	ReasonAmount       = "amount"
	ReasonCurrency     = "currency"
	ReasonPaid         = "paid_before"
	ReasonVoid         = "order_void"
	ReasonReversed     = "order_reversed"
	ReasonSubscription = "subscribed_otherwise"
	reasonProduct      = "product_not_sold"
	ReasonRate         = "no_vat_rate"
	ReasonReturned     = "went_back"     // to its payer, who had paid an order with it
	ReasonReversal     = "reversal"      // the bank takes back an earlier entry, which need not have been ours
	ReasonDoubt        = "perhaps_known" // nothing but the statement tells it from one that is known
	ReasonUnmatched    = "unmatched"     // by a person
	ReasonWithdrawn    = "withdrawn"     // the reader has withdrawn from the contract
)

// Imported says what was done with the lines of a statement.
type Imported struct {
	Again   bool // the same file was read to its end before
	Known   int  // lines that another file had
	Matched int
	Queued  int
	Left    int // money that went out, payments into other accounts: nothing of it is kept
}

// ErrStatement is a file that is not read: no statement, or one of another account.
var ErrStatement = errors.New("billing: this is not a statement of the edition's account")

// Import reads a statement of the bank (camt.053), pairs its payments with orders and queues what does not
// fit. Each line is a transaction of its own, and known for good afterwards: the same file, or one that overlaps with
// it, can be read again, also after a run that was ended halfway, and by several at once. With dry, nothing stays.
func (s *Service) Import(ctx context.Context, r io.Reader, dry bool) (out Imported, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return out, err
	}
	text, err := io.ReadAll(io.LimitReader(r, maxStatement+1))
	switch {
	case err != nil:
		return out, err
	case len(text) > maxStatement:
		return out, fmt.Errorf("%w: it has more than %d MiB", ErrStatement, maxStatement>>20)
	}
	all, err := camt.Read(bytes.NewReader(text))
	if err != nil {
		return out, err
	}
	var lines []camt.Payment
	for _, l := range all {
		if l.Account == ed.Bank.IBAN || l.Account == ed.Bank.Account() {
			lines = append(lines, l)
		}
	}
	if len(lines) == 0 && len(all) > 0 {
		return out, fmt.Errorf("%w: it is of %s, the edition's is %s", ErrStatement, all[0].Account, ed.Bank.Account())
	}
	out.Left = len(all) - len(lines)
	sum := sha256.Sum256(text)
	hash := hex.EncodeToString(sum[:])
	if dry {
		err = s.db.DryRun(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			for _, l := range lines {
				if err := s.storeLine(ctx, tx, l, &out); err != nil {
					return err
				}
			}
			out.Again, err = hasStatement(ctx, tx, hash)
			return err
		})
		return out, err
	}
	for _, l := range lines {
		if err := s.checkBuyers(ctx, func(ctx context.Context, tx db.Tx) ([]Order, error) {
			return findReferred(ctx, tx, ReferencesIn(l))
		}); err != nil {
			return out, err
		}
		next := out
		if err := s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
			next = out
			return s.storeLine(ctx, tx, l, &next)
		}); err != nil {
			return out, fmt.Errorf("billing: the payment of %s over %s: %w", l.Booked.Format("2006-01-02"),
				invoice.Decimal(l.Amount), err)
		}
		out = next
	}
	s.access.ForgetHere(ctx)
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		out.Again, err = putStatement(ctx, tx, hash, len(lines))
		return err
	})
	return out, err
}

// storeLine writes a payment down, once, and opens what it pays for.
func (s *Service) storeLine(ctx context.Context, tx db.Tx, l camt.Payment, out *Imported) error {
	known, err := isStoredLine(ctx, tx, l.ID)
	if err != nil || known {
		out.Known++
		return err
	}
	o, why, err := s.matchPayment(ctx, tx, l)
	if err != nil {
		return err
	}
	if !l.Credit && !l.Reversal && why != ReasonReturned {
		out.Left++
		return nil
	}
	if l.Unnumbered {
		twin, err := hasTwin(ctx, tx, l.ID)
		if err != nil {
			return err
		}
		if twin {
			why = ReasonDoubt
		}
	}
	id, err := insertLine(ctx, tx, l, o, why)
	switch {
	case err != nil:
		return err
	case id == 0:
		out.Known++
		return nil
	case why != "":
		out.Queued++
		return nil
	}
	out.Matched++
	return s.pay(ctx, tx, o, l.Amount, l.Booked)
}

// matchPayment finds the order that a payment names, and why it is not paid with it; "" for an order that is. The order
// and its reader are locked.
func (s *Service) matchPayment(ctx context.Context, tx db.Tx, l camt.Payment) (o *Order, why string, err error) {
	list, err := findReferred(ctx, tx, ReferencesIn(l))
	switch {
	case err != nil:
		return nil, "", err
	case l.Reversal && len(list) != 1:
		return nil, ReasonReversal, nil
	case len(list) == 0:
		return nil, ReasonUnknown, nil
	case len(list) > 1:
		return nil, ReasonAmbiguous, nil
	}
	if o, err = lock(ctx, tx, list[0]); err != nil {
		return nil, "", err
	}
	states := map[string]string{StatePaid: ReasonPaid, StateVoid: ReasonVoid, StateReversed: ReasonReversed}
	switch {
	case !l.Credit && o.State == StatePaid:
		return o, ReasonReturned, nil
	case l.Reversal: // money of ours that came back pays for nothing
		return o, ReasonReversal, nil
	case !l.Credit:
		return o, ReasonUnknown, nil
	case states[o.State] != "":
		return o, states[o.State], nil
	case l.Currency != o.Currency:
		return o, ReasonCurrency, nil
	case l.Amount != o.Amount:
		return o, ReasonAmount, nil
	}
	why, err = s.obstacle(ctx, tx, o, l)
	return o, why, err
}

// obstacle says why an order cannot be paid, whatever came; "" for one that can.
func (s *Service) obstacle(ctx context.Context, tx db.Tx, o *Order, l camt.Payment) (why string, err error) {
	if err := EndOf(ctx, tx, o.ReaderID); err != nil {
		return "", err
	}
	has, err := access.FindPaid(ctx, tx, o.ReaderID)
	if err != nil {
		return "", err
	}
	if has != nil && !has.Transfer {
		return ReasonSubscription, nil
	}
	if tx.Edition.Product(o.Product) == nil {
		return reasonProduct, nil
	}
	customer, _, err := invoice.FindBuyer(ctx, tx, o.ReaderID)
	if err != nil {
		return "", err
	}
	if _, err = s.invoices.Taxed(tx.Edition, customer, l.Booked.Format("2006-01-02"), invoice.Line{}); errors.Is(err,
		invoice.ErrNoRate) {
		return ReasonRate, nil
	}
	return "", err
}

// lock locks the reader of an order, and the order, and reads it again.
func lock(ctx context.Context, tx db.Tx, o Order) (*Order, error) {
	if err := access.LockReader(ctx, tx, o.ReaderID); err != nil {
		return nil, err
	}
	return Find(ctx, tx, "id = ? FOR UPDATE", o.ID)
}
