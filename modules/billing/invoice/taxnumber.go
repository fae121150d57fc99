package invoice

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"example.org/broadsheet/platform/stem"
)

// TaxNumber is a number for value added tax, by the provider's name of its type; "" for one that it has no type for.
type TaxNumber struct {
	Type, Value string
	countries   []string // whose addresses it goes with
}

// taxForm is a form of the numbers of one country.
type taxForm struct {
	letters   string // that the number begins with
	countries []string
	shape     *regexp.Regexp // of what follows
	written   string         // replacement
	example   string         // "" for a form that people type, and that is written otherwise
}

//go:embed vatnumbers.tsv
var taxFormsFile string

// taxForms are the forms of vatnumbers.tsv.
var taxForms = sync.OnceValue(func() (list []taxForm) {
	for line := range strings.Lines(taxFormsFile) {
		if c := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); !strings.HasPrefix(line, "#") {
			f := taxForm{c[0], strings.Fields(c[1]), regexp.MustCompile(`^(?:` + c[2] + `)$`), c[3], ""}
			if len(c) > 4 {
				f.example = c[4]
			}
			list = append(list, f)
		}
	}
	return list
})

// taxTypes are the provider's types that are not those of the Union, by the letters of the number.
var taxTypes = map[string]string{"CHE": "ch_vat", "GB": "gb_vat", "LI": ""}

// taxWords are what people write before a number: the words for it and its abbreviations in the languages of Europe,
// without accents and in the order of the alphabet. A number without its country's letters may follow them.
var taxWords = regexp.MustCompile(`^(?:ADOSZAM|AFA|AFM|ALV|BTW|CF|CIF|CISLO|CODE|CODICE|CUI|CVR|DANOVE|DDV|DIC|` +
	`DPH|FISCAL|FISCALE|IC|ID|IDENT|` +
	`IDENTIFICATION|IDENTIFIKACNE|IDENTIFIKATIONS|INTRACOM|INTRACOMMUNAUTAIRE|INTRACOMUNITARIO|IVA|KMKR|` +
	`KODAS|KOZOSSEGI|MEHRWERTSTEUER|MOMS|MWST|N|NIF|NIP|NIPC|NO|NR|NUM|NUMBER|NUMER|NUMERO|NUMMER|OF|OIB|ORG|` +
	`P|PARTITA|PDV|PRE|PVM|PVN|REG|REGISTRATION|SENR|STEUER|SZAM|TAX|TVA|UID|UMSATZSTEUER|UST|VAT|YTUNNUS|ZA)+$`)

// squashTax leaves the Latin letters and digits of what was typed, in capitals and without accents; "+" and "*" are
// parts of Irish numbers.
func squashTax(typed string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r == '+' || r == '*' {
			return r
		}
		return -1
	}, strings.ToUpper(stem.Fold(norm.NFKC.String(typed))))
}

// ParseTaxNumber reads a number for value added tax as people type it: with or without the letters of its country,
// once or twice, whatever stands between the characters, and with the usual words before it. A number that says no
// country is one of the given country's. It returns nil for what has the form of no country.
func ParseTaxNumber(country, typed string) *TaxNumber {
	bare := squashTax(typed)
	if bare == "" {
		return nil
	}
	own := []string{country}
	for _, f := range taxForms() {
		if slices.Contains(f.countries, country) && !slices.Contains(own, f.letters) {
			own = append(own, f.letters)
		}
	}
	var spoken func(head string) bool // words, and the country's own letters
	spoken = func(head string) bool {
		return head == "" || taxWords.MatchString(head) || slices.ContainsFunc(own, func(letters string) bool {
			rest, first := strings.CutPrefix(head, letters)
			if !first {
				rest, first = strings.CutSuffix(head, letters)
			}
			return first && letters != "" && spoken(rest)
		})
	}
	// What names its country comes first, then the longest that the country of the address has.
	for _, named := range []bool{true, false} {
		for i := range bare {
			if !spoken(bare[:i]) {
				continue
			}
			if n := matchTax(country, bare[i:], named); n != nil {
				return n
			}
		}
	}
	return nil
}

func matchTax(country, text string, named bool) *TaxNumber {
	if rest, greek := strings.CutPrefix(text, "GR"); greek && named { // Directive 2006/112/EC, article 215
		text = "EL" + rest
	}
	for _, f := range taxForms() {
		rest := text
		if named {
			var begins bool
			if rest, begins = strings.CutPrefix(text, f.letters); !begins {
				continue
			}
		} else if !slices.Contains(f.countries, country) {
			continue
		}
		if f.shape.MatchString(rest) {
			kind, other := taxTypes[f.letters]
			if !other {
				kind = "eu_vat"
			}
			return &TaxNumber{kind, f.shape.ReplaceAllString(rest, f.written), f.countries}
		}
	}
	return nil
}

// goesWith reports whether a number is one of those of an address's country.
func (n *TaxNumber) goesWith(country string) bool { return slices.Contains(n.countries, country) }

// CleanTaxNumber returns a number as it is written, or what was typed if it has the form of no country.
func CleanTaxNumber(country, typed string) string {
	if n := ParseTaxNumber(country, typed); n != nil {
		return n.Value
	}
	return typed
}

// TaxNumberExample returns how the numbers of a country look; "" if the table has none of it.
func TaxNumberExample(country string) string {
	for _, f := range taxForms() {
		if f.example != "" && slices.Contains(f.countries, country) {
			return f.example
		}
	}
	return ""
}
