package billing

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"example.org/broadsheet/modules/billing/invoice"

	"github.com/stripe/stripe-go/v76"
)

// sale is an invoice of the provider that was paid, and what was given back of it.
type sale struct {
	ID, Subscription string
	Currency         string // ISO 4217
	Customer         invoice.Buyer
	Lines            []soldLine
	Paid             int64 // minor units that were charged
	PaidAt           time.Time
	Refunds          []invoice.Refund
	Refunded         int64 // in all, also where Refunds is not asked for
}

// soldLine is a line of the provider's invoice. Name is the provider's; what has a price of ours has the type of the
// product instead.
type soldLine struct {
	Product, Name string
	Part          bool // of a period, because the plan was changed in it
	Gross         int64
	Full          bool // the price is not an introductory one, and nothing was taken off
	From, To      time.Time
}

// full reports whether a whole period was paid for at the full price.
func (s sale) full() bool {
	return s.Paid > 0 && slices.ContainsFunc(s.Lines, func(l soldLine) bool { return l.Full && !l.Part && l.Gross > 0 })
}

// sales are the paid invoices of a subscription, the oldest first.
func (a *account) sales(ctx context.Context, subscription string) (list []sale, err error) {
	p := &stripe.InvoiceListParams{
		ListParams: stripe.ListParams{Context: ctx, Limit: stripe.Int64(100)}, Subscription: &subscription,
		Status: stripe.String(string(stripe.InvoiceStatusPaid)),
	}
	p.AddExpand("data.charge.refunds")
	it := a.api.Invoices.List(p)
	for it.Next() {
		list = append(list, toSale(it.Invoice()))
	}
	if err := it.Err(); err != nil {
		return nil, uncertain(err)
	}
	slices.SortStableFunc(list, func(a, b sale) int { return a.PaidAt.Compare(b.PaidAt) })
	return list, nil
}

// recentSales visits the paid invoices of the edition's subscriptions that were made since an instant, the newest
// first. Two editions may share an account.
func (a *account) recentSales(ctx context.Context, since time.Time, visit func(sale)) error {
	p := &stripe.InvoiceListParams{
		ListParams: stripe.ListParams{Context: ctx, Limit: stripe.Int64(100)},
		Status:     stripe.String(string(stripe.InvoiceStatusPaid)),
	}
	p.AddExpand("data.charge")
	it := a.api.Invoices.List(p)
	for it.Next() {
		in := it.Invoice()
		if instant(in.Created).Before(since) {
			return nil
		}
		if of := in.SubscriptionDetails; of != nil && of.Metadata[metaEdition] != "" &&
			of.Metadata[metaEdition] != a.edition.ID {
			continue
		}
		if s := toSale(in); s.Subscription != "" && s.Paid > 0 {
			visit(s)
		}
	}
	return uncertain(it.Err())
}

func toSale(in *stripe.Invoice) sale {
	s := sale{
		ID: in.ID, Currency: strings.ToUpper(string(in.Currency)), Paid: in.AmountPaid, PaidAt: instant(in.Created),
		Customer: invoice.Buyer{ClientType: invoice.Individual, Name: in.CustomerName, Email: in.CustomerEmail},
	}
	if in.Subscription != nil {
		s.Subscription = in.Subscription.ID
	}
	if t := in.StatusTransitions; t != nil && t.PaidAt > 0 {
		s.PaidAt = instant(t.PaidAt)
	}
	if a := in.CustomerAddress; a != nil {
		s.Customer.Line1, s.Customer.Line2, s.Customer.City, s.Customer.PostalCode, s.Customer.Country = a.Line1, a.Line2,
			a.City, a.PostalCode, a.Country
	}
	if in.Lines != nil {
		for _, l := range in.Lines.Data {
			s.Lines = append(s.Lines, toSoldLine(l))
		}
	}
	if in.Charge == nil {
		return s
	}
	s.Refunded = in.Charge.AmountRefunded
	if in.Charge.Refunds != nil {
		for _, r := range in.Charge.Refunds.Data {
			if r.Status == stripe.RefundStatusSucceeded {
				s.Refunds = append(s.Refunds, invoice.Refund{ID: r.ID, Sum: r.Amount, At: instant(r.Created)})
			}
		}
		slices.SortStableFunc(s.Refunds, func(a, b invoice.Refund) int { return a.At.Compare(b.At) })
	}
	return s
}

func toSoldLine(l *stripe.InvoiceLineItem) soldLine {
	out := soldLine{Name: l.Description, Gross: l.Amount}
	for _, d := range l.DiscountAmounts {
		out.Gross -= d.Amount
	}
	out.Full = out.Gross == l.Amount && (l.Price == nil || !introductory(l.Price.LookupKey))
	if l.Period != nil {
		out.From, out.To = instant(l.Period.Start), instant(l.Period.End)
	}
	if out.Part = l.Proration; !out.Part {
		out.Product = l.Metadata[metaProduct]
	}
	if l.Price != nil { // the subscription may have begun as another product
		out.Product = cmp.Or(productOf(l.Price.LookupKey), out.Product)
	}
	return out
}
