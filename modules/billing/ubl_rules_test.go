package billing

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/paper/edition"
)

// node is XML as it was read; names are without their prefixes, which the rules do not need.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Text    string     `xml:",chardata"`
	Kids    []*node    `xml:",any"`
}

// all finds the nodes at a path of names.
func (n *node) all(path string) (found []*node) {
	name, rest, more := strings.Cut(path, "/")
	for _, kid := range n.Kids {
		switch {
		case kid.XMLName.Local != name:
		case more:
			found = append(found, kid.all(rest)...)
		default:
			found = append(found, kid)
		}
	}
	return found
}

func (n *node) text(path string) string {
	if list := n.all(path); len(list) > 0 {
		return strings.TrimSpace(list[0].Text)
	}
	return ""
}

// sum adds what stands at a path, exactly.
func (n *node) sum(path string) *big.Rat {
	total := new(big.Rat)
	for _, one := range n.all(path) {
		v, ok := new(big.Rat).SetString(strings.TrimSpace(one.Text))
		if !ok {
			return big.NewRat(1, 7) // which is no sum of cents
		}
		total.Add(total, v)
	}
	return total
}

// cents rounds half up to two decimals.
func cents(v *big.Rat) *big.Rat {
	scaled := new(big.Rat).Mul(v, big.NewRat(100, 1))
	half := big.NewRat(1, 2)
	if scaled.Sign() < 0 {
		half.Neg(half)
	}
	scaled.Add(scaled, half)
	return new(big.Rat).SetFrac(new(big.Int).Quo(scaled.Num(), scaled.Denom()), big.NewInt(100))
}

var (
	dayShape   = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
	moneyShape = regexp.MustCompile(`^-?\d+\.\d{2}$`)
	countries  = regexp.MustCompile(`^([A-Z]{2}|1A)$`) // 1A is Kosovo
)

