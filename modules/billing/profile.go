package billing

import (
	"cmp"
	"context"
	"strings"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
)

// focusInvoiceData is the form of the focus page that this module fills.
const focusInvoiceData = "invoice_data"

// profilePayment is ProfilePayment of openapi.yaml.
type profilePayment struct {
	invoice.Buyer
	CountryName string `json:"countryName"`
	Stored      bool   `json:"stored"` // false: nothing but the account's own address
}

// focusData is FocusInvoiceData of openapi.yaml.
type focusData struct {
	Values    invoice.Buyer     `json:"values"`
	Problems  []problem         `json:"problems"` // of what was typed into a form that was refused, and of the VAT number
	Countries []invoice.Country `json:"countries"`
	Example   string            `json:"vatExample"` // of the VAT numbers of the country; "" for none
}

type problem struct {
	Field string `json:"field"`
	Code  string `json:"code"`
}

// Profile are the sections of a reader's profile that this module fills.
func (m *Module) Profile() []page.Part {
	return []page.Part{
		{Name: "subscription", Load: m.Subscriptions.Profile},
		{Name: "payment", Load: m.profilePayment},
		{Name: "invoices", Load: m.profileInvoices},
	}
}

// Focus are the forms of a reader's account that this module fills.
func (m *Module) Focus() []page.Part {
	return []page.Part{
		{Name: focusInvoiceData, Load: m.focusInvoiceData},
		{Name: subscription.FocusPlan, Load: m.Subscriptions.PlanForm},
	}
}

func (m *Module) profilePayment(ctx context.Context, readerID int64) (any, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	d, stored, err := m.Invoices.Buyer(ctx, readerID)
	return profilePayment{d, invoice.CountryNames()[d.Country][ed.Lang()], stored}, err
}

// profileInvoices is nothing where nothing is sold.
func (m *Module) profileInvoices(ctx context.Context, readerID int64) (any, error) {
	ed, err := edition.From(ctx)
	if err != nil || !ed.Flags["subscriptions"] {
		return nil, err
	}
	list, err := m.Subscriptions.InvoiceList(ctx, readerID)
	for i := range list {
		list[i].Currency = strings.ToUpper(list[i].Currency)
	}
	return list, err
}

func (m *Module) focusInvoiceData(ctx context.Context, readerID int64) (any, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	out := focusData{Problems: []problem{}, Countries: invoice.CountriesIn(ed.Lang())}
	var typed *invoice.Buyer
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		typed, err = invoice.FindFormDraft(ctx, tx, readerID)
		return err
	})
	if err != nil {
		return nil, err
	}
	if typed == nil {
		if unsent := unsentOf(ctx, readerID); unsent != nil {
			out.Values = *unsent
			out.Example = invoice.TaxNumberExample(cmp.Or(out.Values.Country, ed.Supplier.Country))
			return out, nil
		}
		if out.Values, _, err = m.Invoices.Buyer(ctx, readerID); err != nil {
			return nil, err
		}
		out.Example = invoice.TaxNumberExample(cmp.Or(out.Values.Country, ed.Supplier.Country))
		code, err := m.Invoices.NumberProblem(ctx, readerID)
		if code != "" {
			out.Problems = append(out.Problems, problem{"company_IC_DPH", code})
		}
		return out, err
	}
	out.Values = *typed
	if out.Values.ClientType != invoice.Company {
		out.Values.ClientType = invoice.Individual
	}
	_, wrong := typed.Parse(m.parseEmail)
	for _, f := range wrong {
		out.Problems = append(out.Problems, problem{f.Field, f.Code})
	}
	return out, nil
}
