package billing

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/i18n"
)

// invoiceSales issues what is missing of the documents about a subscription's payments: an invoice for each that was
// paid, a credit note for each refund. It is part of the transaction that writes what the provider says of the
// subscription.
func (m *Module) invoiceSales(ctx context.Context, tx db.Tx, said remote, sales []sale) error {
	if len(sales) == 0 {
		return nil
	}
	of, err := findByProvider(ctx, tx, said.ID)
	if err != nil || of == nil { // nobody knows whose it is
		return err
	}
	data, _, err := findInvoiceData(ctx, tx, of.ReaderID)
	if err != nil {
		return err
	}
	for _, s := range sales {
		if s.Paid <= 0 || invoicedElsewhere(tx.Edition, s.PaidAt) {
			continue
		}
		if data != nil {
			s.Customer = *data
		}
		err := m.invoiceSale(ctx, tx, of, said, s)
		// What was paid for is given all the same; the reconciler asks again.
		if errors.Is(err, errNoRate) || errors.Is(err, errOverCredit) {
			m.log.ErrorContext(ctx, "no document was made", "edition", tx.Edition.ID, "invoice", s.ID, "error", err)
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// invoicedElsewhere tells whether a payment is of the time before the edition's invoices were made here.
func invoicedElsewhere(ed *edition.Edition, paid time.Time) bool {
	return ed.Billing.Since != "" && paid.Before(dayOf(ed, ed.Billing.Since))
}

var errOverCredit = errors.New("billing: more was given back than was invoiced")

func (m *Module) invoiceSale(ctx context.Context, tx db.Tx, of *subscription, said remote, s sale) error {
	d, err := findDocument(ctx, tx, "d.source = ?", "invoice:"+s.ID)
	if err != nil {
		return err
	}
	if d == nil {
		in, err := m.invoiceDraft(tx.Edition, of, said, s)
		if err != nil {
			return err
		}
		if d, err = issue(ctx, tx, in); err != nil {
			return err
		}
	}
	for _, r := range s.Refunds {
		if err := creditRefund(ctx, tx, d, r); err != nil {
			return err
		}
	}
	return nil
}

// invoiceDraft is a tax invoice for what was charged. Its tax point is the day of the payment.
func (m *Module) invoiceDraft(ed *edition.Edition, of *subscription, said remote, s sale) (draft, error) {
	d := draft{
		Kind: taxInvoice, Source: "invoice:" + s.ID, ReaderID: of.ReaderID, Provider: s.ID, Customer: s.Customer,
		Currency:  s.Currency,
		Delivered: s.PaidAt, Order: said.ID, OrderedAt: of.StartedAt, Method: byCard, Paid: true,
	}
	if said.IntentID != 0 {
		d.Order = fmt.Sprintf("%06d", said.IntentID)
	}
	day := s.PaidAt.In(ed.Location).Format(time.DateOnly)
	rest := s.Paid
	for _, l := range s.Lines {
		if l.Gross == 0 {
			continue
		}
		rest -= l.Gross
		taxed, err := m.taxed(ed, &s.Customer, day, l.line(ed, of))
		if err != nil {
			return d, err
		}
		d.Lines = append(d.Lines, taxed)
	}
	if rest != 0 { // of what the provider has kept for the customer, or has charged beside
		balance, err := m.taxed(ed, &s.Customer, day, line{Name: i18n.T(ed, "invoice.balance", nil), Gross: rest})
		if err != nil {
			return d, err
		}
		d.Lines = append(d.Lines, balance)
	}
	return d, nil
}

func (l soldLine) line(ed *edition.Edition, of *subscription) line {
	out := line{Name: l.Name, Gross: l.Gross}
	kind := l.Product
	if kind == "" && out.Name == "" {
		kind = of.Product
	}
	switch p := ed.Product(kind); {
	case p == nil:
	case l.Part && l.Gross < 0:
		out.Name = i18n.T(ed, "invoice.unused", map[string]any{"Name": p.Name})
	case l.Part:
		out.Name = i18n.T(ed, "invoice.rest", map[string]any{"Name": p.Name})
	default:
		out.Name = p.Name
	}
	if l.To.After(l.From) {
		out.From, out.To = periodDays(ed, l.From, l.To)
	}
	return out
}

// periodDays are the first and the last day of a period. The day on which the next one begins is not of this one.
func periodDays(ed *edition.Edition, from, to time.Time) (first, last string) {
	first, last = from.In(ed.Location).Format(time.DateOnly), to.In(ed.Location).AddDate(0, 0, -1).Format(time.DateOnly)
	return first, max(first, last)
}

// creditRefund issues the credit note for a refund.
func creditRefund(ctx context.Context, tx db.Tx, of *document, r refunded) error {
	source := "refund:" + r.ID
	of, err := of.standing(ctx, tx)
	if err != nil {
		return err
	}
	if there, err := findDocument(ctx, tx, "d.source = ?", source); err != nil || there != nil {
		return err
	}
	before, err := selectDocuments(ctx, tx, "d.refers_to = ? AND d.kind = 'CN' ORDER BY d.id", of.ID)
	if err != nil {
		return err
	}
	lines := of.credit(r.Sum, before, creditName(tx.Edition, of))
	if lines == nil {
		return fmt.Errorf("%w: %s, %d", errOverCredit, of.Number, r.Sum)
	}
	ordered := dayOf(tx.Edition, of.Ordered)
	_, err = issue(ctx, tx, draft{
		Kind: creditNote, Source: source, ReaderID: of.ReaderID, Refers: of, Customer: of.Customer, Lines: lines,
		Currency:  of.Currency,
		Delivered: r.At, Order: of.Order, OrderedAt: ordered, Method: of.Method, Paid: true, Mistake: r.Mistake,
	})
	return err
}

// dayOf is the beginning of a day that was written down.
func dayOf(ed *edition.Edition, day string) time.Time {
	t, _ := time.ParseInLocation(time.DateOnly, day, ed.Location) // a day that we have written
	return t
}
