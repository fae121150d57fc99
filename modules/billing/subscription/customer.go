package subscription

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// PayerOf is what the provider stores about whoever pays.
func PayerOf(ed *edition.Edition, d invoice.Buyer, at time.Time) stripe.CustomerData {
	p := stripe.CustomerData{
		Line1: d.Line1, Line2: d.Line2, City: d.City, PostalCode: d.PostalCode, Country: d.Country,
		Called:  cmp.Or(d.Company, d.Name),
		Version: strconv.FormatInt(at.UnixMicro(), 36),
	}
	for _, n := range []stripe.Label{{Label: "customer.ico", Value: d.ICO}, {Label: "customer.dic", Value: d.DIC}} {
		if n.Value != "" {
			p.Numbers = append(p.Numbers, stripe.Label{Label: i18n.T(ed, n.Label, nil), Value: n.Value})
		}
	}
	if n := invoice.ParseTaxNumber(d.Country, d.ICDPH); n != nil && n.Type != "" {
		p.Tax = &stripe.TaxNumber{Type: n.Type, Value: n.Value}
	} else if d.ICDPH != "" {
		p.Numbers = append(p.Numbers, stripe.Label{Label: i18n.T(ed, "customer.vat", nil), Value: d.ICDPH})
	}
	return p
}

// UpdateCustomer makes the provider's customer be called what the reader has set last. It looks again after it has
// written: of several that write at once, the last one sees what the others wrote too early. Without a customer or
// without data there is nothing to tell.
func (s *Service) UpdateCustomer(ctx context.Context, e event.Payer) error {
	payload := ""
	for {
		var customer string
		var p *stripe.CustomerData
		err := s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			if customer, err = access.FindCustomer(ctx, tx, e.ReaderID); err != nil || customer == "" {
				return err
			}
			p, err = findPayer(ctx, tx, e.ReaderID)
			return err
		})
		if err != nil || p == nil || p.Version == payload {
			return err
		}
		acc, err := s.provider.Account(ctx)
		if err != nil {
			return err
		}
		switch err := acc.SetCustomerData(ctx, customer, *p); {
		case stripe.IsGone(err): // the provider has forgotten the customer
			return nil
		case stripe.IsInvalid(err):
			return jobs.Skip(fmt.Errorf("billing: data of reader %d: %w", e.ReaderID, err))
		case err != nil:
			return err
		}
		payload = p.Version
	}
}

// findPayer returns nil when the reader has set nothing.
func findPayer(ctx context.Context, tx db.Tx, readerID int64) (*stripe.CustomerData, error) {
	d, at, err := invoice.FindBuyer(ctx, tx, readerID)
	if err != nil || d == nil {
		return nil, err
	}
	p := PayerOf(tx.Edition, *d, at)
	return &p, nil
}

// checkBuyer does the same when something was sold.
func (s *Service) checkBuyer(ctx context.Context, remote stripe.Subscription) error {
	return s.invoices.CheckVATNumberOf(ctx, func(ctx context.Context, tx db.Tx) (int64, error) {
		reader, err := access.FindCustomerReader(ctx, tx, remote.Customer)
		if reader == 0 && remote.Edition == tx.Edition.ID {
			reader = remote.ReaderID
		}
		return reader, err
	})
}