// brokenRules names the rules of EN 16931 that a document does not keep: those on what has to be there (BR), on the
// sums (BR-CO, BR-S, BR-Z, BR-O), on decimals (BR-DEC), and on the order of elements that UBL wants.
func brokenRules(text []byte) (broken []string) {
	var doc node
	if err := xml.Unmarshal(text, &doc); err != nil {
		return []string{"no XML: " + err.Error()}
	}
	root := doc.XMLName.Local
	line, quantity, code := "InvoiceLine", "InvoicedQuantity", doc.text("InvoiceTypeCode")
	if root == "CreditNote" {
		line, quantity, code = "CreditNoteLine", "CreditedQuantity", doc.text("CreditNoteTypeCode")
	}
	rule := func(name string, ok bool) {
		if !ok && !slices.Contains(broken, name) {
			broken = append(broken, name)
		}
	}
	eq := func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }
	is := func(path, shape string) bool { return regexp.MustCompile(shape).MatchString(doc.text(path)) }
	const seller, buyer, totals = "AccountingSupplierParty/Party/", "AccountingCustomerParty/Party/", "LegalMonetaryTotal/"

	rule("namespace", doc.XMLName.Space == "urn:oasis:names:specification:ubl:schema:xsd:"+root+"-2")
	rule("BR-01", doc.text("CustomizationID") == "urn:cen.eu:en16931:2017")
	rule("BR-02", doc.text("ID") != "")
	rule("BR-03", dayShape.MatchString(doc.text("IssueDate")))
	rule("BR-04", root == "Invoice" && (code == "380" || code == "325") || root == "CreditNote" && code == "381")
	rule("BR-05", is("DocumentCurrencyCode", "^[A-Z]{3}$"))
	rule("BR-06", doc.text(seller+"PartyLegalEntity/RegistrationName") != "")
	rule("BR-07", doc.text(buyer+"PartyLegalEntity/RegistrationName") != "")
	rule("BR-08", len(doc.all(seller+"PostalAddress")) == 1)
	rule("BR-09", countries.MatchString(doc.text(seller+"PostalAddress/Country/IdentificationCode")))
	rule("BR-10", len(doc.all(buyer+"PostalAddress")) == 1)
	rule("BR-11", countries.MatchString(doc.text(buyer+"PostalAddress/Country/IdentificationCode")))
	for name, path := range map[string]string{
		"BR-12": "LineExtensionAmount", "BR-13": "TaxExclusiveAmount",
		"BR-14": "TaxInclusiveAmount", "BR-15": "PayableAmount",
	} {
		rule(name, len(doc.all(totals+path)) == 1)
	}
	lines := doc.all(line)
	rule("BR-16", len(lines) > 0)
	ids := map[string]bool{}
	for _, l := range lines {
		rule("BR-21", l.text("ID") != "" && !ids[l.text("ID")])
		ids[l.text("ID")] = true
		rule("BR-22", l.text(quantity) != "")
		rule("BR-23", len(l.all(quantity)) == 1 && slices.ContainsFunc(l.all(quantity)[0].Attrs, func(a xml.Attr) bool {
			return a.Name.Local == "unitCode" && a.Value == "C62"
		}))
		rule("BR-24", len(l.all("LineExtensionAmount")) == 1)
		rule("BR-25", l.text("Item/Name") != "")
		rule("BR-26", len(l.all("Price/PriceAmount")) == 1)
		rule("BR-27", l.sum("Price/PriceAmount").Sign() >= 0)
		rule("BR-30", l.text("InvoicePeriod/EndDate") >= l.text("InvoicePeriod/StartDate"))
		rule("BR-CO-04", l.text("Item/ClassifiedTaxCategory/ID") != "")
		rule("net of a line",
			eq(l.sum("LineExtensionAmount"), cents(new(big.Rat).Mul(l.sum(quantity), l.sum("Price/PriceAmount")))))
	}
	rule("BR-49", doc.text("PaymentMeans/PaymentMeansCode") != "")
	order := doc.text("PaymentMeans/PaymentMeansCode") == "30" || doc.text("PaymentMeans/PaymentMeansCode") == "58"
	rule("BR-61", !order || doc.text("PaymentMeans/PayeeFinancialAccount/ID") != "")
	for _, r := range doc.all("BillingReference") {
		rule("BR-55", r.text("InvoiceDocumentReference/ID") != "")
	}
	rule("a credit note names its invoice", root != "CreditNote" || len(doc.all("BillingReference")) == 1)
	for _, path := range []string{seller, buyer} {
		for _, s := range doc.all(path + "PartyTaxScheme") {
			if s.text("TaxScheme/ID") == "VAT" {
				rule("BR-CO-09",
					regexp.MustCompile(`^(AT|BE|BG|CH|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI)`).
						MatchString(s.text("CompanyID")))
			}
		}
	}
	rule("BR-CO-26", doc.text(seller+"PartyLegalEntity/CompanyID") != "" ||
		doc.text(seller+"PartyTaxScheme/CompanyID") != "")

	net, vat, gross := doc.sum(totals+"TaxExclusiveAmount"), doc.sum("TaxTotal/TaxAmount"),
		doc.sum(totals+"TaxInclusiveAmount")
	rule("BR-CO-10", eq(doc.sum(totals+"LineExtensionAmount"), doc.sum(line+"/LineExtensionAmount")))
	rule("BR-CO-13", eq(net, doc.sum(totals+"LineExtensionAmount")))
	rule("BR-CO-14", eq(vat, doc.sum("TaxTotal/TaxSubtotal/TaxAmount")))
	rule("BR-CO-15", eq(gross, new(big.Rat).Add(net, vat)))
	due := new(big.Rat).Sub(gross, doc.sum(totals+"PrepaidAmount"))
	due.Add(due, doc.sum(totals+"PayableRoundingAmount"))
	rule("BR-CO-16", eq(doc.sum(totals+"PayableAmount"), due))
	rule("BR-CO-18", len(doc.all("TaxTotal/TaxSubtotal")) > 0)
	rule("BR-CO-25", doc.sum(totals+"PayableAmount").Sign() <= 0 || dayShape.MatchString(doc.text("DueDate")) ||
		doc.text("PaymentTerms/Note") != "")
	broken = append(broken, brokenCategories(&doc, line)...)
	for _, a := range amounts(&doc) {
		rule("BR-DEC", moneyShape.MatchString(strings.TrimSpace(a.Text)) || a.XMLName.Local == "PriceAmount")
		rule("one currency", slices.ContainsFunc(a.Attrs, func(at xml.Attr) bool {
			return at.Name.Local == "currencyID" && at.Value == doc.text("DocumentCurrencyCode")
		}))
	}
	rule("order of elements", ordered(&doc, root))
	return broken
}

