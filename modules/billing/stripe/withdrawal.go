package stripe

import (
	"context"
	"slices"

	"github.com/stripe/stripe-go/v76"
)

// RefundAll gives back all that was paid for a subscription. It may be repeated, also after it was interrupted.
func (a *Account) RefundAll(ctx context.Context, id string) error {
	it := a.api.Invoices.List(
		&stripe.InvoiceListParams{ListParams: stripe.ListParams{Context: ctx, Limit: stripe.Int64(100)}, Subscription: &id})
	for it.Next() {
		in := it.Invoice()
		if in.AmountPaid == 0 || in.PaymentIntent == nil {
			continue
		}
		if err := a.Refund(ctx, in.PaymentIntent.ID, "withdraw:"+in.ID); err != nil {
			return err
		}
	}
	return Uncertain(it.Err())
}

// RefundLatest gives back the latest payment for a subscription. It may be repeated.
func (a *Account) RefundLatest(ctx context.Context, id string) error {
	p := &stripe.SubscriptionParams{Params: params(ctx, "")}
	p.AddExpand("latest_invoice")
	s, err := a.api.Subscriptions.Get(id, p)
	if err != nil {
		return Uncertain(err)
	}
	if in := s.LatestInvoice; in != nil && in.AmountPaid > 0 && in.PaymentIntent != nil {
		return a.Refund(ctx, in.PaymentIntent.ID, "refund:"+id)
	}
	return nil
}

// Refund gives a payment back, once: what was given back before is no error. It looks first, and names no sum, so that
// it is never more than what is left.
func (a *Account) Refund(ctx context.Context, paymentID, key string) error {
	look := func() (string, error) { return a.fullyRefundedCharge(ctx, paymentID) }
	if id, err := look(); err != nil || id != "" {
		return Uncertain(err)
	}
	_, err := once(key, look, func(key string) (string, error) {
		r, err := a.api.Refunds.New(&stripe.RefundParams{Params: params(ctx, key), PaymentIntent: &paymentID})
		if err != nil {
			return "", err
		}
		return r.ID, nil
	})
	if refused(err, stripe.ErrorCodeChargeAlreadyRefunded) {
		return nil
	}
	return Uncertain(err)
}

// fullyRefundedCharge is the charge of a payment all of which went back; "" for a payment of which something is left.
func (a *Account) fullyRefundedCharge(ctx context.Context, paymentID string) (charge string, err error) {
	p := &stripe.PaymentIntentParams{Params: params(ctx, "")}
	p.AddExpand("latest_charge")
	in, err := a.api.PaymentIntents.Get(paymentID, p)
	if err != nil || in.LatestCharge == nil || !in.LatestCharge.Refunded {
		return "", err
	}
	return in.LatestCharge.ID, nil
}

// Refunds are what went back of a payment, the oldest first.
func (a *Account) Refunds(ctx context.Context, paymentID string) (list []Refund, err error) {
	it := a.api.Refunds.List(
		&stripe.RefundListParams{
			ListParams:    stripe.ListParams{Context: ctx, Limit: stripe.Int64(100)},
			PaymentIntent: &paymentID,
		})
	for it.Next() {
		if r := it.Refund(); r.Status == stripe.RefundStatusSucceeded {
			list = append(list, Refund{ID: r.ID, Sum: r.Amount, At: unixTime(r.Created)})
		}
	}
	slices.Reverse(list) // the provider has the newest first
	return list, Uncertain(it.Err())
}
