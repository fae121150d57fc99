package billing

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/event"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/outbox"
)

// payer is a reader's billing data as the provider has fields for it.
type payer struct {
	InvoiceData
	Called  string     // the company's name, or the person's
	Numbers []labelled // that have no type at the provider, and stand on its invoices all the same
	Tax     *taxNumber // nil for none that the provider knows
	Version string     // tells one state of the data from another
}

type labelled struct{ Label, Value string }

// taxNumber is a number for value added tax, by the provider's name of its type.
type taxNumber struct{ Type, Value string }

func (d InvoiceData) payer(ed *edition.Edition, at time.Time) payer {
	p := payer{
		InvoiceData: d, Called: cmp.Or(d.Company, d.Name), Tax: parseTaxNumber(d.Country, d.ICDPH),
		Version: strconv.FormatInt(at.UnixMicro(), 36),
	}
	for _, n := range []labelled{{"customer.ico", d.ICO}, {"customer.dic", d.DIC}} {
		if n.Value != "" {
			p.Numbers = append(p.Numbers, labelled{i18n.T(ed, n.Label, nil), n.Value})
		}
	}
	if p.Tax == nil && d.ICDPH != "" {
		p.Numbers = append(p.Numbers, labelled{i18n.T(ed, "customer.vat", nil), d.ICDPH})
	}
	return p
}

// taxTypes are the provider's types of numbers, by what these look like without blanks, dots and hyphens.
var taxTypes = []struct {
	shape *regexp.Regexp
	name  string
	write string // replacement
}{
	{regexp.MustCompile(`^CHE(\d{3})(\d{3})(\d{3})(MWST|TVA|IVA)$`), "ch_vat", "CHE-$1.$2.$3 $4"},
	{regexp.MustCompile(`^(GB\d{9}(?:\d{3})?)$`), "gb_vat", "$1"},
	{regexp.MustCompile(`^((?:AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|` +
		`XI)[0-9A-Z+*]{8,12})$`), "eu_vat", "$1"},
}

// parseTaxNumber reads a number for value added tax, with or without the country before it; nil where it looks like
// none.
func parseTaxNumber(country, typed string) *taxNumber {
	if country == "GR" { // whose numbers begin otherwise
		country = "EL"
	}
	bare := strings.ToUpper(strings.NewReplacer(" ", "", ".", "", "-", "", "/", "").Replace(typed))
	if bare == "" {
		return nil
	}
	for _, candidate := range []string{bare, country + bare} {
		for _, t := range taxTypes {
			if t.shape.MatchString(candidate) {
				return &taxNumber{t.name, t.shape.ReplaceAllString(candidate, t.write)}
			}
		}
	}
	return nil
}

// tellCustomer makes the provider's customer be called what the reader has set last. It looks again after it has
// written: of several that write at once, the last one sees what the others wrote too early. Without a customer or
// without data there is nothing to tell.
func (m *Module) tellCustomer(ctx context.Context, e event.Payer) error {
	told := ""
	for {
		var customer string
		var p *payer
		err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			if customer, err = findCustomer(ctx, tx, e.ReaderID); err != nil || customer == "" {
				return err
			}
			p, err = findPayer(ctx, tx, e.ReaderID)
			return err
		})
		if err != nil || p == nil || p.Version == told {
			return err
		}
		acc, err := m.provider.account(ctx)
		if err != nil {
			return err
		}
		switch err := acc.describe(ctx, customer, *p); {
		case gone(err): // the provider has forgotten the customer
			return nil
		case isWrong(err):
			return jobs.Skip(fmt.Errorf("billing: data of reader %d: %w", e.ReaderID, err))
		case err != nil:
			return err
		}
		told = p.Version
	}
}

// tellPayer has the provider told of a reader's billing data.
func tellPayer(ctx context.Context, tx db.Tx, readerID int64) error {
	return outbox.Tell(ctx, tx, event.InvoiceDataSet, event.Payer{ReaderID: readerID})
}