// brokenCategories are the rules on each category of VAT.
func brokenCategories(doc *node, line string) (broken []string) {
	vatID := func(party string) bool {
		return slices.ContainsFunc(doc.all(party+"/Party/PartyTaxScheme"), func(s *node) bool {
			return s.text("TaxScheme/ID") == "VAT" && s.text("CompanyID") != ""
		})
	}
	seen := map[string]bool{}
	for _, sub := range doc.all("TaxTotal/TaxSubtotal") {
		id, percent := sub.text("TaxCategory/ID"), sub.sum("TaxCategory/Percent")
		key := id + sub.text("TaxCategory/Percent")
		if seen[key] {
			broken = append(broken, "BR-"+id+"-01")
		}
		seen[key] = true
		base := new(big.Rat)
		for _, l := range doc.all(line) {
			if l.text("Item/ClassifiedTaxCategory/ID")+l.text("Item/ClassifiedTaxCategory/Percent") == key {
				base.Add(base, l.sum("LineExtensionAmount"))
			}
		}
		if base.Cmp(sub.sum("TaxableAmount")) != 0 {
			broken = append(broken, "BR-"+id+"-08")
		}
		// Parts of an invoice take their part of its VAT, to a cent or two; the official rule leaves less than 1.00.
		off := new(big.Rat).Sub(cents(new(big.Rat).Mul(base, new(big.Rat).Quo(percent, big.NewRat(100, 1)))),
			sub.sum("TaxAmount"))
		if off.Sign() != 0 && (doc.XMLName.Local != "CreditNote" || off.Abs(off).Cmp(big.NewRat(2, 100)) > 0) {
			broken = append(broken, "BR-"+id+"-09")
		}
		reason := sub.text("TaxCategory/TaxExemptionReasonCode") + sub.text("TaxCategory/TaxExemptionReason")
		switch id {
		case "S":
			if percent.Sign() <= 0 || reason != "" || !vatID("AccountingSupplierParty") {
				broken = append(broken, "BR-S-02, 05 or 10")
			}
		case "Z":
			if percent.Sign() != 0 || sub.text("TaxCategory/Percent") == "" || reason != "" ||
				!vatID("AccountingSupplierParty") {
				broken = append(broken, "BR-Z-02, 05 or 10")
			}
		case "O":
			if sub.text("TaxCategory/Percent") != "" || reason == "" || vatID("AccountingSupplierParty") ||
				vatID("AccountingCustomerParty") || len(doc.all("TaxTotal/TaxSubtotal")) != 1 {
				broken = append(broken, "BR-O-02, 05, 10 or 11")
			}
		case "AE":
			if percent.Sign() != 0 || sub.text("TaxCategory/Percent") == "" || reason == "" ||
				!vatID("AccountingSupplierParty") || !vatID("AccountingCustomerParty") {
				broken = append(broken, "BR-AE-02, 05 or 10")
			}
		default:
			broken = append(broken, "BR-CL-17")
		}
	}
	for _, l := range doc.all(line) {
		if !seen[l.text("Item/ClassifiedTaxCategory/ID")+l.text("Item/ClassifiedTaxCategory/Percent")] {
			broken = append(broken, "BR-CO-17")
		}
	}
	return broken
}

func amounts(n *node) (list []*node) {
	if strings.HasSuffix(n.XMLName.Local, "Amount") {
		list = append(list, n)
	}
	for _, kid := range n.Kids {
		list = append(list, amounts(kid)...)
	}
	return list
}

