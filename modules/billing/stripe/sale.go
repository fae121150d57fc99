package stripe

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v76"
)

// Sale is an invoice of the provider that was paid, and what was given back of it.
type Sale struct {
	ID, Subscription string
	Currency         string // ISO 4217
	Buyer            Buyer
	Lines            []SaleLine
	Paid             int64 // minor units that were charged
	PaidAt           time.Time
	Refunds          []Refund
	Refunded         int64 // in all, also where Refunds is not asked for
}

// Buyer is who has paid, as the checkout asked for it.
type Buyer struct{ Name, Email, Line1, Line2, City, PostalCode, Country string }

// Refund is money that went back.
type Refund struct {
	ID  string
	Sum int64 // minor units
	At  time.Time
}

// SaleLine is a line of the provider's invoice. Name is the provider's; what has a price of ours has the type of the
// product instead.
type SaleLine struct {
	Product, Name string
	Part          bool // of a period, because the plan was changed in it
	Gross         int64
	Full          bool // the price is not an introductory one, and nothing was taken off
	From, To      time.Time
}

// Full reports whether a whole period was paid for at the full price.
func (s Sale) Full() bool {
	return s.Paid > 0 && slices.ContainsFunc(s.Lines, func(l SaleLine) bool { return l.Full && !l.Part && l.Gross > 0 })
}

// Sales are the paid invoices of a subscription, the oldest first.
func (a *Account) Sales(ctx context.Context, subscription string) (list []Sale, err error) {
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
		return nil, Uncertain(err)
	}
	slices.SortStableFunc(list, func(a, b Sale) int { return a.PaidAt.Compare(b.PaidAt) })
	return list, nil
}

// RecentSales visits the paid invoices of the edition's subscriptions that were made since an instant, the newest
// first. Two editions may share an account.
func (a *Account) RecentSales(ctx context.Context, since time.Time, visit func(Sale)) error {
	p := &stripe.InvoiceListParams{
		ListParams:   stripe.ListParams{Context: ctx, Limit: stripe.Int64(100)},
		Status:       stripe.String(string(stripe.InvoiceStatusPaid)),
		CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: since.Unix()},
	}
	p.AddExpand("data.charge")
	it := a.api.Invoices.List(p)
	for it.Next() {
		in := it.Invoice()
		if of := in.SubscriptionDetails; of != nil && of.Metadata[metaEdition] != "" &&
			of.Metadata[metaEdition] != a.Edition.ID {
			continue
		}
		if s := toSale(in); s.Subscription != "" && s.Paid > 0 {
			visit(s)
		}
	}
	return Uncertain(it.Err())
}

func toSale(in *stripe.Invoice) Sale {
	s := Sale{
		ID: in.ID, Currency: strings.ToUpper(string(in.Currency)), Paid: in.AmountPaid, PaidAt: unixTime(in.Created),
		Buyer: Buyer{Name: in.CustomerName, Email: in.CustomerEmail},
	}
	if in.Subscription != nil {
		s.Subscription = in.Subscription.ID
	}
	if t := in.StatusTransitions; t != nil && t.PaidAt > 0 {
		s.PaidAt = unixTime(t.PaidAt)
	}
	if a := in.CustomerAddress; a != nil {
		s.Buyer.Line1, s.Buyer.Line2, s.Buyer.City = a.Line1, a.Line2, a.City
		s.Buyer.PostalCode, s.Buyer.Country = a.PostalCode, a.Country
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
				s.Refunds = append(s.Refunds, Refund{ID: r.ID, Sum: r.Amount, At: unixTime(r.Created)})
			}
		}
		slices.SortStableFunc(s.Refunds, func(a, b Refund) int { return a.At.Compare(b.At) })
	}
	return s
}

func toSoldLine(l *stripe.InvoiceLineItem) SaleLine {
	out := SaleLine{Name: l.Description, Gross: l.Amount}
	for _, d := range l.DiscountAmounts {
		out.Gross -= d.Amount
	}
	out.Full = out.Gross == l.Amount && (l.Price == nil || !introductory(l.Price.LookupKey))
	if l.Period != nil {
		out.From, out.To = unixTime(l.Period.Start), unixTime(l.Period.End)
	}
	if out.Part = l.Proration; !out.Part {
		out.Product = l.Metadata[metaProduct]
	}
	if l.Price != nil { // the subscription may have begun as another product
		out.Product = cmp.Or(productOf(l.Price.LookupKey), out.Product)
	}
	return out
}
