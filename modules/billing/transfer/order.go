package transfer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/payqr"
)

// Order is an order that is paid into the supplier's account.
type Order struct {
	ID             int64
	ReaderID       int64
	Product        string
	Amount         int64 // minor units
	Currency       string
	Reference      string
	DocumentID     int64 // of the pro-forma invoice
	State          string
	Renews         bool
	Shown          string // above the button that ordered
	CreatedAt      time.Time
	DueAt          time.Time // the beginning of the last day
	VoidAt         time.Time
	SubscriptionID int64
	StartsAt       time.Time // of the period that was opened
	EndsAt         time.Time
	Payments       int
}

// lastDay is an instant of the last day on which the money is waited for.
func (o *Order) lastDay() time.Time { return o.VoidAt.Add(-time.Minute) }

// States of an order that is paid by transfer.
const (
	StateOpen     = "open"
	StatePaid     = "paid"
	StateVoid     = "void"
	StateReversed = "reversed" // it was paid, and the payment was taken from it again
)

// How long a transfer is waited for.
const (
	dueDays  = 14
	WaitDays = 14 // after the day on which it is due
)

// MethodIBAN is the method of payment of an order that is paid by transfer.
const MethodIBAN = "iban"

// Sells finds a product that can be paid by transfer: one for a year, where the edition takes transfers.
func Sells(ed *edition.Edition, kind string) *edition.Product {
	if p := renews(ed, kind); p != nil && p.IsSold() {
		return p
	}
	return nil
}

// renews finds a product of which the next year can be paid by transfer, also one that nobody can order any more.
func renews(ed *edition.Edition, kind string) *edition.Product {
	if p := offer.Known(ed, kind); p != nil && p.Interval.Unit == "year" && ed.Flags["bank_transfer"] {
		return p
	}
	return nil
}

// Place notes a reader's order, has the pro-forma invoice sent and returns the way to the page that says how to
// pay. A reader has one open order: who asks again gets the same. It answers USER_HAS_SUBSCRIPTION to whoever has one,
// IBAN_PAYMENT_FAILED for what cannot be paid so.
func (s *Service) Place(ctx context.Context, readerID int64, kind string, plain bool) (to string, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return "", err
	}
	p := Sells(ed, kind)
	if p == nil {
		return "", access.ErrTransferFailed
	}
	customer, _, err := s.invoices.Buyer(ctx, readerID)
	if err != nil {
		return "", err
	}
	if err := s.invoices.CheckVATNumber(ctx, event.Payer{ReaderID: readerID}); err != nil {
		return "", err
	}
	var o *Order
	var has *access.Subscription
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := access.LockReader(ctx, tx, readerID); err != nil {
			return err
		}
		if err := EndOf(ctx, tx, readerID); err != nil {
			return err
		}
		if has, err = access.FindPaid(ctx, tx, readerID); err != nil || has != nil {
			return err
		}
		if o, err = Find(ctx, tx, "reader_id = ? AND state = 'open'", readerID); err != nil || o != nil {
			return err
		}
		givenUntil, err := access.CreditedUntil(ctx, tx, readerID)
		if err != nil {
			return err
		}
		vat, err := invoice.TreatmentOfReader(ctx, tx, readerID)
		if err != nil {
			return err
		}
		shown, err := offer.TransferSummary(tx.Edition, p, string(vat), plain, tx.Now, givenUntil)
		if err != nil {
			return err
		}
		o, err = s.create(ctx, tx, readerID, p, customer, shown, givenUntil)
		return err
	})
	switch {
	case errors.Is(err, invoice.ErrNoRate), errors.Is(err, errReferences):
		s.log.ErrorContext(ctx, "no order by transfer was made", "edition", ed.ID, "error", err)
		return "", access.ErrTransferFailed.Because(err)
	case err != nil:
		return "", err
	case has != nil:
		return "", access.ErrHasSubscription
	}
	return s.URL(ed, o.ID), nil
}

