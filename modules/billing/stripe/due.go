package stripe

import (
	"context"

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
