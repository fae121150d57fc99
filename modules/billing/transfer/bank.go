package transfer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/camt"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

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
	ReasonDoubt        = "perhaps_known" // it may be one that is known, from another statement
	ReasonCollection   = "collection"    // several payments that the bank does not tell apart
	ReasonSplit        = "split"         // a collection whose payments a person has made lines of
	ReasonPart         = "part"          // one of these
	ReasonUnreadable   = "unreadable"    // an entry whose sum, day or direction cannot be read
	ReasonNumber       = "number_only"   // it names a pre-invoice, whose number nothing checks, and the payer is another
	reasonNotOurs      = "not_ours"      // never stored: nothing of such a payment is kept
	ReasonUnmatched    = "unmatched"     // by a person
	ReasonWithdrawn    = "withdrawn"     // the reader has withdrawn from the contract
)

// Counts are the payments of a bank file; each is in exactly one of Matched to Failed.
type Counts struct {
	Again     bool // the same file was read to its end before
	Matched   int
	Queued    int
	Known     int // another file had them
	Left      int // money that went out, and sums of zero: nothing of it is kept
	Announced int // not booked yet
	Elsewhere int // of other accounts
	Failed    int // could not be stored: the error says why
	Split     int // how many more payments than entries there are, because collections are split
}

// Payments returns how many payments are in a count.
func (c Counts) Payments() int {
	return c.Matched + c.Queued + c.Known + c.Left + c.Announced + c.Elsewhere + c.Failed
}

// Entries returns how many entries of the file are in a count.
func (c Counts) Entries() int { return c.Payments() - c.Split }

// Imported says what was done with a bank file.
type Imported struct {
	Counts
	Entries int      // of the file
	Notes   []string // entries and parts of the file that could not be read as they should
}

// ErrStatement is a file without a statement of the edition's account.
var ErrStatement = errors.New("billing: this is not a statement of the edition's account")

// maxFailures bounds how many payments in a row may fail before the rest of a file is left.
const maxFailures = 5

// Import reads a bank file (camt.053), pairs its payments with orders and queues what does not fit. Each payment is a
// transaction of its own, and known for good afterwards: the same file, or one that overlaps with it, can be read
// again, also after a run that was ended halfway, and by several at once. It returns an error, beside all that was
// done, if a part of the file could not be read, or a payment not be stored. With dry, nothing stays.
func (s *Service) Import(ctx context.Context, r io.Reader, dry bool) (out Imported, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return out, err
	}
	hash := sha256.New()
	file, unread := camt.Read(io.TeeReader(r, hash), ed.Location)
	out.Notes = file.Notes
	ours := func(account string) bool { return account == ed.Bank.IBAN || account == ed.Bank.Account() }
	switch {
	case len(file.Accounts) == 0:
		return out, unread
	case !slices.ContainsFunc(file.Accounts, ours):
		return out, fmt.Errorf("%w: it is of %s, the edition's is %s", ErrStatement,
			cmp.Or(strings.Join(slices.Compact(file.Accounts), ", "), "an account without an id"), ed.Bank.Account())
	}
	out.Entries = file.Entries
	var lines []camt.Payment
	for i, l := range file.Payments {
		if i > 0 && file.Payments[i-1].Entry == l.Entry {
			out.Split++
		}
		switch {
		case !ours(l.Account):
			out.Elsewhere++
		case l.Announced:
			out.Announced++
		default:
			lines = append(lines, l)
		}
	}
	text := hex.EncodeToString(hash.Sum(nil))
	if dry {
		err = s.db.DryRun(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			if err := lockAccount(ctx, tx, true); err != nil {
				return err
			}
			if err := lockReadersOf(ctx, tx, lines); err != nil {
				return err
			}
			claimed := claims{}
			for _, l := range lines {
				if err := s.storeLine(ctx, tx, l, claimed, &out.Counts); err != nil {
					return err
				}
			}
			out.Again, err = hasStatement(ctx, tx, text)
			return err
		})
		return out, errors.Join(unread, err)
	}
	if err := s.storeLines(ctx, lines, &out.Counts); err != nil {
		return out, errors.Join(unread, err)
	}
	if unread != nil {
		return out, unread
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		out.Again, err = putStatement(ctx, tx, text, len(lines))
		return err
	})
	return out, err
}

