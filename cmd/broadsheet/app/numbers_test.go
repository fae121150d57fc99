package app

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/tenants"
)

// What the editions that ship charge: 1.00 for the first four weeks, then 7.96 every four weeks; 89.00 a year. Prices
// of old terms are nowhere, and what is offered first is the monthly plan.
func TestPricesThatShip(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"standard", "standard_at", "standard_com"} {
		text, err := fs.ReadFile(tenants.FS, id+".yaml")
		if err != nil {
			t.Fatal(err)
		}
		doc, err := edition.Parse(id+".yaml", text)
		if err != nil {
			t.Fatal(err)
		}
		products := map[string]edition.Product{}
		for _, p := range doc.Billing.Products {
			products[p.Type] = p
		}
		month, year, none := products["product_monthly"], products["product_yearly"], products["no_product"]
		if doc.Billing.Currency != "EUR" || month.Amount != 796 ||
			month.Interval != (edition.Interval{Unit: "week", Count: 4}) || month.Intro == nil || month.Intro.Amount != 100 ||
			month.Intro.Periods != 1 {
			t.Errorf("%s, four weeks: %+v %+v", id, month, month.Intro)
		}
		if year.Amount != 8900 || year.Interval != (edition.Interval{Unit: "year", Count: 1}) || year.Intro != nil ||
			none.Amount != 0 {
			t.Errorf("%s, a year: %+v, nothing: %+v", id, year, none)
		}
		if month.Order >= year.Order || year.Order >= none.Order || len(products) != 3 {
			t.Errorf("%s: the order is %d, %d, %d of %d", id, month.Order, year.Order, none.Order, len(products))
		}
		if !slices.Contains([]string{"campaign", "invited"}, doc.Billing.Trial.For) || doc.Billing.Trial.Days != 28 ||
			doc.Meter.Limit != 3 {
			t.Errorf("%s: trial %+v, free articles %d", id, doc.Billing.Trial, doc.Meter.Limit)
		}
		for _, old := range []string{"amount: 9900", "amount: 99900", "999,00", "99,00"} {
			if strings.Contains(string(text), old) {
				t.Errorf("%s still says %s", id, old)
			}
		}
	}
}