// create writes an order with its pro-forma invoice. shown is what stood above the button; "" for the next year,
// which nobody has ordered. after is the end of what the reader has without paying: the year is appended to it. The
// reader is locked.
func (s *Service) create(ctx context.Context, tx db.Tx, readerID int64, p *edition.Product, customer invoice.Buyer,
	shown string, after time.Time,
) (*Order, error) {
	today := tx.Now.In(tx.Edition.Location)
	day := func(later int) time.Time {
		return time.Date(today.Year(), today.Month(), today.Day()+later, 0, 0, 0, 0, tx.Edition.Location)
	}
	line := invoice.Line{Name: p.Name, Gross: p.Amount}
	if !after.IsZero() {
		line.From, line.To = invoice.PeriodDays(tx.Edition, after, p.Interval.Add(after.In(tx.Edition.Location), 1))
	}
	l, err := s.invoices.Taxed(tx.Edition, &customer, today.Format(time.DateOnly), line)
	if err != nil {
		return nil, err
	}
	o := &Order{
		ReaderID: readerID, Product: p.Type, Amount: p.Amount, Currency: tx.Edition.Billing.Currency, State: StateOpen,
		Renews: shown == "", Shown: shown,
		CreatedAt: tx.Now, DueAt: day(dueDays), VoidAt: day(dueDays + WaitDays + 1),
	}
	if o.ID, err = insert(ctx, tx, o); err != nil {
		return nil, err
	}
	if o.Reference, err = ReferenceFor(tx.Edition.Bank.IBAN, today.Year(), o.ID); err != nil {
		return nil, err
	}
	d, err := invoice.Issue(ctx, tx, invoice.Draft{
		Kind: invoice.ProForma, Source: fmt.Sprintf("transfer:%d", o.ID), ReaderID: readerID, Customer: customer,
		Lines:     []invoice.Line{l},
		Currency:  o.Currency,
		Delivered: tx.Now, DueDays: dueDays, Order: o.Reference, OrderedAt: tx.Now, Method: invoice.ByTransfer,
		Reference: o.Reference,
	})
	if err != nil {
		return nil, err
	}
	o.DocumentID = d.ID
	return o, setReference(ctx, tx, o)
}

// errReferences is a number of an order that no reference has room for.
var errReferences = errors.New("billing: no reference is left")

// ReferenceFor is what a payer has to give, in the form of the account's country: a variable symbol in Slovakia and
// Czechia, a QR reference for a Swiss QR-IBAN, one of ISO 11649 elsewhere. All of them end with a check digit or begin
// with two, so that a slip of the finger never names another order.
func ReferenceFor(iban string, year int, id int64) (string, error) {
	const most = 9_999_999
	if id <= 0 || id > most {
		return "", fmt.Errorf("%w: order %d", errReferences, id)
	}
	number := fmt.Sprintf("%02d%07d", year%100, id)
	checked, err := payqr.QRR(number)
	if err != nil {
		return "", err
	}
	symbol := number + checked[len(checked)-1:]
	switch {
	case payqr.IsQRIBAN(iban):
		return payqr.QRR(symbol)
	case invoice.UsesSymbols(iban):
		return symbol, nil
	}
	return payqr.RF(symbol)
}

// VoidOf calls a reader's open order off, because it is not wanted any more.
func VoidOf(ctx context.Context, tx db.Tx, readerID int64) error {
	o, err := Find(ctx, tx, "reader_id = ? AND state = 'open' FOR UPDATE", readerID)
	if err != nil || o == nil {
		return err
	}
	return Void(ctx, tx, o)
}

// Void calls an order off; its pro-forma invoice becomes void.
func Void(ctx context.Context, tx db.Tx, o *Order) error {
	d, err := invoice.Find(ctx, tx, "d.id = ?", o.DocumentID)
	if err != nil {
		return err
	}
	if err := invoice.Void(ctx, tx, d); err != nil {
		return err
	}
	return settle(ctx, tx, o.ID, StateVoid)
}
