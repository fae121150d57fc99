package billing

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/tenants"
)

func TestSectionsOfMoney(t *testing.T) {
	t.Parallel()
	testkit.DocumentProblems(t, map[string][3]string{
		"country": {"country: SK", "country: sk", "supplier.country"},
		"iban":    {"iban: SK89", "iban: SK98", "bank.iban: \"SK9899520000001987426375\" is not an IBAN"},
		"QR-IBAN alone": {
			"iban: SK8999520000001987426375", "iban: CH4431999123000889012",
			"bank.account_iban: \"\" is not the IBAN of the account",
		},
		"QR-IBAN twice": {
			"iban: SK8999520000001987426375",
			"iban: CH4431999123000889012\n  account_iban: CH4431999123000889012", "bank.account_iban",
		},
		"account of another": {
			"iban: SK8999520000001987426375",
			"iban: CH4431999123000889012\n  account_iban: AT879993000198742637", "bank.account_iban",
		},
		"account for nothing": {
			"iban: SK8999520000001987426375",
			"iban: SK8999520000001987426375\n  account_iban: SK8999520000001987426375", "bank.account_iban: is for a QR-IBAN " +
				"alone",
		},
		"price of nothing":  {"amount: 796", "amount: 0", "billing.products[0].amount: 0 is not between 1"},
		"negative price":    {"amount: 796", "amount: -796", "billing.products[0].amount"},
		"intro not cheaper": {"intro: {amount: 100", "intro: {amount: 796", "billing.products[0].intro.amount"},
		"interval":          {"{unit: week, count: 4}", "{unit: fortnight, count: 2}", "none of week, month, year"},
		"interval too long": {
			"{unit: year, count: 1}", "{unit: year, count: 4}",
			"billing.products[1].interval.count: 4 is not between 1 and 3",
		},
		"interval forgotten": {"      interval: {unit: year, count: 1}\n", "", "billing.products[1].interval"},
		"numbers of another language": {
			"number_locale: sk-SK", "number_locale: fr-FR", `number_locale: amounts cannot be written in "fr-FR"`,
		},
		"currency":           {"currency: EUR", "currency: euro", "billing.currency: \"euro\" is none of EUR, CHF"},
		"product twice":      {"type: product_yearly", "type: product_monthly", "is that of billing.products[0].type too"},
		"trial without days": {"{days: 28, for: campaign}", "{days: 0, for: campaign}", "billing.trial.days"},
	})
}

// TestSection_swissLetters holds for suppliers whose account asks for a Swiss QR code.
func TestSection_swissLetters(t *testing.T) {
	t.Parallel()
	text, err := fs.ReadFile(tenants.FS, "standard_com.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, key, value, refused string }{
		{"typographic", "name", "Blatt’s & Söhne – „Medien“ AG", ""},
		{"accents of other languages", "name", "Nguyễn Škvor AG", ""},
		{"Cyrillic", "name", "Газета AG", `a Swiss QR code cannot hold "Газета"`},
		{"emoji", "city", "Zürich 📰", `a Swiss QR code cannot hold "📰"`},
		{"ideographs", "street", "李小龙 1", `a Swiss QR code cannot hold "李小龙"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			supplier := regexp.MustCompile(`(?s)(\nsupplier:.*?\n  ` + c.key + `: )[^\n]*`)
			changed := supplier.ReplaceAllString(string(text), "${1}'"+strings.ReplaceAll(c.value, "'", "''")+"'")
			_, err := edition.Parse("x.yaml", []byte(changed))
			if (err == nil) != (c.refused == "") {
				t.Fatalf("got %v, want %q", err, c.refused)
			}
			if err != nil && (!strings.Contains(err.Error(), c.refused) ||
				!regexp.MustCompile(`^x\.yaml:\d+: supplier\.`+c.key).MatchString(err.Error())) {
				t.Errorf("got %v, want file, line, key and %q", err, c.refused)
			}
		})
	}
}
