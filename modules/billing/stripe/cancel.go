package stripe

import (
	"context"
	"errors"
	"net/http"

	"github.com/stripe/stripe-go/v76"
)

// Cancel ends a subscription at once. It may be repeated.
func (a *Account) Cancel(ctx context.Context, id string) error {
	s, err := a.api.Subscriptions.Get(id, &stripe.SubscriptionParams{Params: params(ctx, "")})
	if IsGone(err) || err == nil && Status(s.Status).Final() {
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

// CancelAtEnd has a subscription end with its period, whatever a schedule has planned for it. It may be repeated.
func (a *Account) CancelAtEnd(ctx context.Context, key string, s Subscription) error {
	release, end := "", ""
	if key != "" { // each step has one of its own
		release, end = key+":release", key
	}
	if err := a.Release(ctx, release, s); err != nil { // what a schedule leads cannot be cancelled
		return err
	}
	return a.SetCancelAtEnd(ctx, end, s.ID, true)
}

// VoidUnpaid voids all invoices of a subscription that could still be paid, drafts too, and reports whether there were
// any. One that is paid at this moment stays paid. It may be repeated.
func (a *Account) VoidUnpaid(ctx context.Context, id string) (found bool, err error) {
	it := a.api.Invoices.List(
		&stripe.InvoiceListParams{ListParams: stripe.ListParams{Context: ctx, Limit: stripe.Int64(100)}, Subscription: &id})
	var errs []error
	for it.Next() {
		in := it.Invoice()
		if !isUnpaid(in) {
			continue
		}
		found = true
		if in.Status == stripe.InvoiceStatusDraft { // of a subscription it can be neither voided nor deleted
			errs = append(errs, a.finalize(ctx, in.ID))
		}
		errs = append(errs, a.void(ctx, in.ID))
	}
	return found, errors.Join(append(errs, Uncertain(it.Err()))...)
}

// isUnpaid reports whether an invoice can still be paid: one that was called uncollectible can, on its page.
func isUnpaid(in *stripe.Invoice) bool {
	return isDue(in) || in.Status == stripe.InvoiceStatusUncollectible
}

// isDue reports whether the provider asks for what an invoice is over, or is about to.
func isDue(in *stripe.Invoice) bool {
	return in.Status == stripe.InvoiceStatusOpen || in.Status == stripe.InvoiceStatusDraft
}

// finalize gives a draft its number and asks nobody for the money. One that is no draft any more stays as it is.
func (a *Account) finalize(ctx context.Context, id string) error {
	_, err := a.api.Invoices.FinalizeInvoice(id,
		&stripe.InvoiceFinalizeInvoiceParams{Params: params(ctx, ""), AutoAdvance: stripe.Bool(false)})
	return unlessDone(err)
}

// void calls an invoice off; one that is called off or paid stays as it is.
func (a *Account) void(ctx context.Context, id string) error {
	_, err := a.api.Invoices.VoidInvoice(id, &stripe.InvoiceVoidInvoiceParams{Params: params(ctx, "")})
	return unlessDone(err)
}

// unlessDone drops the error about an invoice that is past such a change.
func unlessDone(err error) error {
	var said *stripe.Error
	if errors.As(err, &said) && said.HTTPStatusCode == http.StatusBadRequest {
		return nil
	}
	return Uncertain(err)
}
