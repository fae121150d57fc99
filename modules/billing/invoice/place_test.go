package invoice

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/paper/edition"
)

// suppliers are editions by what docs/invoices.md calls their suppliers.
func suppliers() map[string]*edition.Edition {
	of := func(country, vat string, oss bool) *edition.Edition {
		ed := &edition.Edition{Location: time.UTC}
		ed.Supplier.Country, ed.Supplier.VAT, ed.Billing.OSS = country, vat, oss
		return ed
	}
	return map[string]*edition.Edition{
		"SK": of("SK", "SK9912345678", false), "AT": of("AT", "ATU99123456", false),
		"CH": of("CH", "CHE-999.123.456 MWST", false), "LI": of("LI", "CHE-999.123.456 MWST", false),
		"SK+OSS": of("SK", "SK9912345678", true), "no VAT": of("SK", "", false),
	}
}

// placeRows say who is charged which VAT: supplier, countries, buyer (person, firm, or firm+ whose number the register
// calls good), and the VAT: rate in thousandths, "out" or "reverse". docs/invoices.md has the same in words.
const placeRows = `
SK	SK	person	230
SK	SK	firm	230
SK	SK	firm+	230
SK	-	person	230
SK	AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI MC	person	230
SK	AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI MC	firm	230
SK	AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI MC	firm+	reverse
SK	US CA BR JP AU IN CH LI NO IS GB IM GG JE GI UA RS TR XK BA ME MK AL MD AD SM VA	person	out
SK	US CA BR JP AU IN CH LI NO IS GB IM GG JE GI UA RS TR XK BA ME MK AL MD AD SM VA	firm	out
SK	US CH LI NO GB IM UA XK	firm+	out
SK	AX GF GP MQ RE YT MF BL PM NC PF GL FO AW BQ CW SX SJ	person	out
SK	AX GF GP MQ RE YT MF BL PM NC PF GL FO AW BQ CW SX SJ	firm	out
AT	AT	person	100
AT	AT	firm	100
AT	SK DE FR MC IT HU CZ	person	100
AT	SK DE FR MC IT HU CZ	firm	100
AT	SK DE FR MC IT HU CZ	firm+	reverse
AT	US CH LI GB IM NO XK AX GP	person	out
AT	US CH LI GB IM NO XK AX GP	firm	out
CH	CH LI	person	26
CH	CH LI	firm	26
CH	SK AT DE FR MC IT US GB NO	person	out
CH	SK AT DE FR MC IT US GB NO	firm	out
CH	SK AT DE FR MC IT US GB NO	firm+	out
LI	CH LI	person	26
LI	AT DE US	person	out
SK+OSS	SK	person	230
SK+OSS	AT	person	100
SK+OSS	DE	person	70
SK+OSS	AT DE	firm+	reverse
SK+OSS	US CH GB AX	person	out
no VAT	SK AT CH US	person	none
no VAT	SK AT CH US	firm+	none
`

func TestPlaceOfSupply(t *testing.T) {
	t.Parallel()
	all, s, rows := suppliers(), &Service{Rates: VATRates}, 0
	for line := range strings.Lines(strings.TrimSpace(placeRows)) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		ed, buyer, want := all[cells[0]], cells[2], cells[3]
		for _, country := range strings.Fields(cells[1]) {
			b := &Buyer{ClientType: Individual, Country: strings.Trim(country, "-")}
			if buyer != "person" {
				b.ClientType = Company
			}
			if buyer == "firm+" {
				b.ICDPH = TaxNumberExample(country)
			}
			l, err := s.Taxed(ed, b, "2026-11-28", Line{Gross: 8900})
			if err != nil {
				t.Errorf("%s to a %s in %s: %v", cells[0], buyer, country, err)
				continue
			}
			if buyer == "firm+" && ForeignVATNumber(ed, b) != "" { // as Issue does for a number that is good
				l.Category, l.Permille = VATReverse, 0
			}
			d := Document{Kind: TaxInvoice, Snapshot: Snapshot{Lines: []Line{l}, Customer: *b, Supplier: SupplierOf(ed)}}
			d.Sum()
			got := map[string]string{VATOutside: "out", VATReverse: "reverse"}[l.Category]
			switch {
			case ed.Supplier.VAT == "":
				got = "none"
			case got == "":
				got = strconv.FormatInt(l.Permille, 10)
			}
			if got != want {
				t.Errorf("%s to a %s in %s: got %s, want %s", cells[0], buyer, country, got, want)
			}
			if d.Total != 8900 || (d.VAT == 0) != (l.Permille == 0) || (d.VATNote() == "") != (d.VAT != 0) {
				t.Errorf("%s to a %s in %s: %+v, note %q", cells[0], buyer, country, d.Snapshot, d.VATNote())
			}
			if shown := treatment(ed, b, buyer == "firm+"); shown != d.Treatment() {
				t.Errorf("%s to a %s in %s: shown %s before, %s on the document", cells[0], buyer, country, shown, d.Treatment())
			}
			rows++
		}
	}
	t.Logf("%d suppliers and buyers tried", rows)
	if rows < 200 {
		t.Errorf("%d rows, want 200", rows)
	}
}

// The table of docs/invoices.md names each article that documents name.
func TestPlaceOfSupply_Documented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/invoices.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"art. 44", "and 58", "and 59c", "and 196", "art. 6", "art. 7", "MWSTG art. 8", "282/2011", "Monaco",
		"Liechtenstein", "Northern Ireland", "Büsingen", "Livigno", "Campione", "Mount Athos", "Canary Islands", "Ceuta",
		"Åland",
	} {
		if !strings.Contains(string(text), part) {
			t.Errorf("docs/invoices.md says nothing of %s", part)
		}
	}
}
