package stripe

import (
	"context"

	"github.com/stripe/stripe-go/v76"
)

// PortalURL makes the address of one visit to the page on which a customer manages what was bought.
func (a *Account) PortalURL(ctx context.Context, customer, back string) (string, error) {
	s, err := a.api.BillingPortalSessions.New(&stripe.BillingPortalSessionParams{
		Params: params(ctx, ""), Customer: &customer, ReturnURL: &back, Locale: &a.Edition.Locale,
	})
	if err != nil {
		return "", Uncertain(err)
	}
	return s.URL, nil
}
