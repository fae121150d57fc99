package stripe

import (
	"context"

	"github.com/stripe/stripe-go/v76"
)

// CancelAndRefund cancels a subscription at once and returns what was paid for it. It may be repeated.
func (a *Account) CancelAndRefund(ctx context.Context, id string) error {
	p := &stripe.SubscriptionParams{Params: params(ctx, "")}
	p.AddExpand("latest_invoice")
	s, err := a.api.Subscriptions.Get(id, p)
	if err != nil {
		return err
	}
	if s.Status != stripe.SubscriptionStatusCanceled {
		_, err := a.api.Subscriptions.Cancel(id,
			&stripe.SubscriptionCancelParams{
				Params: params(ctx, ""), Prorate: stripe.Bool(false),
				InvoiceNow: stripe.Bool(false),
			})
		if err != nil && !IsGone(err) {
			return err
		}
	}
	if in := s.LatestInvoice; in != nil && in.AmountPaid > 0 && in.PaymentIntent != nil {
		return a.Refund(ctx, in.PaymentIntent.ID, "refund:"+id)
	}
	return nil
}

// Cancel ends a subscription at once. It may be repeated.
func (a *Account) Cancel(ctx context.Context, id string) error {
	s, err := a.api.Subscriptions.Get(id, &stripe.SubscriptionParams{Params: params(ctx, "")})
	if IsGone(err) || err == nil && s.Status == stripe.SubscriptionStatusCanceled {
		return nil
	}
	if err != nil {
		return Uncertain(err)
	}
	_, err = a.api.Subscriptions.Cancel(id,
		&stripe.SubscriptionCancelParams{
			Params: params(ctx, ""), Prorate: stripe.Bool(false),
			InvoiceNow: stripe.Bool(false),
		})
	if IsGone(err) {
		return nil
	}
	return Uncertain(err)
}
