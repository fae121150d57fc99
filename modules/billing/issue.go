package billing

import (
	"context"
	"errors"
	"fmt"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/event"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/outbox"
)

// errNoRate is a sale in a country of which no rate of VAT is known: no document is better than a wrong one.
var errNoRate = errors.New("billing: no rate of VAT is known")

// errNotVoidable is a document that can not be made void: it is corrected by a credit note.
var errNotVoidable = errors.New("billing: only a pro-forma invoice that nobody has paid can be void")

// issue makes a document, in the transaction that records what it is about: what is rolled back has used up no number.
// For a source of which there is a document, it returns that one. It is called late in a transaction, because all that
// issue documents of one series wait for each other.
func issue(ctx context.Context, tx db.Tx, d draft) (*document, error) {
	if err := lockSource(ctx, tx, d.Source); err != nil {
		return nil, err
	}
	if there, err := findDocument(ctx, tx, "d.source = ?", d.Source); err != nil || there != nil {
		return there, err
	}
	if err := d.reverse(ctx, tx); err != nil {
		return nil, err
	}
	if _, err := d.snapshot(tx.Edition, tx.Now); err != nil { // before a number is drawn
		return nil, err
	}
	year, issuer := tx.Now.In(tx.Edition.Location).Year(), tx.Edition.Supplier.Company
	n, at, err := nextNumber(ctx, tx, issuer, d.Kind, year)
	if err != nil {
		return nil, err
	}
	out := &document{
		Kind: d.Kind, Number: d.Kind.number(tx.Edition, year, n), ReaderID: d.ReaderID,
		Provider: d.Provider, IssuedAt: at,
	}
	if d.Refers != nil {
		out.RefersTo = d.Refers.ID
	}
	if out.snapshot, err = d.snapshot(tx.Edition, at); err != nil {
		return nil, err
	}
	if err := insertDocument(ctx, tx, out, d.Source, issuer, year, n); err != nil {
		return nil, err
	}
	return out, outbox.Once(ctx, tx, event.DocumentIssued,
		event.Document{DocumentID: out.ID, To: d.MailTo, Mistake: d.Mistake}, "document:"+out.Number)
}

// void makes a pro-forma invoice void that nobody has paid. Its number stays.
func void(ctx context.Context, tx db.Tx, d *document) error {
	if d.Kind != proForma || d.Followed {
		return errNotVoidable
	}
	return insertVoid(ctx, tx, d.ID)
}

// CheckSeries looks that no number is missing from the series of this year and of the last one.
func (m *Module) CheckSeries(ctx context.Context) error {
	return m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		gap, err := findGap(ctx, tx, tx.Now.In(tx.Edition.Location).Year()-1)
		if err == nil && gap != "" {
			err = fmt.Errorf("billing: a number is missing from the series %s", gap)
		}
		return err
	})
}

// taxed says which VAT a line bears: that of the supplier's country on the day, or of the customer's where the edition
// charges consumers of other countries of the Union theirs (Directive 2006/112/EC, articles 33 and 58).
func (m *Module) taxed(ed *edition.Edition, customer *InvoiceData, day string, l line) (line, error) {
	if ed.Supplier.VAT == "" {
		l.Category, l.Permille = vatOutside, 0
		return l, nil
	}
	country := ed.Supplier.Country
	// Who has a number is no consumer.
	if ed.Billing.OSS && customer != nil && isUnion(country) && isUnion(customer.Country) && abroad(ed, customer) == "" {
		country = customer.Country
	}
	permille, ok := rateOf(m.rates, country, classNewspaper, dayOf(ed, day))
	if !ok {
		return l, fmt.Errorf("%w: %s, %s", errNoRate, country, day)
	}
	if l.Category, l.Permille = vatStandard, permille; permille == 0 {
		l.Category = vatZero
	}
	return l, nil
}

// creditName is what a credit note says that it gives back.
func creditName(ed *edition.Edition, of *document) string {
	return i18n.T(ed, "invoice.refund", map[string]any{"Number": of.Number})
}
