package subscription

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
)

// invoiceSales issues what is missing of the documents about a subscription's payments: an invoice for each that was
// paid, a credit note for each refund. It is part of the transaction that writes what the provider says of the
// subscription.
func (s *Service) invoiceSales(ctx context.Context, tx db.Tx, remote stripe.Subscription, sales []stripe.Sale) error {
	if len(sales) == 0 {
		return nil
	}
	of, err := access.FindByProvider(ctx, tx, remote.ID)
	if err != nil || of == nil { // nobody knows whose it is
		return err
	}
	data, _, err := invoice.FindBuyer(ctx, tx, of.ReaderID)
	if err != nil {
		return err
	}
	for _, sub := range sales {
		if sub.Paid <= 0 || InvoicedElsewhere(tx.Edition, sub.PaidAt) {
			continue
		}
		buyer := buyerOf(sub.Buyer)
		if data != nil {
			buyer = *data
		}
		err := s.invoiceSale(ctx, tx, of, remote, sub, buyer)
		// What was paid for is given all the same; the reconciler asks again.
		if errors.Is(err, invoice.ErrNoRate) || errors.Is(err, invoice.ErrOverCredit) {
			s.log.ErrorContext(ctx, "no document was made", "edition", tx.Edition.ID, "invoice", sub.ID, "error", err)
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// InvoicedElsewhere reports whether a payment is of the time before the edition's invoices were made here.
func InvoicedElsewhere(ed *edition.Edition, paid time.Time) bool {
	return ed.Billing.Since != "" && paid.Before(invoice.Day(ed, ed.Billing.Since))
}

func (s *Service) invoiceSale(ctx context.Context, tx db.Tx, of *access.Subscription,
	remote stripe.Subscription, sold stripe.Sale,
	buyer invoice.Buyer,
) error {
	d, err := invoice.Find(ctx, tx, "d.source = ?", "invoice:"+sold.ID)
	if err != nil {
		return err
	}
	if d == nil {
		in, err := s.InvoiceDraft(tx.Edition, of, remote, sold, buyer)
		if err != nil {
			return err
		}
		if d, err = invoice.Issue(ctx, tx, in); err != nil {
			return err
		}
	}
	for _, r := range sold.Refunds {
		if err := invoice.CreditRefund(ctx, tx, d, invoice.Refund{ID: r.ID, Sum: r.Sum, At: r.At}); err != nil {
			return err
		}
	}
	return nil
}

// InvoiceDraft is a tax invoice for what was charged. Its tax point is the day of the payment.
func (s *Service) InvoiceDraft(ed *edition.Edition, of *access.Subscription, remote stripe.Subscription,
	sold stripe.Sale,
	buyer invoice.Buyer,
) (invoice.Draft, error) {
	d := invoice.Draft{
		Kind: invoice.TaxInvoice, Source: "invoice:" + sold.ID, ReaderID: of.ReaderID, Provider: sold.ID, Customer: buyer,
		Currency:  sold.Currency,
		Delivered: sold.PaidAt, Order: remote.ID, OrderedAt: of.StartedAt, Method: invoice.ByCard, Paid: true,
	}
	if remote.IntentID != 0 {
		d.Order = fmt.Sprintf("%06d", remote.IntentID)
	}
	day := sold.PaidAt.In(ed.Location).Format(time.DateOnly)
	rest := sold.Paid
	for _, l := range sold.Lines {
		if l.Gross == 0 {
			continue
		}
		rest -= l.Gross
		taxed, err := s.invoices.Taxed(ed, &buyer, day, LineOf(ed, of, l))
		if err != nil {
			return d, err
		}
		d.Lines = append(d.Lines, taxed)
	}
	if rest != 0 { // of what the provider has kept for the customer, or has charged in addition
		balance, err := s.invoices.Taxed(ed, &buyer, day,
			invoice.Line{Name: i18n.T(ed, "invoice.balance", nil), Gross: rest})
		if err != nil {
			return d, err
		}
		d.Lines = append(d.Lines, balance)
	}
	return d, nil
}

// LineOf is a line of our document for one of the provider's.
func LineOf(ed *edition.Edition, of *access.Subscription, l stripe.SaleLine) invoice.Line {
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

// buyerOf is whom the provider knows as the buyer; readers who have set nothing are called that.
func buyerOf(b stripe.Buyer) invoice.Buyer {
	return invoice.Buyer{
		ClientType: invoice.Individual, Name: b.Name, Email: b.Email, Line1: b.Line1, Line2: b.Line2, City: b.City,
		PostalCode: b.PostalCode, Country: b.Country,
	}
}
