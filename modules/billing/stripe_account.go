package billing

import (
	"context"

	"github.com/stripe/stripe-go/v76"
)

// portal makes the address of one visit to the page on which a customer manages what was bought.
func (a *account) portal(ctx context.Context, customer, back string) (string, error) {
	s, err := a.api.BillingPortalSessions.New(&stripe.BillingPortalSessionParams{
		Params: params(ctx, ""), Customer: &customer, ReturnURL: &back, Locale: &a.edition.Locale,
	})
	if err != nil {
		return "", uncertain(err)
	}
	return s.URL, nil
}

// toInvoice is an invoice as the provider describes it; nil for none.
func toInvoice(in *stripe.Invoice) *providerInvoice {
	if in == nil || in.Status == "" { // an id alone
		return nil
	}
	return &providerInvoice{
		ProviderID: in.ID, Number: in.Number, Status: string(in.Status), Total: in.Total, Paid: in.AmountPaid,
		Currency: string(in.Currency), CreatedAt: instant(in.Created), Refunded: refundedOf(in.Charge),
		Disputed: in.Charge != nil && in.Charge.Disputed,
		Asked:    in.Attempted || in.AttemptCount > 0,
	}
}

func refundedOf(c *stripe.Charge) int64 {
	if c == nil {
		return 0
	}
	return c.AmountRefunded
}

// move gives a customer another address; done twice it is the same.
func (a *account) move(ctx context.Context, customer, email string) error {
	_, err := a.api.Customers.Update(customer, &stripe.CustomerParams{Params: params(ctx, ""), Email: &email})
	if refused(err, stripe.ErrorCodeResourceMissing) {
		return nil // the provider has forgotten the customer
	}
	return err
}
