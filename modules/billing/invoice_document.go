package billing

import (
	"context"
	"io"
	"strings"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/web"
)

// Paths of a document's files; what follows is its address.
const (
	pdfPath = "/fns/invoice-pdf/"
	xmlPath = "/fns/invoice-xml/"
)

// Document is an invoice, a pro-forma invoice or a credit note as its reader sees it. Sums are in minor units, days are
// "2006-01-02".
type Document struct {
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
	InvoiceData
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
	PDF       string           `json:"pdf"`
	XML       string           `json:"xml"`
}

type documentSupplier struct {
	supplier
	CountryName string `json:"country_name"`
}

type documentLine struct {
	line
	VAT int64 `json:"vat"` // what is left of the line
}

func (d *document) view(ed *edition.Edition) Document {
	d = d.signed()
	name := func(code string) string { return countryNames()[code][ed.Lang()] }
	out := Document{
		Kind: billWords[d.Kind], Number: d.Number, Created: d.IssuedAt.Unix(), Product: d.product(), Total: d.Total,
		UnitNet: d.Net, UnitTax: d.VAT,
		Pending: d.pending() && d.Method == byTransfer, Transfer: d.Method == byTransfer, InvoiceData: d.Customer,
		Country: name(d.Customer.Country),
		Status:  d.status(), Order: d.Order, Ordered: d.Ordered, Issued: d.Issued, Delivered: d.delivered(), Due: d.Due,
		Quantity: 1, Subtotal: d.Net,
		Rounding: d.Rounding, Paid: d.Paid, Currency: d.Currency, Reference: d.Reference, Refers: d.Refers,
		Other: d.OtherBuyer, Taxes: d.Taxes,
		Supplier: documentSupplier{d.Supplier, name(d.Supplier.Country)}, PDF: pdfPath + d.address(),
		XML: xmlPath + d.address(),
	}
	for _, l := range d.Lines {
		out.Lines = append(out.Lines, documentLine{l, l.Gross - l.Net})
	}
	out.Percentage = d.Taxes[0].Permille * 10
	return out
}

// documentOf finds a reader's document by the provider's id of the payment or by its number.
func (m *Module) documentOf(ctx context.Context, readerID int64, address string) (d *document, err error) {
	if strings.ContainsRune(address, 0) { // which no text of the database has
		return nil, web.ErrNotFound
	}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		d, err = findOwnDocument(ctx, tx, readerID, address)
		return err
	})
	if err == nil && d == nil {
		err = web.ErrNotFound
	}
	return d, err
}

// DocumentOf returns a reader's document by the provider's id of the payment or by its number. It answers NOT_FOUND for
// any other.
func (m *Module) DocumentOf(ctx context.Context, readerID int64, address string) (out Document, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return out, err
	}
	d, err := m.documentOf(ctx, readerID, address)
	if err != nil {
		return out, err
	}
	return d.view(ed), nil
}

// wantedFile names a document for its reader, or for whom its key was mailed.
type wantedFile struct {
	reader       int64
	address, key string
}

// fileOf writes a document as PDF or XML, and returns the name of the file.
func (m *Module) fileOf(ctx context.Context, w wantedFile, kind string, to io.Writer) (name string, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return "", err
	}
	d, err := m.documentOf(ctx, w.reader, w.address)
	if err == nil && w.key != "" && m.follow(ed, linkDocument, w.key) != d.ID {
		err = web.ErrNotFound
	}
	if err != nil {
		return "", err
	}
	if kind == "pdf" {
		err = d.writePDF(to, ed)
	} else {
		err = d.writeUBL(to)
	}
	return d.Number + "." + kind, err
}
