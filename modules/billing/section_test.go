package billing

import (
	"testing"

	"example.org/broadsheet/platform/testkit"
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
		"currency":           {"currency: EUR", "currency: euro", "billing.currency: \"euro\" is none of EUR, CHF"},
		"product twice":      {"type: product_yearly", "type: product_monthly", "is that of billing.products[0].type too"},
		"trial without days": {"{days: 28, for: campaign}", "{days: 0, for: campaign}", "billing.trial.days"},
	})
}