// ublOrder are the elements that we use, in the order of the schemas.
var ublOrder = map[string][]string{
	"Invoice": strings.Fields("CustomizationID ID IssueDate DueDate InvoiceTypeCode TaxPointDate DocumentCurrencyCode " +
		"OrderReference BillingReference " +
		"AccountingSupplierParty AccountingCustomerParty Delivery PaymentMeans TaxTotal LegalMonetaryTotal InvoiceLine"),
	"CreditNote": strings.Fields("CustomizationID ID IssueDate TaxPointDate CreditNoteTypeCode DocumentCurrencyCode " +
		"OrderReference BillingReference " +
		"AccountingSupplierParty AccountingCustomerParty Delivery PaymentMeans TaxTotal LegalMonetaryTotal CreditNoteLine"),
	"Party":         strings.Fields("PostalAddress PartyTaxScheme PartyLegalEntity Contact"),
	"PostalAddress": strings.Fields("StreetName AdditionalStreetName CityName PostalZone Country"),
	"LegalMonetaryTotal": strings.Fields("LineExtensionAmount TaxExclusiveAmount TaxInclusiveAmount PrepaidAmount " +
		"PayableRoundingAmount PayableAmount"),
	"TaxCategory":    strings.Fields("ID Percent TaxExemptionReasonCode TaxScheme"),
	"InvoiceLine":    strings.Fields("ID InvoicedQuantity LineExtensionAmount InvoicePeriod Item Price"),
	"CreditNoteLine": strings.Fields("ID CreditedQuantity LineExtensionAmount InvoicePeriod Item Price"),
	"PaymentMeans":   strings.Fields("PaymentMeansCode PaymentID PayeeFinancialAccount"),
}

func ordered(n *node, name string) bool {
	last := 0
	for _, kid := range n.Kids {
		if list := ublOrder[name]; list != nil {
			at := slices.Index(list, kid.XMLName.Local)
			if at < last {
				return false
			}
			last = at
		}
		if !ordered(kid, kid.XMLName.Local) {
			return false
		}
	}
	return true
}

