package billing

import (
	"html"
	"strings"
	"testing"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/platform/paper/edition"
)

// The provider's page says which VAT the price bears, in the words of the page before it, also after the introductory
// price has been had.
func TestCheckout_VAT(t *testing.T) {
	t.Parallel()
	const (
		included = "Ceny sú konečné, s DPH."
		outside  = "Do krajiny z vašich fakturačných údajov DPH neúčtujeme."
		reverse  = "Ceny sú konečné, bez DPH: daň odvádza vaša firma (prenesenie daňovej povinnosti)."
		none     = "Ceny sú konečné. Nie sme platiteľmi DPH."
	)
	for name, c := range map[string]struct {
		data   string // of the buyer
		change func(*edition.Document)
		want   string
	}{
		"of no country":        {"", nil, included},
		"at home":              {companyAs("SK", "811 01", ""), nil, included},
		"a company abroad":     {companyAs("AT", "1010", goodNumber), nil, reverse},
		"without its number":   {companyAs("AT", "1010", ""), nil, included},
		"outside the Union":    {companyAs("NO", "0150", ""), nil, outside},
		"supplier pays no VAT": {"", func(d *edition.Document) { d.Supplier.VAT = "" }, none},
	} {
		for _, product := range []string{access.Monthly, access.Yearly} {
			t.Run(name+"/"+product, func(t *testing.T) {
				t.Parallel()
				change := []func(*edition.Document){}
				if c.change != nil {
					change = append(change, c.change)
				}
				p := newEnv(t, change...)
				p.shop.Invoices.Register = &register{good: map[string]bool{goodNumber: true}}
				if c.data != "" {
					p.post(1, "/fns/user-data-set", c.data)
				}
				text := html.UnescapeString(p.look(p.order(1, product)))
				if !strings.Contains(text, c.want) {
					t.Errorf("the page does not say %q:\n%s", c.want, text)
				}
				if got := strings.Contains(text, "sa predplatné obnovuje za"); got != (product == access.Monthly) {
					t.Errorf("the page says what comes after the introductory price: %t", got)
				}
			})
		}
	}
}

// Who changes what decides over VAT and orders again does not come to a page that says something else, nor can it be
// paid; who changes nothing comes to the same page.
func TestCheckout_ShownOtherwise(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(p *env)
		same   bool
		says   string
	}{
		"nothing": {func(*env) {}, true, "s DPH"},
		"the city": {func(p *env) {
			p.post(1, "/fns/user-data-set", companyAs("SK", "811 02", ""))
		}, true, "s DPH"},
		"the country": {func(p *env) {
			p.post(1, "/fns/user-data-set", companyAs("NO", "0150", ""))
		}, false, "DPH neúčtujeme"},
		"the price": {func(p *env) {
			p.changed(func(d *edition.Document) { d.Billing.Products[1].Amount = 9900 })
		}, false, "99,00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			first := p.order(1, access.Yearly)
			c.change(p)
			second := p.order(1, access.Yearly)
			if (first == second) != c.same {
				t.Errorf("got the pages %s and %s, want the same: %t", first, second, c.same)
			}
			if text := html.UnescapeString(p.look(second)); !strings.Contains(text, c.says) {
				t.Errorf("the page does not say %q:\n%s", c.says, text)
			}
			if open := p.listed("checkout/sessions?status=open"); len(open) != 1 {
				t.Errorf("%d pages can be paid, want one", len(open))
			}
			p.buy(second, goodCard)
			p.work()
			if n := len(p.paid()); n != 1 || len(p.subscriptions(1)) != 1 {
				t.Errorf("got %d payments and %+v", n, p.subscriptions(1))
			}
		})
	}
}

// Each language and region has its own name of the tax.
func TestVATNote(t *testing.T) {
	t.Parallel()
	base := newEnv(t).ed
	for want, at := range map[string][2]string{
		"Ceny sú konečné, s DPH.": {"sk", "sk"}, "Preise inklusive Mehrwertsteuer.": {"de", "de"},
		"Preise inklusive Umsatzsteuer.": {"de", "de-AT"}, "Preise inklusive MWST.": {"de", "de-CH"},
		"Prices include VAT.": {"en", "en"},
	} {
		ed := *base
		ed.Locale, ed.IntlLocale = at[0], at[1]
		if got, err := offer.VATNote(&ed, "included"); err != nil || got != want {
			t.Errorf("%v: got %q, %v, want %q", at, got, err, want)
		}
	}
}