// storeLines stores payments, each by itself: one that fails does not stop the others, unless they all do.
func (s *Service) storeLines(ctx context.Context, lines []camt.Payment, out *Counts) error {
	defer s.access.ForgetHere(ctx)
	claimed, failures := claims{}, 0
	var errs []error
	for _, l := range lines {
		next := *out
		err := s.checkBuyers(ctx, func(ctx context.Context, tx db.Tx) ([]Order, error) {
			list, _, err := findNamed(ctx, tx, l)
			return list, err
		})
		if err == nil {
			err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
				next = *out
				if err := lockAccount(ctx, tx, false); err != nil {
					return err
				}
				return s.storeLine(ctx, tx, l, claimed, &next)
			})
		}
		if err == nil {
			*out, failures = next, 0
			continue
		}
		out.Failed++
		errs = append(errs, fmt.Errorf("billing: the payment of %s over %s: %w", l.Booked.Format("2006-01-02"),
			invoice.Decimal(l.Amount), err))
		if failures++; failures == maxFailures || ctx.Err() != nil {
			break
		}
	}
	return errors.Join(errs...)
}

// storeLine writes a payment down, once, and opens what it pays for.
func (s *Service) storeLine(ctx context.Context, tx db.Tx, l camt.Payment, claimed claims, out *Counts) error {
	if l.Booked.IsZero() {
		today := tx.Now.In(tx.Edition.Location)
		l.Booked = time.Date(today.Year(), today.Month(), today.Day(), 0, 0, 0, 0, time.UTC)
	}
	known, err := listAlike(ctx, tx, l)
	if err != nil {
		return err
	}
	known = slices.DeleteFunc(known, func(k storedLine) bool { return claimed[claim{l.Stmt, k.ID}] })
	twin, like := closest(l, known)
	if like == same {
		claimed[claim{l.Stmt, twin.ID}] = true
		out.Known++
		return nil
	}
	o, why, err := s.matchPayment(ctx, tx, l)
	switch {
	case err != nil:
		return err
	case why == reasonNotOurs:
		out.Left++
		return nil
	case like == doubtful:
		why = ReasonDoubt
	}
	id, err := insertLine(ctx, tx, l, o, why)
	switch {
	case err != nil:
		return err
	case id == 0:
		out.Known++
		return nil
	}
	claimed[claim{l.Stmt, id}] = true
	if why != "" {
		out.Queued++
		return nil
	}
	out.Matched++
	return s.pay(ctx, tx, o, l.Amount, l.Booked)
}

// matchPayment finds the order that a payment names, and why it is not paid with it; "" for an order that is. The order
// and its reader are locked.
func (s *Service) matchPayment(ctx context.Context, tx db.Tx, l camt.Payment) (o *Order, why string, err error) {
	list, byNumber, err := findNamed(ctx, tx, l)
	if err != nil {
		return nil, "", err
	}
	if len(list) == 1 {
		if o, err = lock(ctx, tx, list[0]); err != nil {
			return nil, "", err
		}
		list[0] = *o
	}
	paid := slices.ContainsFunc(list, func(o Order) bool { return o.State == StatePaid })
	switch {
	case !l.Credit && !l.Reversal && !paid, l.Amount == 0 && l.Problem == "":
		return nil, reasonNotOurs, nil
	case l.Undivided:
		return nil, ReasonCollection, nil
	case l.Problem != "":
		return o, ReasonUnreadable, nil
	case l.Reversal && len(list) != 1:
		return nil, ReasonReversal, nil
	case len(list) == 0:
		return nil, ReasonUnknown, nil
	case len(list) > 1:
		return nil, ReasonAmbiguous, nil
	}
	states := map[string]string{StatePaid: ReasonPaid, StateVoid: ReasonVoid, StateReversed: ReasonReversed}
	switch {
	case !l.Credit && o.State == StatePaid:
		return o, ReasonReturned, nil
	case l.Reversal: // money of ours that came back pays for nothing
		return o, ReasonReversal, nil
	case states[o.State] != "":
		return o, states[o.State], nil
	case l.Currency != o.Currency:
		return o, ReasonCurrency, nil
	case l.Amount != o.Amount:
		return o, ReasonAmount, nil
	}
	if byNumber {
		pf, err := invoice.Find(ctx, tx, "d.id = ?", o.DocumentID)
		if err != nil {
			return nil, "", err
		}
		if pf == nil || !isBuyer(l.Payer, pf.Customer) {
			return o, ReasonNumber, nil
		}
	}
	why, err = s.obstacle(ctx, tx, o, l)
	return o, why, err
}

// findNamed finds the orders that a payment names. byNumber reports that no reference names the order, but the number
// of its pre-invoice does.
func findNamed(ctx context.Context, tx db.Tx, l camt.Payment) (list []Order, byNumber bool, err error) {
	if list, err = findReferred(ctx, tx, ReferencesIn(l)); err != nil {
		return nil, false, err
	}
	numbered, err := findNumbered(ctx, tx, proFormasIn(l))
	referred := len(list)
	for _, o := range numbered {
		if !slices.ContainsFunc(list, func(other Order) bool { return other.ID == o.ID }) {
			list = append(list, o)
		}
	}
	return list, referred == 0, err
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
