package billing

import (
	"context"
	"errors"
	"net/http"

	"github.com/stripe/stripe-go/v76"
)

// isWrong tells that the provider does not take what it was sent, whenever it is sent again.
func isWrong(err error) bool {
	var api *stripe.Error
	return errors.As(err, &api) && api.HTTPStatusCode == http.StatusBadRequest
}

// describe writes what a customer is called on invoices, all of it: what the reader has emptied is emptied there. It
// may be repeated.
func (a *account) describe(ctx context.Context, customer string, of payer) error {
	p := &stripe.CustomerParams{
		Params: params(ctx, ""), Name: &of.Called,
		Address: &stripe.AddressParams{
			Line1: &of.Line1, Line2: &of.Line2, City: &of.City, PostalCode: &of.PostalCode, Country: &of.Country,
		},
		InvoiceSettings: &stripe.CustomerInvoiceSettingsParams{},
	}
	for _, n := range of.Numbers {
		p.InvoiceSettings.CustomFields = append(p.InvoiceSettings.CustomFields,
			&stripe.CustomerInvoiceSettingsCustomFieldParams{Name: &n.Label, Value: &n.Value})
	}
	if len(of.Numbers) == 0 {
		p.AddExtra("invoice_settings[custom_fields]", "")
	}
	if _, err := a.api.Customers.Update(customer, p); err != nil {
		return uncertain(err)
	}
	return a.putTaxNumber(ctx, customer, of)
}

// putTaxNumber leaves a customer with one number for value added tax, or none. One that the provider does not take
// stays away from it: the reader has it in the profile, and whoever checks it asks the reader.
func (a *account) putTaxNumber(ctx context.Context, customer string, of payer) error {
	there, old, err := a.taxNumbers(ctx, customer, of)
	if err != nil {
		return uncertain(err)
	}
	for _, id := range old {
		if _, err := a.api.TaxIDs.Del(id, &stripe.TaxIDParams{Params: params(ctx, ""), Customer: &customer}); err != nil &&
			!gone(err) {
			return uncertain(err)
		}
	}
	if of.Tax == nil || there != "" {
		return nil
	}
	_, err = once("tax:"+customer+":"+of.Version, func() (string, error) {
		there, _, err := a.taxNumbers(ctx, customer, of)
		return there, err
	}, func(key string) (string, error) {
		id, err := a.api.TaxIDs.New(&stripe.TaxIDParams{
			Params: params(ctx, key), Customer: &customer, Type: &of.Tax.Type,
			Value: &of.Tax.Value,
		})
		if err != nil {
			return "", err
		}
		return id.ID, nil
	})
	if refused(err, stripe.ErrorCodeTaxIDInvalid) {
		return nil
	}
	return uncertain(err)
}

// taxNumbers finds the number that a customer is to have, "" where it is not there, and all others.
func (a *account) taxNumbers(ctx context.Context, customer string,
	of payer,
) (there string, others []string, err error) {
	it := a.api.TaxIDs.List(&stripe.TaxIDListParams{
		ListParams: stripe.ListParams{Context: ctx, Limit: stripe.Int64(100)},
		Customer:   &customer,
	})
	for it.Next() {
		id := it.TaxID()
		if of.Tax != nil && there == "" && string(id.Type) == of.Tax.Type && id.Value == of.Tax.Value {
			there = id.ID
			continue
		}
		others = append(others, id.ID)
	}
	return there, others, it.Err()
}
