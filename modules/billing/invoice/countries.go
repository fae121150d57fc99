package invoice

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/stem"
)

// Country is a country as forms offer it.
type Country struct {
	Code string `json:"code"` // ISO 3166-1 alpha-2
	Name string `json:"name"`
}

//go:embed countries.tsv
var countriesFile string

// CountryNames has the codes of ISO 3166-1, and XK of Kosovo, with their names in the languages of the interface. The
// columns of the file are i18n.Languages.
var CountryNames = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for line := range strings.Lines(countriesFile) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		all[c[0]] = map[string]string{}
		for n, name := range c[1:] {
			all[c[0]][i18n.Languages[n]] = name
		}
	}
	return all
})

// CheckCountries returns an error if a country has no name in one of the languages.
func CheckCountries(languages []string) error {
	for code, names := range CountryNames() {
		for _, lang := range languages {
			if names[lang] == "" {
				return fmt.Errorf("billing: country %s has no name in language %s", code, lang)
			}
		}
	}
	return nil
}

// CountriesIn lists all countries in the order of a language's alphabet.
func CountriesIn(lang string) []Country {
	list := make([]Country, 0, len(CountryNames()))
	for code, names := range CountryNames() {
		list = append(list, Country{code, names[lang]})
	}
	order := collate.New(language.Make(lang))
	slices.SortFunc(list, func(a, b Country) int { return order.CompareString(a.Name, b.Name) })
	return list
}

//go:embed countrynames.tsv
var otherNamesFile string

// countryCodes has the codes by what countries are called, as countryKey writes it.
var countryCodes = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(otherNamesFile) {
		if c := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); !strings.HasPrefix(line, "#") {
			for _, name := range c[1:] {
				all[countryKey(name)] = c[0]
			}
		}
	}
	for code, names := range CountryNames() {
		for _, name := range names {
			all[countryKey(name)] = code
		}
	}
	return all
})

// countryKey leaves the letters of a name, without accents and without the words that are left out as often as not.
func countryKey(name string) string {
	words := strings.FieldsFunc(strings.ReplaceAll(stem.Fold(name), ".", ""), func(r rune) bool {
		return !unicode.IsLetter(r)
	})
	return strings.Join(slices.DeleteFunc(words, func(w string) bool {
		return slices.Contains([]string{"the", "die", "and", "und", "a"}, w)
	}), "")
}

// ParseCountry reads a code of ISO 3166-1, of two letters or of three, or a name: "Österreich" as "Rakusko". It returns
// "" for what no country is called.
func ParseCountry(s string) string {
	s = strings.TrimSpace(s)
	if code := strings.ToUpper(s); CountryNames()[code] != nil {
		return code
	}
	if code := countryCodes()[countryKey(s)]; code != "" {
		return code
	}
	if len(s) == 3 && strings.IndexFunc(s, unicode.IsDigit) < 0 {
		if r, err := language.ParseRegion(s); err == nil && CountryNames()[r.String()] != nil {
			return r.String()
		}
	}
	return ""
}

// postal is how a country writes its codes: digits and emails without what stands between them, and where that stands.
type postal struct {
	pattern *regexp.Regexp
	gap     int // emails before it; 0 for none
	between string
	prefix  string // of emails, which people write before it
}

func digits(pattern string, gap int, between string, prefix ...string) postal {
	return postal{regexp.MustCompile(`^` + pattern + `$`), gap, between, strings.Join(prefix, "|")}
}

// postals are those of the countries in which the editions are read, and of their neighbours.
var postals = map[string]postal{
	"AT": digits(`[1-9]\d{3}`, 0, "", "A"),
	"BE": digits(`[1-9]\d{3}`, 0, "", "B"),
	"CH": digits(`[1-9]\d{3}`, 0, ""),
	"CZ": digits(`[1-7]\d{4}`, 3, " "),
	"DE": digits(`\d{5}`, 0, "", "D"),
	"FR": digits(`\d{5}`, 0, "", "F"),
	"HU": digits(`[1-9]\d{3}`, 0, "", "H"),
	"IT": digits(`\d{5}`, 0, "", "I"),
	"LI": digits(`94(?:8[5-9]|9[0-8])`, 0, "", "FL"),
	"LU": digits(`\d{4}`, 0, "", "L"),
	"NL": digits(`[1-9]\d{3}[A-Z]{2}`, 4, " "),
	"PL": digits(`\d{5}`, 2, "-"),
	"SI": digits(`[1-9]\d{3}`, 0, ""),
	"SK": digits(`[089]\d{4}`, 3, " "),
	"UA": digits(`\d{5}`, 0, ""),
	"US": digits(`\d{5}(?:\d{4})?`, 5, "-"),
}

// anyPostal is what a code of any other country looks like.
var anyPostal = regexp.MustCompile(`^[A-Z0-9][A-Z0-9 -]{0,10}[A-Z0-9]$`)

// ParsePostal reads a code as its country writes it, "81101" as "811 01"; "" for one that it does not have.
func ParsePostal(country, s string) string {
	s = strings.Join(strings.Fields(strings.ToUpper(s)), " ")
	rule, known := postals[country]
	if !known {
		if !anyPostal.MatchString(s) || !strings.ContainsAny(s, "0123456789") {
			return ""
		}
		return s
	}
	bare := strings.NewReplacer(" ", "", "-", "").Replace(s)
	for _, prefix := range []string{country, rule.prefix} {
		if rest := strings.TrimPrefix(bare, prefix); prefix != "" && rest != bare && rule.pattern.MatchString(rest) {
			bare = rest
			break
		}
	}
	if !rule.pattern.MatchString(bare) {
		return ""
	}
	if rule.gap > 0 && len(bare) > rule.gap {
		bare = bare[:rule.gap] + rule.between + bare[rule.gap:]
	}
	return bare
}
