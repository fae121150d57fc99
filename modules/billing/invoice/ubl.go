package invoice

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"

	"example.org/broadsheet/platform/typed"
)

// ublKinds are the root of each kind, its code (UNTDID 1001), and how its lines and their quantities are called.
var ublKinds = map[Kind]struct{ root, code, codeName, line, quantity string }{
	TaxInvoice: {"Invoice", "380", "cbc:InvoiceTypeCode", "cac:InvoiceLine", "cbc:InvoicedQuantity"},
	ProForma:   {"Invoice", "325", "cbc:InvoiceTypeCode", "cac:InvoiceLine", "cbc:InvoicedQuantity"},
	CreditNote: {"CreditNote", "381", "cbc:CreditNoteTypeCode", "cac:CreditNoteLine", "cbc:CreditedQuantity"},
}

// Codes of UNTDID 4461 for how a document is paid.
var ublMeans = map[string]string{ByCard: "48", ByTransfer: "30"}

// WriteUBL writes a document as XML after EN 16931 (UBL 2.1). It returns an error if the document is damaged.
func (d *Document) WriteUBL(w io.Writer) (err error) {
	defer recoverDamage(&err)
	if err := d.Check(); err != nil {
		return err
	}
	kind := ublKinds[d.Kind]
	root := el(kind.root, "",
		el("cbc:CustomizationID", "urn:cen.eu:en16931:2017"), el("cbc:ID", d.Number), el("cbc:IssueDate", d.Issued))
	root.Attrs = []xml.Attr{
		attr("xmlns", "urn:oasis:names:specification:ubl:schema:xsd:"+kind.root+"-2"),
		attr("xmlns:cac", "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"),
		attr("xmlns:cbc", "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"),
	}
	if d.Kind == CreditNote {
		root.add(el("cbc:TaxPointDate", d.Delivered), el(kind.codeName, kind.code))
	} else {
		root.add(el("cbc:DueDate", d.Due), el(kind.codeName, kind.code))
		if d.Kind == TaxInvoice {
			root.add(el("cbc:TaxPointDate", d.Delivered))
		}
	}
	root.add(el("cbc:DocumentCurrencyCode", d.Currency), el("cac:OrderReference", "", el("cbc:ID", d.Order)))
	if r := d.Refers; r != nil {
		root.add(el("cac:BillingReference", "",
			el("cac:InvoiceDocumentReference", "", el("cbc:ID", r.Number), el("cbc:IssueDate", r.Issued))))
	}
	root.add(d.ublSupplier(), d.ublCustomer())
	if day := d.delivered(); day != "" {
		root.add(el("cac:Delivery", "", el("cbc:ActualDeliveryDate", day)))
	}
	root.add(d.ublMeans(), d.ublTaxes(), d.ublTotals())
	for i, l := range d.Lines {
		root.add(d.ublLine(i+1, l, kind.line, kind.quantity))
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "\t")
	if err := e.Encode(root); err != nil {
		return err
	}
	return e.Close()
}

func (d *Document) ublSupplier() *element {
	s := d.Supplier
	party := el("cac:Party", "", ublAddress(s.Street, "", s.City, s.Postal, s.Country))
	switch { // rule BR-O-02: a document that no VAT is charged on has no VAT number
	case s.VAT != "" && !d.outside():
		party.add(ublTax(s.VAT, "VAT"))
	case s.Tax != "":
		party.add(ublTax(s.Tax, "TAX"))
	}
	legal := el("cac:PartyLegalEntity", "", el("cbc:RegistrationName", s.Name), el("cbc:CompanyID", s.Company))
	legal.maybe("cbc:CompanyLegalForm", s.Register)
	party.add(legal, el("cac:Contact", "", el("cbc:ElectronicMail", s.Email)))
	return el("cac:AccountingSupplierParty", "", party)
}

func (d *Document) ublCustomer() *element {
	c := d.Customer
	party := el("cac:Party", "", ublAddress(c.Line1, c.Line2, c.City, c.PostalCode, c.Country))
	if n := ParseTaxNumber(c.Country, c.ICDPH); n != nil && d.Supplier.VAT != "" && !d.outside() {
		party.add(ublTax(n.Value, "VAT"))
	}
	legal := el("cac:PartyLegalEntity", "", el("cbc:RegistrationName", d.BuyerName()))
	legal.maybe("cbc:CompanyID", c.ICO)
	contact := el("cac:Contact", "")
	contact.maybe("cbc:Name", c.Name)
	contact.maybe("cbc:ElectronicMail", c.Email)
	party.add(legal, contact)
	return el("cac:AccountingCustomerParty", "", party)
}

func ublAddress(line1, line2, city, postal, country string) *element {
	a := el("cac:PostalAddress", "")
	for _, f := range []struct{ name, text string }{
		{"cbc:StreetName", line1}, {"cbc:AdditionalStreetName", line2}, {"cbc:CityName", city}, {"cbc:PostalZone", postal},
	} {
		a.maybe(f.name, f.text)
	}
	if country == "XK" { // the code list of EN 16931 has another code for Kosovo
		country = "1A"
	}
	return a.add(el("cac:Country", "", el("cbc:IdentificationCode", country)))
}

