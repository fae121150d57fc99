package billing

import (
	"bytes"
	"compress/zlib"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/paper/edition"
)

var pdfText = regexp.MustCompile(`(?s)\(((?:\\.|[^\\)])*)\) ?Tj`)

// textOfPDF are the texts of a file in the order in which they were set, one a line.
func textOfPDF(t *testing.T, d *invoice.Document, ed *edition.Edition) string {
	t.Helper()
	var file bytes.Buffer
	if err := d.WritePDF(&file, ed); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, packed := range pdfStream.FindAllSubmatch(file.Bytes(), -1) {
		r, err := zlib.NewReader(bytes.NewReader(packed[1]))
		if err != nil {
			continue
		}
		page, err := io.ReadAll(r)
		if err != nil {
			continue
		}
		for _, m := range pdfText.FindAllSubmatch(page, -1) {
			var units []uint16
			raw := regexp.MustCompile(`(?s)\\(.)`).ReplaceAllFunc(m[1], func(escaped []byte) []byte {
				if escaped[1] == 'r' {
					return []byte{'\r'}
				}
				return escaped[1:]
			})
			for i := 0; i+1 < len(raw); i += 2 {
				units = append(units, uint16(raw[i])<<8|uint16(raw[i+1]))
			}
			lines = append(lines, strings.ReplaceAll(string(utf16.Decode(units)), "\u00a0", " "))
		}
	}
	if len(lines) == 0 {
		t.Fatal("the file has no text")
	}
	return strings.Join(lines, "\n")
}

// spoken is an edition in the words of a region, with a supplier there.
func spoken(locale, country string) func(*edition.Document) {
	return func(d *edition.Document) {
		d.Locale, d.IntlLocale = locale[:2], locale
		d.Supplier.Country, d.Supplier.VAT, d.Supplier.Register = country, country+"U99123456", "Gericht Entenhausen, Blatt 7"
	}
}

// A credit note gives back: what stands on it is below zero on paper and on the page; its XML has what EN 16931 wants
// there.
func TestCreditNotesAreBelowZero(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	list := samples(t, p.ed)
	d := list["all is given back"]
	text := textOfPDF(t, d, p.ed)
	for _, want := range []string{"-812,20 €", "-186,81 €", "-999,00 €", "0,01 €"} {
		if !strings.Contains("\n"+text+"\n", "\n"+want+"\n") {
			t.Errorf("the PDF has no %s:\n%s", want, text)
		}
	}
	v := d.View(p.ed)
	if v.Total != -99900 || v.UnitNet != -81220 || v.Subtotal != -81220 || v.UnitTax != -18681 || v.Rounding != 1 ||
		v.Paid != -99900 || v.Lines[0].Gross != -99900 || v.Lines[0].VAT != -18680 || v.Taxes[0].VAT != -18681 {
		t.Errorf("the page has %+v", v)
	}
	if d.Total != 99900 || d.Lines[0].Gross != 99900 || d.Taxes[0].VAT != 18681 {
		t.Errorf("the document itself has changed: %+v", d.Snapshot)
	}
	if xml := string(xmlOf(t, d)); strings.Contains(xml, ">-8") || !strings.Contains(xml, ">812.20<") {
		t.Error(xml)
	}
}

// Nothing is delivered by a pre-invoice.
func TestPreInvoicesHaveNoDelivery(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	list := samples(t, p.ed)
	d, paid := list["a pre-invoice"], list["the invoice that follows"]
	if text := textOfPDF(t, d, p.ed); strings.Contains(text, "Dátum dodania") ||
		!strings.Contains(text, "Dátum splatnosti") {
		t.Error(text)
	}
	if text := textOfPDF(t, d, p.ed); !strings.Contains(text, "Variabilný symbol\n2026000042") {
		t.Error(text)
	}
	if text := textOfPDF(t, paid, p.ed); !strings.Contains(text, "Dátum dodania") {
		t.Error(text)
	}
	if v := d.View(p.ed); v.Delivered != "" || paid.View(p.ed).Delivered == "" {
		t.Errorf("%q and %q", v.Delivered, paid.View(p.ed).Delivered)
	}
	if strings.Contains(string(xmlOf(t, d)), "Delivery") ||
		!strings.Contains(string(xmlOf(t, paid)), "ActualDeliveryDate") {
		t.Error("the XML says otherwise")
	}
}

