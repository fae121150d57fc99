package invoice

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// Classes of products for VAT.
const (
	classNewspaper = "newspaper" // text that is read
	classService   = "service"
)

// VATRate is a rate in thousandths that holds from a day on, until the next of its country and class.
type VATRate struct {
	country, class string
	from           time.Time
	permille       int64
}

//go:embed vat.tsv
var vatTable string

// VATRates are the rates of vat.tsv.
var VATRates = mustParseRates(vatTable)

// ParseRates reads a table of country, class, first day and rate in thousandths; lines that begin with # are notes.
func ParseRates(table string) (list []VATRate, err error) {
	for n, line := range strings.Split(strings.TrimSpace(table), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 4 {
			return nil, fmt.Errorf("billing: vat.tsv, line %d: %d cells, not 4", n+1, len(cells))
		}
		r := VATRate{country: cells[0], class: cells[1]}
		if r.from, err = time.Parse(time.DateOnly, cells[2]); err != nil {
			return nil, fmt.Errorf("billing: vat.tsv, line %d: %w", n+1, err)
		}
		if r.permille, err = strconv.ParseInt(cells[3], 10, 64); err != nil || r.permille < 0 || r.permille >= 1000 {
			return nil, fmt.Errorf("billing: vat.tsv, line %d: %q is no rate", n+1, cells[3])
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b VATRate) int { return a.from.Compare(b.from) })
	return list, nil
}

func mustParseRates(table string) []VATRate {
	list, err := ParseRates(table)
	if err != nil {
		panic(err)
	}
	return list
}

// rateOf is the rate on a day (its date alone counts) in thousandths; false where none is known, which is no reason to
// charge none.
func rateOf(rates []VATRate, country, class string, day time.Time) (permille int64, ok bool) {
	y, m, d := day.Date()
	day = time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	for _, r := range rates {
		if r.country == country && r.class == class && !r.from.After(day) {
			permille, ok = r.permille, true
		}
	}
	return permille, ok
}

// splitGross divides a gross sum in minor units into its base and its VAT: the base is rounded half up, and both are
// the sum again.
func splitGross(gross, permille int64) (net, vat int64) {
	divisor := 1000 + permille
	if gross < 0 {
		net, vat = splitGross(-gross, permille)
		return -net, -vat
	}
	net = (gross*1000*2 + divisor) / (2 * divisor)
	return net, gross - net
}

// vatOf is a rate of a base in minor units, rounded half up.
func vatOf(net, permille int64) int64 {
	if net < 0 {
		return -vatOf(-net, permille)
	}
	return (net*permille*2 + 1000) / 2000
}

// union are the members of the European Union, as far as its VAT goes.
var union = strings.Fields("AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK")

func isUnion(country string) bool { return slices.Contains(union, country) }

// belongs are the countries of ISO 3166-1 that are part of another one's territory for VAT: Monaco and the Isle of Man
// by Directive 2006/112/EC, article 7; Liechtenstein by its treaty with Switzerland of 28 October 1994. Territories of
// member states that article 6 leaves out and that have a code of their own (such as AX, GF, GP, MQ, RE, YT) are in no
// list, and so outside the Union.
var belongs = map[string]string{"MC": "FR", "IM": "GB", "LI": "CH"}

// territory is where a country belongs for VAT.
func territory(country string) string { return cmp.Or(belongs[country], country) }

// placeOf returns the country whose VAT a supplier that pays VAT charges a buyer; "" if it charges no VAT, because the
// service is supplied where the buyer is: abroad and, from the Union, outside the Union. "Subscription to online
// newspapers" is supplied electronically (Implementing Regulation (EU) 282/2011, annex I, point 3 (c)). Consumers in
// other countries of the Union pay the VAT of the supplier's country below the threshold of article 59c of Directive
// 2006/112/EC, and that of theirs in an edition with billing.oss.
func placeOf(ed *edition.Edition, buyer *Buyer) string {
	home := territory(ed.Supplier.Country)
	if buyer == nil || buyer.Country == "" {
		return home
	}
	there := territory(buyer.Country)
	switch {
	case there == home:
	case !isUnion(home) || !isUnion(there):
		return ""
	case ed.Billing.OSS && ForeignVATNumber(ed, buyer) == "": // who has a number is no consumer
		return there
	}
	return home
}

// law says which rules the place of a supply goes by.
func law(supplierCountry string) string {
	switch home := territory(supplierCountry); {
	case isUnion(home):
		return "union"
	case home == "CH":
		return "swiss"
	}
	return "other"
}

// Treatment says which VAT a price bears, by the words of the pages on which one orders.
type Treatment string

// Treatments of a price. The sum is the same in all of them.
const (
	VATIncluded     Treatment = "included"
	VATByPlace      Treatment = "outside" // the service is supplied where the buyer is
	VATByBuyer      Treatment = "reverse" // the buyer owes it
	VATUnregistered Treatment = "none"    // the supplier pays no VAT
)

// treatment is that of a buyer; good reports that the register has called the buyer's number good.
func treatment(ed *edition.Edition, buyer *Buyer, good bool) Treatment {
	switch {
	case ed.Supplier.VAT == "":
		return VATUnregistered
	case placeOf(ed, buyer) == "":
		return VATByPlace
	case good && ForeignVATNumber(ed, buyer) != "":
		return VATByBuyer
	}
	return VATIncluded
}

// TreatmentOfReader returns how a reader would be charged now.
func TreatmentOfReader(ctx context.Context, tx db.Tx, readerID int64) (Treatment, error) {
	buyer, _, err := FindBuyer(ctx, tx, readerID)
	if err != nil {
		return "", err
	}
	a, err := goodAnswer(ctx, tx, buyer)
	return treatment(tx.Edition, buyer, a != nil), err
}

// Treatment returns how a reader would be charged now.
func (s *Service) Treatment(ctx context.Context, readerID int64) (t Treatment, err error) {
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		t, err = TreatmentOfReader(ctx, tx, readerID)
		return err
	})
	return t, err
}

// Treatment is how the document's buyer was charged.
func (s *Snapshot) Treatment() Treatment {
	switch {
	case s.Supplier.VAT == "":
		return VATUnregistered
	case s.has(VATOutside):
		return VATByPlace
	case s.has(VATReverse):
		return VATByBuyer
	}
	return VATIncluded
}

// VATNote is the message that says why a document has no VAT; "" for a document that has.
func (s *Snapshot) VATNote() string {
	switch s.Treatment() {
	case VATUnregistered:
		return "invoice.noVat"
	case VATByBuyer:
		return "invoice.reverse"
	case VATByPlace:
		switch by := law(s.Supplier.Country); {
		case by == "union" && s.Customer.ClientType == Company:
			return "invoice.outside.union.company"
		case by == "union":
			return "invoice.outside.union.individual"
		default:
			return "invoice.outside." + by
		}
	}
	return ""
}
