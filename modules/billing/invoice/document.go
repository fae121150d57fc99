package invoice

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/typed"
)

// Kind is a kind of document, by the letters that its numbers begin with.
type Kind string

// Kinds of documents.
const (
	TaxInvoice Kind = "FV"
	ProForma   Kind = "PF"
	CreditNote Kind = "CN"
)

// How a document was or will be paid.
const (
	ByCard     = "card"
	ByTransfer = "transfer"
)

// Categories of VAT by the codes of EN 16931.
const (
	VATStandard = "S"
	VATZero     = "Z"
	VATOutside  = "O"  // outside the scope of VAT: by the buyer's place, or the supplier pays no VAT
	VATReverse  = "AE" // the customer owes it
)

// Draft is what a document is made of; issue gives it number, date and totals.
type Draft struct {
	Kind       Kind
	Source     string // what this is the one document of: "invoice:in_…"
	ReaderID   int64
	Provider   string    // id of the provider's invoice; "" for none
	Refers     *Document // what a credit note corrects, the pro-forma invoice that an invoice follows
	Customer   Buyer
	Lines      []Line // with name, period, gross, rate
	Currency   string // ISO 4217
	Delivered  time.Time
	DueDays    int // after the day of issue
	Order      string
	OrderedAt  time.Time
	Method     string
	Reference  string // of a transfer
	Paid       bool
	MailTo     string     // "" for where the reader's documents go
	OtherBuyer bool       // see snapshot
	Mistake    bool       // a credit note for a payment that was recorded for the wrong order: no money goes back
	Register   *VATAnswer // by which the customer owes the VAT; nil for none
}

// NoAccount is the reader of a document whose buyer needs no account.
const NoAccount = 0

// Document is what was issued. Nothing of it ever changes but that it may be void.
type Document struct {
	ID       int64
	Kind     Kind
	Number   string
	ReaderID int64
	Provider string
	RefersTo int64
	IssuedAt time.Time
	Void     bool
	Followed bool  // an invoice has followed the pro-forma invoice
	Damage   error // why the snapshot cannot be read; nil for whole documents
	Snapshot
}

// Snapshot is all that stands on a document, as it was on the day. Sums are in minor units; days are written
// "2006-01-02".
type Snapshot struct {
	Supplier   supplier   `json:"supplier"`
	Customer   Buyer      `json:"customer"`
	Lines      []Line     `json:"lines"`
	Taxes      []taxSum   `json:"taxes"`
	Net        int64      `json:"net"`
	VAT        int64      `json:"vat"`
	Rounding   int64      `json:"rounding"` // between base with VAT and what was charged
	Total      int64      `json:"total"`
	Paid       int64      `json:"paid"`
	Currency   string     `json:"currency"`
	Issued     string     `json:"issued"`
	Delivered  string     `json:"delivered"`
	Due        string     `json:"due"`
	Order      string     `json:"order"`
	Ordered    string     `json:"ordered"`
	Method     string     `json:"method"`
	Reference  string     `json:"reference,omitempty"`
	Refers     *reference `json:"refers,omitempty"`
	OtherBuyer bool       `json:"other_buyer,omitempty"` // it corrects nothing but who the buyer is: no money moves
	// What the register said of the customer's number when the customer was to owe the VAT.
	Register *VATAnswer `json:"register,omitempty"`
}

// supplier is who issues, with the account for transfers.
type supplier struct {
	Name    string `json:"name"`
	Street  string `json:"street"`
	City    string `json:"city"`
	Postal  string `json:"postal_code"`
	Country string `json:"country"`
	Company string `json:"company_id"`
	Tax     string `json:"tax_id"`
	VAT     string `json:"vat_id"`
	Email   string `json:"email"`
	Bank    string `json:"bank"`
	SWIFT   string `json:"swift"`
	IBAN    string `json:"iban"`

	Register string `json:"register,omitempty"` // entry in the commercial register
}

// reference names another document.
type reference struct {
	Kind   Kind   `json:"kind"`
	Number string `json:"number"`
	Issued string `json:"issued"`
}

// Line is one thing that was sold, or what was taken back of it (below zero).
type Line struct {
	Name     string `json:"name"`
	From     string `json:"from,omitempty"`
	To       string `json:"to,omitempty"` // the last day
	Category string `json:"category"`
	Permille int64  `json:"permille"`
	Gross    int64  `json:"gross"`
	Net      int64  `json:"net"`
	Part     *part  `json:"-"` // of what a credit note takes of an invoice's rate; Net is the base of it
}

// taxSum is what was sold at one rate.
type taxSum struct {
	Category string `json:"category"`
	Permille int64  `json:"permille"`
	Net      int64  `json:"net"`
	VAT      int64  `json:"vat"`

	part bool // its VAT is a part of an invoice's, not that of the base
}

// Sum fills in the sums: the base of each line is rounded half up, the VAT is that of each rate's base, and rounding is
// what is left to the sum that was charged, which stands. A line that is a part of an invoice's has its sums already.
func (s *Snapshot) Sum() {
	s.Taxes, s.Net, s.VAT, s.Total = nil, 0, 0, 0
	for i := range s.Lines {
		if l := &s.Lines[i]; l.Part == nil {
			l.Net, _ = splitGross(l.Gross, l.Permille)
		}
		s.addLine(s.Lines[i])
	}
	s.finish()
}