// Each country's documents have its own words for the tax and for the number in the register, and the entry there.
func TestDocumentsSpeakTheirCountry(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		locale, country string
		has, hasNot     []string
	}{
		{
			"de-AT", "AT",
			[]string{"Preis ohne USt.", "Firmenbuchnummer: ", "UID-Nummer: ", "Gericht Entenhausen, Blatt 7"},
			[]string{"MWST", "Mehrwertsteuer", "Firmennummer"},
		},
		{
			"de-CH", "CH",
			[]string{"Preis ohne MWST", "MWST 23", "UID: ", "MWST-Nummer: ", "Gericht Entenhausen, Blatt 7"},
			[]string{"USt", "Umsatzsteuer", "Firmennummer", "ß"},
		},
		{"sk", "SK", []string{"Cena bez DPH", "IČO: ", "IČ DPH: "}, nil},
	} {
		p := newEnv(t, spoken(c.locale, c.country))
		for name, d := range samples(t, p.ed) {
			// The number of a Swiss customer ends with the name of the Swiss tax, whatever the document's country.
			text := strings.ReplaceAll(textOfPDF(t, d, p.ed), "CHE-123.456.788 MWST", "")
			for _, not := range c.hasNot {
				if strings.Contains(text, not) {
					t.Errorf("%s, %s: says %q:\n%s", c.locale, name, not, text)
				}
			}
			if name != "100 at 230" {
				continue
			}
			for _, want := range c.has {
				if !strings.Contains(text, want) {
					t.Errorf("%s: no %q in\n%s", c.locale, want, text)
				}
			}
			if !strings.Contains(string(xmlOf(t, d)), "<cbc:CompanyLegalForm>Gericht Entenhausen, Blatt 7<") {
				t.Errorf("%s: the XML has no register", c.locale)
			}
		}
	}
}

// The last day of a period is the one before the next begins, also where clocks change in between.
func TestPeriodsDoNotOverlap(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	at := func(day, clock string) time.Time {
		out, err := time.ParseInLocation("2006-01-02 15:04", day+" "+clock, p.ed.Location)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, c := range []struct{ from, to, clock, first, last string }{
		{"2026-11-22", "2026-12-20", "16:20", "2026-11-22", "2026-12-19"},
		{"2026-12-20", "2027-01-17", "16:20", "2026-12-20", "2027-01-16"},
		{"2026-11-22", "2026-12-20", "00:00", "2026-11-22", "2026-12-19"},
		{"2027-03-01", "2027-03-29", "00:30", "2027-03-01", "2027-03-28"},
		{"2026-10-24", "2026-10-26", "23:59", "2026-10-24", "2026-10-25"},
	} {
		l := subscription.LineOf(p.ed,
			&access.Subscription{Product: access.Monthly}, stripe.SaleLine{
				Product: access.Monthly, Gross: 796, From: at(c.from, c.clock),
				To: at(c.to, c.clock),
			})
		if l.From != c.first || l.To != c.last {
			t.Errorf("%s to %s, %s: %s – %s", c.from, c.to, c.clock, l.From, l.To)
		}
	}
	if l := subscription.LineOf(p.ed, &access.Subscription{Product: access.Monthly}, stripe.SaleLine{
		Product: access.Monthly, Part: true, Gross: 1, From: at("2026-11-22", "10:00"),
		To: at("2026-11-22", "18:00"),
	}); l.From != "2026-11-22" ||
		l.To != l.From {
		t.Errorf("within a day: %s – %s", l.From, l.To)
	}
}
