package billing

import (
	"context"

	"github.com/stripe/stripe-go/v76"

	"example.org/broadsheet/platform/db"
)

// Moved tells the provider where a reader gets letters now; its receipts go there. Without a customer there is nothing to tell.
func (m *Module) Moved(ctx context.Context, readerID int64, email string) error {
	customer := ""
	err := m.db.View(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		customer, err = findCustomer(ctx, tx, readerID)
		return err
	})
	if err != nil || customer == "" {
		return err
	}
	acc, err := m.provider.account(ctx)
	if err != nil {
		return err
	}
	return acc.move(ctx, customer, email)
}

// move gives a customer another address; done twice it is the same.
func (a *account) move(ctx context.Context, customer, email string) error {
	_, err := a.api.Customers.Update(customer, &stripe.CustomerParams{Params: params(ctx, ""), Email: &email})
	if refused(err, stripe.ErrorCodeResourceMissing) {
		return nil // the provider has forgotten the customer
	}
	return err
}