// samples are documents of every kind, at every rate, of whoever pays VAT and who does not.
func samples(t *testing.T, ed *edition.Edition) map[string]*invoice.Document {
	t.Helper()
	all := map[string]*invoice.Document{}
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	company := invoice.Buyer{
		ClientType: invoice.Company, Company: "Čučoriedka & Söhne <s. r. o.>", Name: "Ľubomír Ťažký",
		Line1: "Ďalšia ulica 5/Ä",
		Line2: "2. poschodie", City: "Žilina", PostalCode: "010 01",
		Country: "SK", ICO: "12345678", DIC: "2020202020", ICDPH: "SK2020202020", Email: "l@example.org",
	}
	reader := invoice.Buyer{ClientType: invoice.Individual, Email: "eva@example.org"}
	add := func(name string, d invoice.Draft, ed *edition.Edition) *invoice.Document {
		d.Currency, d.Delivered, d.OrderedAt, d.Order = "EUR", at, at, "000017"
		s, err := d.Snapshot(ed, at)
		if err != nil {
			t.Fatal(name, err)
		}
		all[name] = &invoice.Document{
			ID: int64(len(all) + 1), Kind: d.Kind, Number: d.Kind.Number(ed, 2026, int64(len(all)+1)),
			IssuedAt: at, Snapshot: s,
		}
		return all[name]
	}
	sold := func(gross, permille int64) []invoice.Line {
		return []invoice.Line{{
			Name: "Ročné predplatné", From: "2026-11-21", To: "2027-11-20", Category: invoice.VATStandard,
			Permille: permille, Gross: gross,
		}}
	}
	for _, permille := range []int64{230, 50, 100, 200, 26, 81} {
		for _, gross := range []int64{1, 100, 796, 8900, 9900, 99900} {
			add(fmt.Sprintf("%d at %d", gross, permille),
				invoice.Draft{
					Kind: invoice.TaxInvoice, Customer: company, Lines: sold(gross, permille), Method: invoice.ByCard,
					Paid: true,
				}, ed)
		}
	}
	whole := add("a sum that rounds",
		invoice.Draft{
			Kind: invoice.TaxInvoice, Customer: reader, Lines: sold(99900, 230), Method: invoice.ByCard,
			Paid: true,
		}, ed)
	due := add("a pre-invoice",
		invoice.Draft{
			Kind: invoice.ProForma, Customer: reader, Lines: sold(8900, 230), Method: invoice.ByTransfer,
			Reference: "2026000042",
			DueDays:   14,
		}, ed)
	add("the invoice that follows",
		invoice.Draft{
			Kind: invoice.TaxInvoice, Customer: reader, Lines: sold(8900, 230), Method: invoice.ByTransfer,
			Reference: "2026000042",
			Refers:    due, Paid: true,
		}, ed)
	full := add("all is given back",
		invoice.Draft{
			Kind: invoice.CreditNote, Customer: reader, Lines: whole.Credit(99900, nil, "x"),
			Method: invoice.ByCard, Refers: whole,
			Paid: true,
		}, ed)
	if full.Net != whole.Net || full.VAT != whole.VAT || full.Rounding != whole.Rounding {
		t.Errorf("%+v is not %+v", full.Snapshot, whole.Snapshot)
	}
	part := add("a part is given back",
		invoice.Draft{
			Kind: invoice.CreditNote, Customer: reader, Lines: whole.Credit(33333, nil, "x"),
			Method: invoice.ByCard, Refers: whole,
			Paid: true,
		}, ed)
	add("the rest is given back",
		invoice.Draft{
			Kind: invoice.CreditNote, Customer: reader, Lines: whole.Credit(66567, []invoice.Document{*part}, "x"),
			Method: invoice.ByCard,
			Refers: whole, Paid: true,
		}, ed)
	add("many lines",
		invoice.Draft{
			Kind: invoice.TaxInvoice, Customer: company, Method: invoice.ByCard, Paid: true,
			Lines: append(sold(8900, 230),
				invoice.Line{Name: "Unused time", Category: invoice.VATStandard, Permille: 230, Gross: -517},
				invoice.Line{Name: "Book", Category: invoice.VATStandard, Permille: 50, Gross: 1999},
				invoice.Line{Name: "Zero", Category: invoice.VATZero, Gross: 300}),
		}, ed)
	abroad := company
	abroad.Country, abroad.ICDPH, abroad.PostalCode = "AT", "ATU12345675", "1010"
	owed := add("the customer owes the VAT", invoice.Draft{
		Kind: invoice.TaxInvoice, Customer: abroad, Method: invoice.ByCard, Paid: true,
		Lines:    []invoice.Line{{Name: "Ročné predplatné", Category: invoice.VATReverse, Gross: 8900}},
		Register: &invoice.VATAnswer{Number: "ATU12345675", Valid: true, Consultation: "WAPI1", AskedAt: at},
	}, ed)
	add("a part of it is given back",
		invoice.Draft{
			Kind: invoice.CreditNote, Customer: abroad, Lines: owed.Credit(4000, nil, "x"), Method: invoice.ByCard, Refers: owed,
			Paid: true,
		}, ed)
	for name, buyer := range map[string]invoice.Buyer{
		"a company outside the Union": {
			ClientType: invoice.Company, Company: "Pelican & Sons Inc.", Line1: "1 Main St", City: "Springfield",
			PostalCode: "12345", Country: "US", ICDPH: "12-3456789", Email: "p@example.org",
		},
		"a Swiss company": {
			ClientType: invoice.Company, Company: "Enzian AG", City: "Chur", PostalCode: "7000", Country: "CH",
			ICO: "CHE-123.456.788", ICDPH: "CHE-123.456.788 MWST", Email: "e@example.org",
		},
		"a reader in Kosovo": {ClientType: invoice.Individual, Name: "Ana", Country: "XK", Email: "a@example.org"},
	} {
		out := add(name, invoice.Draft{
			Kind: invoice.TaxInvoice, Customer: buyer, Method: invoice.ByCard, Paid: true,
			Lines: []invoice.Line{{Name: "Ročné predplatné", Category: invoice.VATOutside, Gross: 8900}},
		}, ed)
		add("a part of it is given back to "+name, invoice.Draft{
			Kind: invoice.CreditNote, Customer: buyer, Lines: out.Credit(2967, nil, "x"), Method: invoice.ByCard, Refers: out,
			Paid: true,
		}, ed)
	}
	var gone []invoice.Document
	for i, sum := range []int64{2967, 2967, 2966} {
		year := add(fmt.Sprintf("a year, of which part %d goes back", i),
			invoice.Draft{
				Kind: invoice.TaxInvoice, Customer: reader, Lines: sold(8900, 230), Method: invoice.ByCard, Paid: true,
			}, ed)
		gone = append(gone, *add(fmt.Sprintf("part %d of a year goes back", i),
			invoice.Draft{
				Kind: invoice.CreditNote, Customer: reader, Lines: year.Credit(sum, gone, "x"), Method: invoice.ByCard,
				Refers: year, Paid: true,
			}, ed))
	}
	small := *ed
	small.Supplier.VAT = ""
	add("of who pays no VAT",
		invoice.Draft{
			Kind: invoice.TaxInvoice, Customer: company, Method: invoice.ByCard, Paid: true,
			Lines: []invoice.Line{{Name: "Ročné predplatné", Category: invoice.VATOutside, Gross: 8900}},
		}, &small)
	return all
}

