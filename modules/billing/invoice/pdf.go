package invoice

import (
	"io"
	"slices"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/lettering"
	"example.org/broadsheet/platform/paper/edition"
)

// Sizes of a page of A4, in millimetres.
const (
	pdfMargin = 20.0
	pdfWidth  = 210.0 - 2*pdfMargin
	pdfLine   = 5.2
)

// sheet is a document on its way to paper.
type sheet struct {
	*fpdf.Fpdf
	d  *Document
	ed *edition.Edition
}

func (s *sheet) say(id string) string { return i18n.T(s.ed, "invoice."+id, nil) }

func (s *sheet) money(minor int64) string {
	return i18n.MoneyIn(s.ed, minor, s.d.Currency)
}

func (s *sheet) day(day string) string { return i18n.Date(s.ed, Day(s.ed, day)) }

func (s *sheet) font(style string, size float64) { s.SetFont("go", style, size) }

// WritePDF writes a document on paper of A4, whatever letters it has. The same document is the same bytes. It returns
// an error if the document is damaged.
func (d *Document) WritePDF(w io.Writer, ed *edition.Edition) (err error) {
	defer recoverDamage(&err)
	if err := d.Check(); err != nil {
		return err
	}
	s := &sheet{fpdf.New("P", "mm", "A4", ""), d.signed(), ed}
	s.SetMargins(pdfMargin, pdfMargin, pdfMargin)
	s.SetAutoPageBreak(true, pdfMargin)
	s.SetCatalogSort(true)
	s.SetCreationDate(d.IssuedAt.UTC().Truncate(time.Second))
	s.SetModificationDate(d.IssuedAt.UTC().Truncate(time.Second))
	s.AddUTF8FontFromBytes("go", "", goregular.TTF)
	s.AddUTF8FontFromBytes("go", "B", gobold.TTF)
	s.SetTitle(metadata(s.say("title."+string(d.Kind))+" "+d.Number), true)
	s.SetAuthor(metadata(d.Supplier.Name), true)
	s.SetLang(ed.Locale)
	s.AddPage()
	s.head()
	s.parties()
	s.facts()
	s.lines()
	s.sums()
	s.notes()
	if err := s.Error(); err != nil {
		return damaged("%v", err)
	}
	return s.Output(w)
}

func (s *sheet) head() {
	s.font("", 10)
	s.CellFormat(pdfWidth, pdfLine, s.ed.Name, "", 1, "L", false, 0, "")
	s.font("B", 18)
	title := s.say("title." + string(s.d.Kind))
	if s.d.Void {
		title += " – " + s.say("void")
	}
	s.MultiCell(pdfWidth, 9, title+" "+s.d.Number, "", "L", false)
	s.Ln(4)
}

// parties stand side by side.
func (s *sheet) parties() {
	top := s.GetY()
	bottom := s.party(pdfMargin, top, s.say("supplier"), s.supplierLines())
	bottom = max(bottom, s.party(pdfMargin+pdfWidth/2, top, s.say("customer"), s.customerLines()))
	s.SetXY(pdfMargin, bottom+5)
}

func (s *sheet) party(x, y float64, title string, lines []string) float64 {
	s.SetXY(x, y)
	s.font("B", 9)
	s.CellFormat(pdfWidth/2-4, pdfLine, title, "", 2, "L", false, 0, "")
	s.font("", 10)
	for _, l := range lines {
		s.SetX(x)
		s.MultiCell(pdfWidth/2-4, pdfLine, l, "", "L", false)
	}
	return s.GetY()
}

func (s *sheet) labelled(id, value string) string {
	if value = strings.TrimSpace(lettering.Visible(value)); value == "" {
		return ""
	}
	return s.say(id) + ": " + value
}

func filled(lines ...string) (out []string) {
	for _, l := range lines {
		if l = strings.TrimSpace(lettering.Visible(l)); l != "" {
			out = append(out, l)
		}
	}
	return out
}

func (s *sheet) country(code string) string { return CountryNames()[code][s.ed.Lang()] }

func (s *sheet) supplierLines() []string {
	p := s.d.Supplier
	return filled(p.Name, p.Street, p.Postal+" "+p.City, s.country(p.Country), s.labelled("companyId", p.Company),
		s.labelled("taxId", p.Tax), s.labelled("vatId", p.VAT),
		p.Register, s.labelled("bank", p.Bank), s.labelled("iban", p.IBAN), s.labelled("swift", p.SWIFT), p.Email)
}

func (s *sheet) customerLines() []string {
	c := s.d.Customer
	country := ""
	if c.City != "" || c.Line1 != "" {
		country = s.country(c.Country)
	}
	return filled(c.Company, c.Name, c.Line1, c.Line2, c.PostalCode+" "+c.City, country, s.labelled("companyId", c.ICO),
		s.labelled("taxId", c.DIC), s.labelled("vatId", c.ICDPH), c.Email)
}

