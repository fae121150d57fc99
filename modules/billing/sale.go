package billing

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/broadsheet/modules/billing/invoice"

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
	data, _, err := invoice.FindBuyer(ctx, tx, of.ReaderID)
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
		if errors.Is(err, invoice.ErrNoRate) || errors.Is(err, invoice.ErrOverCredit) {
			m.log.ErrorContext(ctx, "no document was made", "edition", tx.Edition.ID, "invoice", s.ID, "error", err)
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// invoicedElsewhere reports whether a payment is of the time before the edition's invoices were made here.
func invoicedElsewhere(ed *edition.Edition, paid time.Time) bool {
	return ed.Billing.Since != "" && paid.Before(invoice.Day(ed, ed.Billing.Since))
}

func (m *Module) invoiceSale(ctx context.Context, tx db.Tx, of *subscription, said remote, s sale) error {
	d, err := invoice.Find(ctx, tx, "d.source = ?", "invoice:"+s.ID)
	if err != nil {
		return err
	}
	if d == nil {
		in, err := m.invoiceDraft(tx.Edition, of, said, s)
		if err != nil {
			return err
		}
		if d, err = invoice.Issue(ctx, tx, in); err != nil {
			return err
		}
	}
	for _, r := range s.Refunds {
		if err := invoice.CreditRefund(ctx, tx, d, r); err != nil {
			return err
		}
	}
	return nil
}

// invoiceDraft is a tax invoice for what was charged. Its tax point is the day of the payment.
func (m *Module) invoiceDraft(ed *edition.Edition, of *subscription, said remote, s sale) (invoice.Draft, error) {
	d := invoice.Draft{
		Kind: invoice.TaxInvoice, Source: "invoice:" + s.ID, ReaderID: of.ReaderID, Provider: s.ID, Customer: s.Customer,
		Currency:  s.Currency,
		Delivered: s.PaidAt, Order: said.ID, OrderedAt: of.StartedAt, Method: invoice.ByCard, Paid: true,
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
		taxed, err := m.Invoices.Taxed(ed, &s.Customer, day, l.line(ed, of))
		if err != nil {
			return d, err
		}
		d.Lines = append(d.Lines, taxed)
	}
	if rest != 0 { // of what the provider has kept for the customer, or has charged beside
		balance, err := m.Invoices.Taxed(ed, &s.Customer, day,
			invoice.Line{Name: i18n.T(ed, "invoice.balance", nil), Gross: rest})
		if err != nil {
			return d, err
		}
		d.Lines = append(d.Lines, balance)
	}
	return d, nil
}

func (l soldLine) line(ed *edition.Edition, of *subscription) invoice.Line {
	out := invoice.Line{Name: l.Name, Gross: l.Gross}
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
		out.From, out.To = invoice.PeriodDays(ed, l.From, l.To)
	}
	return out
}
