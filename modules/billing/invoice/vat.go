package invoice

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
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