// ReferenceLabel says what the reference of a transfer is called in the country of the account.
func ReferenceLabel(iban string) string {
	if UsesSymbols(iban) {
		return "symbol"
	}
	return "reference"
}

func (s *sheet) facts() {
	d := s.d
	rows := [][2]string{
		{"issued", s.day(d.Issued)},
		{"due", s.day(d.Due)},
		{"order", d.Order},
		{"ordered", s.day(d.Ordered)},
		{"method", s.say("method." + d.Method)},
		{ReferenceLabel(d.Supplier.IBAN), d.Reference},
	}
	if day := d.delivered(); day != "" {
		rows = slices.Insert(rows, 1, [2]string{"delivered", s.day(day)})
	}
	if d.Refers != nil {
		rows = append(rows, [2]string{"refers", d.Refers.Number + ", " + s.day(d.Refers.Issued)})
	}
	top := s.GetY()
	s.font("", 10)
	for _, r := range rows {
		if r[1] != "" {
			s.CellFormat(50, pdfLine, s.say(r[0]), "", 0, "L", false, 0, "")
			s.CellFormat(pdfWidth-50, pdfLine, r[1], "", 1, "L", false, 0, "")
		}
	}
	if bottom := s.GetY(); d.Pending() {
		s.SetXY(pdfMargin, max(bottom, s.drawPaymentCode(top)))
	}
	s.Ln(5)
}

// columns are those of the lines: what, how many, price without VAT, VAT, total.
var pdfColumns = []float64{68, 18, 32, 24, 28}

func (s *sheet) row(style, border string, cells ...string) {
	s.font(style, 9)
	x, y := s.GetXY()
	s.MultiCell(pdfColumns[0], pdfLine, cells[0], "", "L", false)
	bottom := s.GetY()
	if bottom < y { // the text went on to another page
		y = pdfMargin
	}
	for i, c := range cells[1:] {
		x += pdfColumns[i]
		s.SetXY(x, y)
		s.CellFormat(pdfColumns[i+1], pdfLine, c, "", 0, "R", false, 0, "")
	}
	s.SetXY(pdfMargin, bottom+1)
	s.CellFormat(pdfWidth, 1, "", border, 1, "L", false, 0, "")
}

func (s *sheet) lines() {
	s.row("B", "T", s.say("product"), s.say("quantity"), s.say("unitNet"), s.say("vat"), s.say("total"))
	for _, l := range s.d.Lines {
		name := l.Name
		if l.From != "" {
			name += "\n" + s.day(l.From) + " – " + s.day(l.To)
		}
		rate := i18n.Percent(s.ed, l.Permille)
		if exempt[l.Category] != "" {
			rate = "–"
		}
		s.row("", "", name, "1", s.money(l.Net), rate, s.money(l.Gross))
	}
}

func (s *sheet) sums() {
	d := s.d
	s.CellFormat(pdfWidth, 2, "", "T", 1, "L", false, 0, "")
	sum := func(style, label string, minor int64) {
		s.font(style, 10)
		s.CellFormat(pdfWidth-35, pdfLine+0.8, label, "", 0, "R", false, 0, "")
		s.CellFormat(35, pdfLine+0.8, s.money(minor), "", 1, "R", false, 0, "")
	}
	sum("", s.say("subtotal"), d.Net)
	for _, t := range d.Taxes {
		if exempt[t.Category] == "" {
			sum("", s.say("vat")+" "+i18n.Percent(s.ed, t.Permille)+" ("+s.say("base")+" "+s.money(t.Net)+")", t.VAT)
		}
	}
	if d.Rounding != 0 {
		sum("", s.say("rounding"), d.Rounding)
	}
	sum("B", s.say("total"), d.Total)
	switch {
	case d.Kind == CreditNote && d.OtherBuyer:
	case d.Kind == CreditNote:
		sum("", s.say("returned"), -d.Paid)
	case d.Paid != 0:
		sum("", s.say("paid"), d.Paid)
		sum("B", s.say("toPay"), d.Total-d.Paid)
	default:
		sum("B", s.say("toPay"), d.Total)
	}
}

func (s *sheet) notes() {
	s.Ln(6)
	s.font("", 9)
	if s.d.OtherBuyer {
		s.MultiCell(pdfWidth, pdfLine, s.say("otherBuyer."+string(s.d.Kind)), "", "L", false)
	}
	if s.d.Kind == ProForma {
		s.MultiCell(pdfWidth, pdfLine, s.say("notTax"), "", "L", false)
	}
	if id := s.d.VATNote(); id != "" {
		s.MultiCell(pdfWidth, pdfLine, i18n.T(s.ed, id, nil), "", "L", false)
	}
}