func xmlOf(t *testing.T, d *invoice.Document) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := d.WriteUBL(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestUBLKeepsTheRules(t *testing.T) {
	t.Parallel()
	ed := newEnv(t).ed
	for name, d := range samples(t, ed) {
		if broken := brokenRules(xmlOf(t, d)); len(broken) > 0 {
			t.Errorf("%s: %v\n%s", name, broken, xmlOf(t, d))
		}
	}
}

// The checker finds what is wrong: each change to a good document breaks the rule that is about it.
func TestTheRulesFindWhatIsWrong(t *testing.T) {
	t.Parallel()
	all := samples(t, newEnv(t).ed)
	for _, c := range []struct{ sample, rule, old, new string }{
		{"a sum that rounds", "BR-S-09", "186.81", "186.80"},
		{
			"a sum that rounds", "BR-CO-16", `<cbc:PayableRoundingAmount currencyID="EUR">-0.01</cbc:PayableRoundingAmount>`,
			"",
		},
		{"a sum that rounds", "BR-CO-15", "999.01", "999.00"},
		{
			"a sum that rounds", "BR-CO-10", `<cbc:LineExtensionAmount currencyID="EUR">812.20</cbc:LineExtensionAmount>`,
			`<cbc:LineExtensionAmount currencyID="EUR">812.21</cbc:LineExtensionAmount>`,
		},
		{"a pre-invoice", "BR-CO-25", "<cbc:DueDate>2026-12-05</cbc:DueDate>", ""},
		{"a pre-invoice", "BR-61", "SK3112000000198742637541", ""},
		{"a pre-invoice", "BR-02", "PF-2026-", "</cbc:ID><cbc:ID>"},
		{"many lines", "BR-27", `<cbc:PriceAmount currencyID="EUR">4.20`, `<cbc:PriceAmount currencyID="EUR">-4.20`},
		{"many lines", "BR-CO-09", "SK2020202020", "2020202020"},
		{"all is given back", "a credit note names its invoice", "BillingReference", "Elsewhere"},
		{"all is given back", "BR-04", ">381<", ">380<"},
		{"the customer owes the VAT", "BR-AE-02, 05 or 10", "VATEX-EU-AE", ""},
		{"the customer owes the VAT", "BR-AE-02, 05 or 10", "ATU12345675", ""},
		{"of who pays no VAT", "BR-O-02, 05, 10 or 11", "VATEX-EU-O", ""},
		{"a company outside the Union", "BR-O-02, 05, 10 or 11", ">TAX<", ">VAT<"},
		{"a company outside the Union", "BR-O-02, 05, 10 or 11", "VATEX-EU-O", ""},
		{
			"a sum that rounds", "BR-11", "<cbc:IdentificationCode>SK</cbc:IdentificationCode>",
			"<cbc:IdentificationCode></cbc:IdentificationCode>",
		},
		{"a sum that rounds", "BR-DEC", "999.01", "999.010"},
		{"a sum that rounds", "one currency", `currencyID="EUR">999.01`, `currencyID="CHF">999.01`},
	} {
		text := string(xmlOf(t, all[c.sample]))
		changed := strings.Replace(text, c.old, c.new, 1)
		if c.rule == "BR-S-09" || c.rule == "BR-11" || c.rule == "a credit note names its invoice" {
			changed = strings.ReplaceAll(text, c.old, c.new)
		}
		if changed == text {
			t.Errorf("%s has no %s", c.sample, c.old)
		}
		if broken := brokenRules([]byte(changed)); !slices.Contains(broken, c.rule) {
			t.Errorf("%s, %s for %s: %v", c.sample, c.new, c.old, broken)
		}
	}
}
