package invoice

import (
	"context"
	"strings"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// View is an invoice, a pro-forma invoice or a credit note as its reader sees it. Sums are in minor units, days are
// "2006-01-02".
type View struct {
	Kind       string `json:"kind"` // invoice, proforma, credit
	Number     string `json:"invoice_number"`
	Created    int64  `json:"invoice_date_created"` // seconds since 1970
	Product    string `json:"invoice_product"`
	Total      int64  `json:"invoice_total"`
	UnitNet    int64  `json:"unit_no_tax"`
	UnitTax    int64  `json:"unit_tax"`
	Percentage int64  `json:"unit_tax_percentage"` // hundredths of a percent
	Pending    bool   `json:"is_pending_bank_transfer"`
	Transfer   bool   `json:"is_bank_transfer"`
	Buyer
	Country   string           `json:"country_name"`
	Status    string           `json:"status"` // draft, paid, void
	Order     string           `json:"order_number"`
	Ordered   string           `json:"order_date"`
	Issued    string           `json:"issue_date"`
	Delivered string           `json:"delivery_date"`
	Due       string           `json:"due_date"`
	Quantity  int              `json:"quantity"`
	Subtotal  int64            `json:"subtotal"`
	Rounding  int64            `json:"rounding"`
	Paid      int64            `json:"amount_paid"`
	Currency  string           `json:"currency"`
	Reference string           `json:"bank_transfer_code"`
	Refers    *reference       `json:"refers,omitempty"`
	Other     bool             `json:"other_buyer"` // nothing but the buyer changes: no money moves
	Supplier  documentSupplier `json:"supplier"`
	Lines     []documentLine   `json:"lines"`
	Taxes     []taxSum         `json:"taxes"`
	VATNote   string           `json:"vat_note"` // why there is no VAT; "" where there is
	PDF       string           `json:"pdf"`
	XML       string           `json:"xml"`
}

type documentSupplier struct {
	supplier
	CountryName string `json:"country_name"`
}

type documentLine struct {
	Line
	VAT int64 `json:"vat"` // what is left of the line
}

// View returns the document as its reader sees it.
func (d *Document) View(ed *edition.Edition) View {
	d = d.signed()
	name := func(code string) string { return CountryNames()[code][ed.Lang()] }
	out := View{
		Kind: KindWords[d.Kind], Number: d.Number, Created: d.IssuedAt.Unix(), Product: d.Product(), Total: d.Total,
		UnitNet: d.Net, UnitTax: d.VAT,
		Pending: d.Pending() && d.Method == ByTransfer, Transfer: d.Method == ByTransfer, Buyer: d.Customer,
		Country: name(d.Customer.Country),
		Status:  d.Status(), Order: d.Order, Ordered: d.Ordered, Issued: d.Issued, Delivered: d.delivered(), Due: d.Due,
		Quantity: 1, Subtotal: d.Net,
		Rounding: d.Rounding, Paid: d.Paid, Currency: d.Currency, Reference: d.Reference, Refers: d.Refers,
		Other: d.OtherBuyer, Taxes: d.Taxes,
		Supplier: documentSupplier{d.Supplier, name(d.Supplier.Country)}, PDF: PDFPath + d.Address(),
		XML: XMLPath + d.Address(),
	}
	for _, l := range d.Lines {
		out.Lines = append(out.Lines, documentLine{l, l.Gross - l.Net})
	}
	out.Percentage = d.Taxes[0].Permille * 10
	if id := d.VATNote(); id != "" {
		out.VATNote = i18n.T(ed, id, nil)
	}
	return out
}

// Own finds a reader's document by the provider's id of the payment or by its number.
func (s *Service) Own(ctx context.Context, readerID int64, address string) (d *Document, err error) {
	if strings.ContainsRune(address, 0) { // which no text of the database has
		return nil, web.ErrNotFound
	}
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		d, err = findOwn(ctx, tx, readerID, address)
		return err
	})
	if err == nil && d == nil {
		err = web.ErrNotFound
	}
	return d, err
}

// View returns a reader's document by the provider's id of the payment or by its number. It answers NOT_FOUND for
// any other.
func (s *Service) View(ctx context.Context, readerID int64, address string) (out View, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return out, err
	}
	d, err := s.Own(ctx, readerID, address)
	if err != nil {
		return out, err
	}
	return d.View(ed), nil
}

// Paths of a document's files; what follows is its address.
const (
	PDFPath = "/fns/invoice-pdf/"
	XMLPath = "/fns/invoice-xml/"
)
