package stripe

import (
	"context"
	"time"

	"github.com/stripe/stripe-go/v76"
)

// ChargeOf names the charge that a refund or a dispute is about.
func (a *Account) ChargeOf(ctx context.Context, object, id string) (string, error) {
	if object == ObjectRefund {
		r, err := a.api.Refunds.Get(id, &stripe.RefundParams{Params: params(ctx, "")})
		if err != nil || r.Charge == nil {
			return "", err
		}
		return r.Charge.ID, nil
	}
	d, err := a.api.Disputes.Get(id, &stripe.DisputeParams{Params: params(ctx, "")})
	if err != nil || d.Charge == nil {
		return "", err
	}
	return d.Charge.ID, nil
}

// Charge is what a charge has paid: an invoice with what went back of it, and its subscription, or a payment
// without one.
type Charge struct {
	Invoice      *Invoice // nil for none
	Subscription string
	Payment      string
	Paid         int64
	Refunded     int64
	Disputes     []Dispute
}

// TakenBack reports whether a dispute took all that was left of the payment.
func (f Charge) TakenBack() bool { return takenBack(f.Disputes, f.Refunded, f.Paid) }

// Charge returns what a charge has paid, and what went back of it.
func (a *Account) Charge(ctx context.Context, id string) (f Charge, err error) {
	p := &stripe.ChargeParams{Params: params(ctx, "")}
	p.AddExpand("invoice")
	c, err := a.api.Charges.Get(id, p)
	if err != nil {
		return f, err
	}
	f.Paid, f.Refunded = c.Amount, c.AmountRefunded
	if f.Disputes, err = a.Disputes(ctx, id); err != nil {
		return f, err
	}
	if c.PaymentIntent != nil {
		f.Payment = c.PaymentIntent.ID
	}
	if c.Invoice == nil {
		return f, nil
	}
	if f.Invoice = toInvoice(c.Invoice); f.Invoice != nil {
		f.Invoice.Refunded, f.Invoice.Disputed = c.AmountRefunded, f.TakenBack()
	}
	if c.Invoice.Subscription != nil {
		f.Subscription = c.Invoice.Subscription.ID
	}
	return f, nil
}

// ChargesReturned lists the charges of which something went back since, by a refund or a dispute.
func (a *Account) ChargesReturned(ctx context.Context, since time.Time) (charges []string, err error) {
	list, created := stripe.ListParams{Context: ctx, Limit: stripe.Int64(100)},
		&stripe.RangeQueryParams{GreaterThanOrEqual: since.Unix()}
	refunds := a.api.Refunds.List(&stripe.RefundListParams{ListParams: list, CreatedRange: created})
	for refunds.Next() {
		if c := refunds.Refund().Charge; c != nil {
			charges = append(charges, c.ID)
		}
	}
	if err := refunds.Err(); err != nil {
		return nil, err
	}
	disputes := a.api.Disputes.List(&stripe.DisputeListParams{ListParams: list, CreatedRange: created})
	for disputes.Next() {
		if c := disputes.Dispute().Charge; c != nil {
			charges = append(charges, c.ID)
		}
	}
	return charges, disputes.Err()
}

// ChangeEvents are the events that can change what is stored here.
var ChangeEvents = []string{
	"customer.subscription.created", "customer.subscription.updated", "customer.subscription.deleted", "invoice.paid",
	"invoice.payment_failed", "invoice.voided",
	"invoice.marked_uncollectible", "charge.refunded", "charge.dispute.created", "charge.dispute.updated",
	"charge.dispute.closed", "charge.dispute.funds_withdrawn", "charge.dispute.funds_reinstated",
}

// Changes are what has happened at the provider, whether or not the messages about it have arrived.
type Changes struct {
	Subscriptions, Charges []string
	Messages               []Event // their ids and times
}

// ChangedSince lists what has happened since an instant.
func (a *Account) ChangedSince(ctx context.Context, since time.Time) (c Changes, err error) {
	p := &stripe.EventListParams{
		ListParams: stripe.ListParams{Context: ctx, Limit: stripe.Int64(100)}, Types: stripe.StringSlice(ChangeEvents),
		CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: since.Unix()},
	}
	it := a.api.Events.List(p)
	for it.Next() {
		e := it.Event()
		c.Messages = append(c.Messages, Event{ID: e.ID, Type: string(e.Type), Created: unixTime(e.Created)})
		if e.Data == nil {
			continue
		}
		named := func(field string) string {
			id, _ := e.Data.Object[field].(string)
			return id
		}
		switch named("object") {
		case ObjectSubscription:
			c.Subscriptions = append(c.Subscriptions, named("id"))
		case ObjectInvoice:
			c.Subscriptions = append(c.Subscriptions, named("subscription"))
		case ObjectCharge:
			c.Charges = append(c.Charges, named("id"))
		case ObjectDispute:
			c.Charges = append(c.Charges, named("charge"))
		}
	}
	return c, it.Err()
}

// InvoiceSubscription names the subscription that an invoice belongs to; "" for none.
func (a *Account) InvoiceSubscription(ctx context.Context, id string) (string, error) {
	in, err := a.api.Invoices.Get(id, &stripe.InvoiceParams{Params: params(ctx, "")})
	if err != nil || in.Subscription == nil {
		return "", err
	}
	return in.Subscription.ID, nil
}
