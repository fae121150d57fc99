package invoice

import (
	"context"
	"strings"
	"time"

	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/typed"
	"example.org/broadsheet/platform/web"
)

// ErrInvoiceData is a country that does not exist, or a postal code that its country does not have.
var ErrInvoiceData = fault.New(fault.Invalid, "INVALID_INVOICE_DATA")

// ClientType is a kind of client, by the name that callers know. The database and older documents say "company".
type ClientType string

// Kinds of clients.
const (
	Individual ClientType = "individual"
	Company    ClientType = "company"
)

// legalEntity is what callers call a Company.
const legalEntity = "legal_entity"

// ParseClientType takes both names of a company; what is no kind stays, for parse to refuse.
func ParseClientType(s string) ClientType {
	if s == legalEntity {
		return Company
	}
	return ClientType(s)
}

// MarshalText implements encoding.TextMarshaler.
func (t ClientType) MarshalText() ([]byte, error) {
	if t == Company {
		return []byte(legalEntity), nil
	}
	return []byte(t), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *ClientType) UnmarshalText(text []byte) error {
	*t = ParseClientType(string(text))
	return nil
}

// Buyer is what a reader wants to be called on invoices. Only the address of e-mail is required.
type Buyer struct {
	ClientType ClientType `json:"client_type"` // "" goes by whether a company is named
	Name       string     `json:"name"`
	Email      string     `json:"email"` // invoices are mailed to it
	Line1      string     `json:"line1"`
	Line2      string     `json:"line2"`
	City       string     `json:"city"`
	PostalCode string     `json:"postal_code"`
	Country    string     `json:"country"` // ISO 3166-1 alpha-2
	Company    string     `json:"company_name"`
	ICO        string     `json:"company_ICO"`
	DIC        string     `json:"company_DIC"`
	ICDPH      string     `json:"company_IC_DPH"`
}

// Fields are the texts by the names that forms give them.
func (d *Buyer) Fields() []Field {
	return []Field{
		{"name", &d.Name},
		{"email", &d.Email},
		{"line1", &d.Line1},
		{"line2", &d.Line2},
		{"city", &d.City},
		{"postal_code", &d.PostalCode},
		{"country", &d.Country},
		{"company_name", &d.Company},
		{"company_ICO", &d.ICO},
		{"company_DIC", &d.DIC},
		{"company_IC_DPH", &d.ICDPH},
	}
}

// Field is a text of the form, by the name that the form gives it.
type Field struct {
	Name string
	Text *string
}

// linkIn finds links in texts that are mailed with the document to any mailbox that the buyer names for invoices. Some
// firms are called like their pages.
var linkIn = map[string]func(string) bool{
	"name": typed.HasAddress, "line1": typed.HasLink, "line2": typed.HasLink, "city": typed.HasLink,
	"company_name": typed.HasLink,
}

// longestField bounds a text, in letters.
const longestField = 120

// Parse reads what was typed. Where something is wrong, it says so of each field, in the order of the form.
func (d Buyer) Parse(parseEmail func(string) (string, error)) (Buyer, []*fault.Error) {
	var wrong []*fault.Error
	for _, f := range d.Fields() {
		text, err := typed.Line(*f.Text, longestField)
		if err != nil {
			wrong = append(wrong, web.ErrInvalidArgs.On(f.Name).Because(err))
			continue
		}
		*f.Text = text
		if leads := linkIn[f.Name]; leads != nil && leads(text) {
			wrong = append(wrong, web.ErrLink.On(f.Name))
		}
	}
	if email, err := parseEmail(d.Email); err == nil {
		d.Email = email
	} else {
		wrong = append(wrong, fault.From(err).On("email"))
	}
	if d.Country != "" {
		code := ParseCountry(d.Country)
		if code == "" {
			wrong = append(wrong, ErrInvoiceData.On("country"))
		}
		d.Country = code
	}
	if d.PostalCode != "" {
		if d.PostalCode = ParsePostal(d.Country, d.PostalCode); d.PostalCode == "" {
			wrong = append(wrong, ErrInvoiceData.On("postal_code"))
		}
	}
	switch d.ClientType {
	case "":
		d.ClientType = Individual
		if d.Company+d.ICO+d.DIC+d.ICDPH != "" {
			d.ClientType = Company
		}
	case Individual: // the form hides the company then
		d.Company, d.ICO, d.DIC, d.ICDPH = "", "", "", ""
	case Company:
	default:
		wrong = append(wrong, web.ErrInvalidArgs.On("client_type"))
	}
	d.ICDPH = CleanTaxNumber(d.Country, d.ICDPH)
	return d, wrong
}

// Buyer returns what a reader has set; before that, the address of the account alone. stored tells which.
func (s *Service) Buyer(ctx context.Context, readerID int64) (d Buyer, stored bool, err error) {
	var row *Buyer
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		row, _, err = FindBuyer(ctx, tx, readerID)
		return err
	})
	if err != nil {
		return d, false, err
	}
	if row != nil {
		return *row, true, nil
	}
	email, _, err := s.contacts.Contact(ctx, readerID)
	return Buyer{ClientType: Individual, Email: email}, false, err
}

// BuyerChangesPerHour bounds how often a reader may set it.
var BuyerChangesPerHour = limit.Budget{Name: "billing.invoice_data", Max: 60, Window: time.Hour}

// SetBuyer checks what a reader has typed and keeps it. It answers INVALID_EMAIL, INVALID_INVOICE_DATA for
// country and postal code, and INVALID_ARGS for a text that is too long, each with the field.
func (s *Service) SetBuyer(ctx context.Context, readerID int64, typed Buyer) error {
	d, wrong := typed.Parse(s.parseEmail)
	if len(wrong) > 0 {
		return wrong[0]
	}
	within := false
	err := s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if within, err = limit.Spend(ctx, tx, BuyerChangesPerHour, person.Reader(readerID)); err != nil || !within {
			return err
		}
		if err = putBuyer(ctx, tx, readerID, d); err != nil {
			return err
		}
		if err = deleteFormDraft(ctx, tx, readerID); err != nil {
			return err
		}
		return TellPayer(ctx, tx, readerID)
	})
	if err == nil && !within {
		return web.ErrTooMany
	}
	return err
}

// FormDraftTTL is how long a refused form is kept for its reader.
const FormDraftTTL = time.Hour

// longestDraftField is more than a field may have, so that what is too long comes back whole to be shortened.
const longestDraftField = 20 * longestField

// SaveFormDraft keeps what a plain form was refused with, for the page that shows the form again. A script keeps it in
// the page.
func (s *Service) SaveFormDraft(ctx context.Context, readerID int64, typed Buyer) error {
	for _, f := range typed.Fields() {
		*f.Text = strings.ReplaceAll(strings.ToValidUTF8(*f.Text, "�"), "\x00", "�")
		if len(*f.Text) > longestDraftField {
			return nil
		}
	}
	return s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return putFormDraft(ctx, tx, readerID, typed) })
}

// TellPayer sends a reader's billing data to the provider.
func TellPayer(ctx context.Context, tx db.Tx, readerID int64) error {
	return outbox.Tell(ctx, tx, event.InvoiceDataSet, event.Payer{ReaderID: readerID})
}
