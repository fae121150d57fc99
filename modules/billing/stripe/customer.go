package stripe

import (
	"context"
	"fmt"
	"strconv"

	"github.com/stripe/stripe-go/v76"

	"example.org/broadsheet/modules/billing/person"
)

// SetCustomerData writes what a customer is called on invoices, all of it: what the reader has emptied is emptied
// there. It may be repeated.
func (a *Account) SetCustomerData(ctx context.Context, customer string, of CustomerData) error {
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
		return Uncertain(err)
	}
	return a.putTaxNumber(ctx, customer, of)
}

// putTaxNumber leaves a customer with one number for value added tax, or none. One that the provider does not take
// stays away from it: the reader has it in the profile, and whoever checks it asks the reader.
func (a *Account) putTaxNumber(ctx context.Context, customer string, of CustomerData) error {
	there, old, err := a.taxNumbers(ctx, customer, of)
	if err != nil {
		return Uncertain(err)
	}
	for _, id := range old {
		if _, err := a.api.TaxIDs.Del(id, &stripe.TaxIDParams{Params: params(ctx, ""), Customer: &customer}); err != nil &&
			!IsGone(err) {
			return Uncertain(err)
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
	return Uncertain(err)
}

// taxNumbers finds the number that a customer is to have, "" where it is not there, and all others.
func (a *Account) taxNumbers(ctx context.Context, customer string,
	of CustomerData,
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

// SetEmail gives a customer another address; done twice it is the same.
func (a *Account) SetEmail(ctx context.Context, customer, email string) error {
	_, err := a.api.Customers.Update(customer, &stripe.CustomerParams{Params: params(ctx, ""), Email: &email})
	if refused(err, stripe.ErrorCodeResourceMissing) {
		return nil // the provider has forgotten the customer
	}
	return err
}

// CustomerData is a reader's billing data as the provider has fields for it.
type CustomerData struct {
	Line1, Line2, City, PostalCode, Country string

	Called  string     // the company's name, or the person's
	Numbers []Label    // that have no type at the provider, and stand on its invoices all the same
	Tax     *TaxNumber // nil for none that the provider knows
	Version string     // tells one state of the data from another
}

// Label is a text with its caption.
type Label struct{ Label, Value string }

// TaxNumber is a number for value added tax, by the provider's name of its type.
type TaxNumber struct{ Type, Value string }

// Customer makes the reader's customer. One that was made for another reader with the same number is not taken.
func (a *Account) Customer(ctx context.Context, readerID int64, publicID, email string) (string, error) {
	reader := strconv.FormatInt(readerID, 10)
	id, err := once(fmt.Sprintf("customer:%s:%s:%s", a.Edition.ID, publicID, person.Email(email)[:22]),
		func() (string, error) {
			it := a.api.Customers.List(
				&stripe.CustomerListParams{ListParams: stripe.ListParams{Context: ctx, Limit: stripe.Int64(100)}, Email: &email})
			for it.Next() {
				if c := it.Customer(); c.Metadata[metaEdition] == a.Edition.ID && c.Metadata[metaPublic] == publicID {
					return c.ID, nil
				}
			}
			return "", it.Err()
		}, func(key string) (string, error) {
			p := &stripe.CustomerParams{
				Params: params(ctx, key), Email: &email,
				PreferredLocales: stripe.StringSlice([]string{a.Edition.Locale}),
			}
			p.Metadata = map[string]string{metaEdition: a.Edition.ID, metaReader: reader, metaPublic: publicID}
			c, err := a.api.Customers.New(p)
			if err != nil {
				return "", err
			}
			return c.ID, nil
		})
	return id, Uncertain(err)
}
