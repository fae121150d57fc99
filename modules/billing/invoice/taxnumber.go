package invoice

import (
	"regexp"
	"strings"
)

// TaxNumber is a number for value added tax, by the provider's name of its type.
type TaxNumber struct{ Type, Value string }

// taxTypes are the provider's types of numbers, by what these look like without blanks, dots and hyphens.
var taxTypes = []struct {
	shape *regexp.Regexp
	name  string
	write string // replacement
}{
	{regexp.MustCompile(`^CHE(\d{3})(\d{3})(\d{3})(MWST|TVA|IVA)$`), "ch_vat", "CHE-$1.$2.$3 $4"},
	{regexp.MustCompile(`^(GB\d{9}(?:\d{3})?)$`), "gb_vat", "$1"},
	{regexp.MustCompile(`^((?:AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|` +
		`XI)[0-9A-Z+*]{8,12})$`), "eu_vat", "$1"},
}

// ParseTaxNumber reads a number for value added tax, with or without the country before it; nil where it looks like
// none.
func ParseTaxNumber(country, typed string) *TaxNumber {
	if country == "GR" { // whose numbers begin otherwise
		country = "EL"
	}
	bare := strings.ToUpper(strings.NewReplacer(" ", "", ".", "", "-", "", "/", "").Replace(typed))
	if bare == "" {
		return nil
	}
	for _, candidate := range []string{bare, country + bare} {
		for _, t := range taxTypes {
			if t.shape.MatchString(candidate) {
				return &TaxNumber{t.name, t.shape.ReplaceAllString(candidate, t.write)}
			}
		}
	}
	return nil
}
