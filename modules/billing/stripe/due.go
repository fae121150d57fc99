package stripe

import (
	"context"
	"errors"
	"net/http"

	"github.com/stripe/stripe-go/v76"
)

// Due is what a subscription's latest invoice still asks for.
type Due struct {
	Amount   int64 // minor units; 0: nothing
	Currency string
	URL      string // of the provider's page on which it is paid, or the payment confirmed
	Confirm  bool   // the bank wants its customer to confirm
}

// AmountDue returns what the latest invoice of a subscription still asks for.
func (a *Account) AmountDue(ctx context.Context, id string) (Due, error) {
	p := &stripe.SubscriptionParams{Params: params(ctx, "")}
	p.AddExpand("latest_invoice.payment_intent")
	s, err := a.api.Subscriptions.Get(id, p)
	if err != nil {
		return Due{}, Uncertain(err)
	}
	in := s.LatestInvoice
	if in == nil || in.Status != stripe.InvoiceStatusOpen {
		return Due{}, nil
	}
	o := Due{Amount: in.AmountRemaining, Currency: string(in.Currency), URL: in.HostedInvoiceURL}
	o.Confirm = in.PaymentIntent != nil && in.PaymentIntent.Status == stripe.PaymentIntentStatusRequiresAction
	return o, nil
}

// CancelUnpaid ends a subscription that nobody pays for, and calls its open invoice off, so that nobody pays for what
// is over. It may be repeated.
func (a *Account) CancelUnpaid(ctx context.Context, id string) error {
	p := &stripe.SubscriptionParams{Params: params(ctx, "")}
	p.AddExpand("latest_invoice")
	s, err := a.api.Subscriptions.Get(id, p)
	if IsGone(err) {
		return nil
	}
	if err != nil {
		return Uncertain(err)
	}
	// It was paid in this moment.
	if s.Status != stripe.SubscriptionStatusPastDue && s.Status != stripe.SubscriptionStatusUnpaid {
		return nil
	}
	if err := a.Cancel(ctx, id); err != nil {
		return err
	}
	if in := s.LatestInvoice; in != nil && in.Status == stripe.InvoiceStatusOpen {
		return a.void(ctx, in.ID)
	}
	return nil
}

// void calls an invoice off; one that is called off or paid stays as it is.
func (a *Account) void(ctx context.Context, id string) error {
	_, err := a.api.Invoices.VoidInvoice(id, &stripe.InvoiceVoidInvoiceParams{Params: params(ctx, "")})
	var said *stripe.Error
	if errors.As(err, &said) && said.HTTPStatusCode == http.StatusBadRequest {
		return nil
	}
	return Uncertain(err)
}