func ublTax(number, scheme string) *element {
	return el("cac:PartyTaxScheme", "", el("cbc:CompanyID", number), el("cac:TaxScheme", "", el("cbc:ID", scheme)))
}

func (d *Document) ublMeans() *element {
	m := el("cac:PaymentMeans", "", el("cbc:PaymentMeansCode", ublMeans[d.Method]))
	m.maybe("cbc:PaymentID", d.Reference)
	if d.Method == ByTransfer {
		m.add(el("cac:PayeeFinancialAccount", "", el("cbc:ID", d.Supplier.IBAN), el("cbc:Name", d.Supplier.Name),
			el("cac:FinancialInstitutionBranch", "", el("cbc:ID", d.Supplier.SWIFT))))
	}
	return m
}

// exempt has the codes of why there is no VAT.
var exempt = map[string]string{VATOutside: "VATEX-EU-O", VATReverse: "VATEX-EU-AE"}

func (d *Document) ublTaxes() *element {
	total := el("cac:TaxTotal", "", d.amount("cbc:TaxAmount", d.VAT))
	for _, t := range d.Taxes {
		category := ublCategory("cac:TaxCategory", t.Category, t.Permille)
		if why := exempt[t.Category]; why != "" {
			scheme := category.Kids[len(category.Kids)-1]
			category.Kids = append(category.Kids[:len(category.Kids)-1], el("cbc:TaxExemptionReasonCode", why), scheme)
		}
		total.add(el("cac:TaxSubtotal", "", d.amount("cbc:TaxableAmount", t.Net), d.amount("cbc:TaxAmount", t.VAT), category))
	}
	return total
}

// ublCategory has no rate in the category of what is outside the scope of VAT.
func ublCategory(name, category string, permille int64) *element {
	c := el(name, "", el("cbc:ID", category))
	if category != VATOutside {
		c.add(el("cbc:Percent", percent(permille)))
	}
	return c.add(el("cac:TaxScheme", "", el("cbc:ID", "VAT")))
}

func (d *Document) ublTotals() *element {
	t := el("cac:LegalMonetaryTotal", "", d.amount("cbc:LineExtensionAmount", d.Net),
		d.amount("cbc:TaxExclusiveAmount", d.Net), d.amount("cbc:TaxInclusiveAmount", d.Net+d.VAT))
	if d.Paid != 0 {
		t.add(d.amount("cbc:PrepaidAmount", d.Paid))
	}
	if d.Rounding != 0 {
		t.add(d.amount("cbc:PayableRoundingAmount", d.Rounding))
	}
	return t.add(d.amount("cbc:PayableAmount", d.Total-d.Paid))
}

// ublLine writes what lowers a sum as a quantity below zero: a price may not be.
func (d *Document) ublLine(n int, l Line, name, quantityName string) *element {
	quantity, price := "1", l.Net
	if price < 0 {
		quantity, price = "-1", -price
	}
	q := el(quantityName, quantity)
	q.Attrs = []xml.Attr{attr("unitCode", "C62")}
	out := el(name, "", el("cbc:ID", strconv.Itoa(n)), q, d.amount("cbc:LineExtensionAmount", l.Net))
	if l.From != "" {
		out.add(el("cac:InvoicePeriod", "", el("cbc:StartDate", l.From), el("cbc:EndDate", l.To)))
	}
	return out.add(
		el("cac:Item", "", el("cbc:Name", cmp.Or(typed.Shown(l.Name), d.Number)),
			ublCategory("cac:ClassifiedTaxCategory", l.Category, l.Permille)),
		el("cac:Price", "", d.amount("cbc:PriceAmount", price)),
	)
}

// Decimal writes minor units as "-12.30".
func Decimal(minor int64) string {
	sign := ""
	if minor < 0 {
		sign, minor = "-", -minor
	}
	return fmt.Sprintf("%s%d.%02d", sign, minor/100, minor%100)
}

// percent writes thousandths as "2.6".
func percent(permille int64) string {
	if permille%10 == 0 {
		return strconv.FormatInt(permille/10, 10)
	}
	return fmt.Sprintf("%d.%d", permille/10, permille%10)
}

// element is a node of XML whose names have their prefixes already.
type element struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Text    string     `xml:",chardata"`
	Kids    []*element `xml:",any"`
}

// el returns a node. Its text is one line of what is seen: rules forbid empty nodes, and programs show the rest
// wrongly.
func el(name, text string, kids ...*element) *element {
	return &element{XMLName: xml.Name{Local: name}, Text: typed.Shown(text), Kids: kids}
}

func attr(name, value string) xml.Attr { return xml.Attr{Name: xml.Name{Local: name}, Value: value} }

func (e *element) add(kids ...*element) *element {
	e.Kids = append(e.Kids, kids...)
	return e
}

// maybe adds a child where there is something to say.
func (e *element) maybe(name, text string) {
	if kid := el(name, text); kid.Text != "" {
		e.add(kid)
	}
}

func (d *Document) amount(name string, minor int64) *element {
	e := el(name, Decimal(minor))
	e.Attrs = []xml.Attr{attr("currencyID", d.Currency)}
	return e
}