func (s *Snapshot) addLine(l Line) {
	s.Net += l.Net
	s.Total += l.Gross
	for i, t := range s.Taxes {
		if t.Category == l.Category && t.Permille == l.Permille {
			s.Taxes[i].Net += l.Net
			return
		}
	}
	t := taxSum{Category: l.Category, Permille: l.Permille, Net: l.Net}
	if l.Part != nil { // the one of its rate
		t.VAT, t.part = l.Part.VAT, true
	}
	s.Taxes = append(s.Taxes, t)
}

func (s *Snapshot) finish() {
	for i := range s.Taxes {
		if t := &s.Taxes[i]; !t.part {
			t.VAT = vatOf(t.Net, t.Permille)
		}
		s.VAT += s.Taxes[i].VAT
	}
	s.Rounding = s.Total - s.Net - s.VAT
}

var errEmptyDocument = errors.New("billing: a document of nothing")

// Snapshot is what stands on the document that is issued at an instant.
func (d Draft) Snapshot(ed *edition.Edition, at time.Time) (s Snapshot, err error) {
	day := func(t time.Time) string { return t.In(ed.Location).Format(time.DateOnly) }
	s = Snapshot{
		Supplier: SupplierOf(ed), Customer: d.Customer, Lines: slices.Clone(d.Lines), Currency: d.Currency, Issued: day(at),
		Delivered: day(d.Delivered),
		Due:       day(at.In(ed.Location).AddDate(0, 0, d.DueDays)), Order: d.Order, Ordered: day(d.OrderedAt),
		Method: d.Method, Reference: d.Reference, Register: d.Register, OtherBuyer: d.OtherBuyer,
	}
	if s.Customer.Country == "" { // nobody has said otherwise
		s.Customer.Country = ed.Supplier.Country
	}
	s.Sum()
	if len(s.Lines) == 0 || s.Total <= 0 {
		return s, errEmptyDocument
	}
	if d.Paid {
		s.Paid = s.Total
	}
	if r := d.Refers; r != nil {
		s.Refers = &reference{r.Kind, r.Number, r.Issued}
	}
	return s, nil
}

// SupplierOf returns who issues an edition's documents.
func SupplierOf(ed *edition.Edition) supplier {
	s, b := ed.Supplier, ed.Bank
	return supplier{
		s.Name, s.Street, s.City, s.Postal, s.Country, s.Company, s.Tax, s.VAT, ed.SupportEmail, b.Name, b.BIC,
		b.IBAN, s.Register,
	}
}

// Number is what stands on a document, "FV-2026-000117", or "FV-AT-2026-000117" where editions share a supplier.
func (k Kind) Number(ed *edition.Edition, year int, n int64) string {
	if ed.Billing.Series != "" {
		k += Kind("-" + ed.Billing.Series)
	}
	return fmt.Sprintf("%s-%d-%06d", k, year, n)
}

// Address is the id of a document in addresses: the provider's of what was paid there, the number elsewhere.
func (d *Document) Address() string {
	if d.Kind == TaxInvoice {
		return cmp.Or(d.Provider, d.Number)
	}
	return d.Number
}

// Pending tells that the money for it is on its way.
func (d *Document) Pending() bool { return d.Kind == ProForma && !d.Void && !d.Followed }

// Status is one of the provider's words, which the list of invoices speaks: a pro-forma invoice is a draft until it is
// paid.
func (d *Document) Status() string {
	switch {
	case d.Void:
		return "void"
	case d.Pending():
		return "draft"
	}
	return "paid"
}

// delivered is the day of delivery; "" for a pro-forma invoice, by which nothing is delivered.
func (d *Document) delivered() string {
	if d.Kind == ProForma {
		return ""
	}
	return d.Delivered
}

// signed is the document with its sums as people read them: below zero on a credit note.
func (d *Document) signed() *Document {
	if d.Kind != CreditNote {
		return d
	}
	out := *d
	out.Net, out.VAT, out.Rounding, out.Total, out.Paid = -d.Net, -d.VAT, -d.Rounding, -d.Total, -d.Paid
	out.Lines, out.Taxes = slices.Clone(d.Lines), slices.Clone(d.Taxes)
	for i := range out.Lines {
		out.Lines[i].Gross, out.Lines[i].Net = -out.Lines[i].Gross, -out.Lines[i].Net
	}
	for i := range out.Taxes {
		out.Taxes[i].Net, out.Taxes[i].VAT = -out.Taxes[i].Net, -out.Taxes[i].VAT
	}
	return &out
}

// ReverseCharged tells that the customer owes the VAT.
func (s *Snapshot) ReverseCharged() bool { return s.has(VATReverse) }

// outside tells that no VAT is charged by the place of the buyer, or because the supplier pays no VAT.
func (s *Snapshot) outside() bool { return s.has(VATOutside) }

func (s *Snapshot) has(category string) bool {
	return slices.ContainsFunc(s.Taxes, func(t taxSum) bool { return t.Category == category })
}

// BuyerName is who the document is made out to, in one line.
func (s *Snapshot) BuyerName() string {
	c := s.Customer
	return cmp.Or(typed.Shown(c.Company), typed.Shown(c.Name), c.Email)
}

// Product is what was sold, in one line.
func (s *Snapshot) Product() string { return s.Lines[len(s.Lines)-1].Name }

// KindWords are the beginnings of the words for each kind, and the kinds of emails.
var KindWords = map[Kind]string{TaxInvoice: "invoice", ProForma: "proforma", CreditNote: "credit"}
