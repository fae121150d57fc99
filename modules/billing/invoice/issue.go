package invoice

import (
	"context"
	"errors"
	"fmt"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// ErrNoRate is a sale in a country of which no rate of VAT is known: no document is better than a wrong one.
var ErrNoRate = errors.New("billing: no rate of VAT is known")

// ErrNotVoidable is a document that cannot be made void: it is corrected by a credit note.
var ErrNotVoidable = errors.New("billing: only a pro-forma invoice that nobody has paid can be void")

// Issue makes a document, in the transaction that records what it is about: what is rolled back has used up no number.
// For a source of which there is a document, it returns that one. It is called late in a transaction, because all that
// issue documents of one series wait for each other.
func Issue(ctx context.Context, tx db.Tx, d Draft) (*Document, error) {
	if err := lockSource(ctx, tx, d.Source); err != nil {
		return nil, err
	}
	if there, err := Find(ctx, tx, "d.source = ?", d.Source); err != nil || there != nil {
		return there, err
	}
	if err := d.applyReverseCharge(ctx, tx); err != nil {
		return nil, err
	}
	if _, err := d.Snapshot(tx.Edition, tx.Now); err != nil { // before a number is drawn
		return nil, err
	}
	year, issuer := tx.Now.In(tx.Edition.Location).Year(), tx.Edition.Supplier.Company
	n, at, err := nextNumber(ctx, tx, issuer, d.Kind, year)
	if err != nil {
		return nil, err
	}
	out := &Document{
		Kind: d.Kind, Number: d.Kind.Number(tx.Edition, year, n), ReaderID: d.ReaderID,
		Provider: d.Provider, IssuedAt: at,
	}
	if d.Refers != nil {
		out.RefersTo = d.Refers.ID
	}
	if out.Snapshot, err = d.Snapshot(tx.Edition, at); err != nil {
		return nil, err
	}
	if err := insertDocument(ctx, tx, out, d.Source, issuer, year, n); err != nil {
		return nil, err
	}
	return out, outbox.Once(ctx, tx, event.DocumentIssued,
		event.Document{DocumentID: out.ID, To: d.MailTo, Mistake: d.Mistake}, "document:"+out.Number)
}

// Void makes a pro-forma invoice void that nobody has paid. Its number stays.
func Void(ctx context.Context, tx db.Tx, d *Document) error {
	if d.Kind != ProForma || d.Followed {
		return ErrNotVoidable
	}
	return insertVoid(ctx, tx, d.ID)
}

// CheckSeries looks that no number is missing from the series of this year and of the last one.
func (s *Service) CheckSeries(ctx context.Context) error {
	return s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		gap, err := findGap(ctx, tx, tx.Now.In(tx.Edition.Location).Year()-1)
		if err == nil && gap != "" {
			err = fmt.Errorf("billing: a number is missing from the series %s", gap)
		}
		return err
	})
}

// Taxed says which VAT a line bears on a day.
func (s *Service) Taxed(ed *edition.Edition, customer *Buyer, day string, l Line) (Line, error) {
	country := placeOf(ed, customer)
	if ed.Supplier.VAT == "" || country == "" {
		l.Category, l.Permille = VATOutside, 0
		return l, nil
	}
	permille, ok := rateOf(s.Rates, country, classNewspaper, Day(ed, day))
	if !ok {
		return l, fmt.Errorf("%w: %s, %s", ErrNoRate, country, day)
	}
	if l.Category, l.Permille = VATStandard, permille; permille == 0 {
		l.Category = VATZero
	}
	return l, nil
}
