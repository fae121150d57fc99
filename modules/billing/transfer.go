package billing

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/payqr"
)

// transfer is an order that is paid into the supplier's account.
type transfer struct {
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

// States of an order that is paid by transfer.
const (
	transferOpen     = "open"
	transferPaid     = "paid"
	transferVoid     = "void"
	transferReversed = "reversed" // it was paid, and the payment was taken from it again
)

// How long a transfer is waited for.
const (
	transferDueDays  = 14
	transferWaitDays = 14 // after the day on which it is due
)

// byBank is the method of payment of an order that is paid by transfer.
const byBank = "iban"

// transferable finds a product that can be paid by transfer: one for a year, where the edition takes transfers.
func transferable(ed *edition.Edition, kind string) *edition.Product {
	if p := activeProduct(ed, kind); p != nil && p.Interval.Unit == "year" && ed.Flags["bank_transfer"] {
		return p
	}
	return nil
}

// orderTransfer notes a reader's order, has the pro-forma invoice sent and returns the way to the page that says how to
// pay. A reader has one open order: who asks again gets the same. It answers USER_HAS_SUBSCRIPTION to who has one,
// IBAN_PAYMENT_FAILED for what cannot be paid so.
func (m *Module) orderTransfer(ctx context.Context, readerID int64, kind string, plain bool) (to string, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return "", err
	}
	p := transferable(ed, kind)
	if p == nil {
		return "", ErrTransferFailed
	}
	customer, _, err := m.Invoices.Buyer(ctx, readerID)
	if err != nil {
		return "", err
	}
	if err := m.Invoices.CheckVATNumber(ctx, event.Payer{ReaderID: readerID}); err != nil {
		return "", err
	}
	var o *transfer
	var has *access.Subscription
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := access.LockReader(ctx, tx, readerID); err != nil {
			return err
		}
		if err := endTransfersOf(ctx, tx, readerID); err != nil {
			return err
		}
		if has, err = access.FindPaid(ctx, tx, readerID); err != nil || has != nil {
			return err
		}
		if o, err = findTransfer(ctx, tx, "reader_id = ? AND state = 'open'", readerID); err != nil || o != nil {
			return err
		}
		givenUntil, err := creditedUntil(ctx, tx, readerID)
		if err != nil {
			return err
		}
		shown, err := transferSummary(tx.Edition, p, plain, tx.Now, paidFrom(givenUntil, tx.Now))
		if err != nil {
			return err
		}
		o, err = m.makeTransfer(ctx, tx, readerID, p, customer, shown)
		return err
	})
	switch {
	case errors.Is(err, invoice.ErrNoRate), errors.Is(err, errReferences):
		m.log.ErrorContext(ctx, "no order by transfer was made", "edition", ed.ID, "error", err)
		return "", ErrTransferFailed.Because(err)
	case err != nil:
		return "", err
	case has != nil:
		return "", ErrHasSubscription
	}
	return m.transferURL(ed, o.ID), nil
}

// makeTransfer writes an order with its pro-forma invoice. shown is what stood above the button; "" for the next year,
// which nobody has ordered. The reader is locked.
func (m *Module) makeTransfer(ctx context.Context, tx db.Tx, readerID int64, p *edition.Product, customer invoice.Buyer,
	shown string,
) (*transfer, error) {
	today := tx.Now.In(tx.Edition.Location)
	day := func(later int) time.Time {
		return time.Date(today.Year(), today.Month(), today.Day()+later, 0, 0, 0, 0, tx.Edition.Location)
	}
	l, err := m.Invoices.Taxed(tx.Edition, &customer, today.Format(time.DateOnly),
		invoice.Line{Name: p.Name, Gross: p.Amount})
	if err != nil {
		return nil, err
	}
	o := &transfer{
		ReaderID: readerID, Product: p.Type, Amount: p.Amount, Currency: tx.Edition.Billing.Currency, State: transferOpen,
		Renews: shown == "", Shown: shown,
		CreatedAt: tx.Now, DueAt: day(transferDueDays), VoidAt: day(transferDueDays + transferWaitDays + 1),
	}
	if o.ID, err = insertTransfer(ctx, tx, o); err != nil {
		return nil, err
	}
	if o.Reference, err = referenceFor(tx.Edition.Bank.IBAN, today.Year(), o.ID); err != nil {
		return nil, err
	}
	d, err := invoice.Issue(ctx, tx, invoice.Draft{
		Kind: invoice.ProForma, Source: fmt.Sprintf("transfer:%d", o.ID), ReaderID: readerID, Customer: customer,
		Lines:     []invoice.Line{l},
		Currency:  o.Currency,
		Delivered: tx.Now, DueDays: transferDueDays, Order: o.Reference, OrderedAt: tx.Now, Method: invoice.ByTransfer,
		Reference: o.Reference,
	})
	if err != nil {
		return nil, err
	}
	o.DocumentID = d.ID
	return o, nameTransfer(ctx, tx, o)
}

// errReferences is a number of an order that no reference has room for.
var errReferences = errors.New("billing: no reference is left")

// referenceFor is what a payer has to give, in the form of the account's country: a variable symbol in Slovakia and
// Czechia, a QR reference for a Swiss QR-IBAN, one of ISO 11649 elsewhere. All of them end with a check digit or begin
// with two, so that a slip of the finger never names another order.
func referenceFor(iban string, year int, id int64) (string, error) {
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

// voidTransferOf calls a reader's open order off, because it is not wanted any more.
func voidTransferOf(ctx context.Context, tx db.Tx, readerID int64) error {
	o, err := findTransfer(ctx, tx, "reader_id = ? AND state = 'open' FOR UPDATE", readerID)
	if err != nil || o == nil {
		return err
	}
	return voidTransfer(ctx, tx, o)
}

func voidTransfer(ctx context.Context, tx db.Tx, o *transfer) error {
	d, err := invoice.Find(ctx, tx, "d.id = ?", o.DocumentID)
	if err != nil {
		return err
	}
	if err := invoice.Void(ctx, tx, d); err != nil {
		return err
	}
	return settleTransfer(ctx, tx, o.ID, transferVoid)
}
