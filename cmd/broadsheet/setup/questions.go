package setup

import (
	"fmt"
	"strings"

	"golang.org/x/text/language"

	"example.org/broadsheet/platform/paper/edition"
)

// questions are those about a document that begins as template, in their order. Where two keys have to agree, the later
// question is the one that is asked again.
func questions(template *edition.Document) []question {
	all := []question{
		plain("Id, such as standard_at: names schema, login and settings, and stays for ever", nil, "id"),
		plain("Name of the paper", nil, "name", "mail.from_name", "identity.mail_app_name"),
		list("Hosts, the one for readers first", "hosts"),
		plain("Tagline", func(d *edition.Document) string { return d.Tagline }, "tagline"),
		plain("Description for search engines", func(d *edition.Document) string { return d.Description }, "description"),
		plain("Time zone", func(d *edition.Document) string { return d.TimeZone }, "time_zone"),
		plain("Set of addresses ("+strings.Join(edition.RouteSets(), ", ")+")",
			func(d *edition.Document) string { return d.RouteSet }, "route_set"),
		own("Company that sells", func(d *edition.Document) string { return d.Supplier.Name }, "supplier.name"),
		own("Its street and number", func(d *edition.Document) string { return d.Supplier.Street }, "supplier.street"),
		own("Its postal code", func(d *edition.Document) string { return d.Supplier.Postal }, "supplier.postal_code"),
		own("Its city", func(d *edition.Document) string { return d.Supplier.City }, "supplier.city"),
		plain("Its country, as a code", regionOf, "supplier.country"),
		own("Its number as a company", func(d *edition.Document) string { return d.Supplier.Company }, "supplier.company_id"),
		own("Its tax number", func(d *edition.Document) string { return d.Supplier.Tax }, "supplier.tax_id"),
		optional("Its VAT number", "supplier.vat_id", func(d *edition.Document) string { return d.Supplier.VAT }),
		optional("Its entry in the register", "supplier.register",
			func(d *edition.Document) string { return d.Supplier.Register }),
		optional("Letters in the numbers of invoices, where editions share the company", "billing.series",
			func(d *edition.Document) string { return d.Billing.Series }),
		plain("Currency (EUR, CHF)", func(d *edition.Document) string { return d.Billing.Currency }, "billing.currency"),
		yesNo("Sell subscriptions", "flags.subscriptions", sells),
	}
	all = append(all, prices(template)...)
	return append(all,
		yesNo("Take bank transfers", "flags.bank_transfer",
			func(d *edition.Document) bool { return d.Flags["bank_transfer"] }),
		own("Bank", func(d *edition.Document) string { return d.Bank.Name }, "bank.name"),
		own("IBAN, without spaces", func(d *edition.Document) string { return d.Bank.IBAN }, "bank.iban"),
		own("BIC", func(d *edition.Document) string { return d.Bank.BIC }, "bank.bic"),
		plain("Address that emails come from", mailboxOf("news"), "mail.from"),
		plain("Address of support, which answers go to", mailboxOf("support"), "support_email", "mail.reply_to"),
	)
}

// prices asks what each product costs.
func prices(template *edition.Document) (all []question) {
	for i, p := range template.Billing.Products {
		if p.Amount == 0 {
			continue
		}
		at := fmt.Sprintf("billing.products[%d]", i)
		each := fmt.Sprintf("%q, for %d %s", p.Name, p.Interval.Count, p.Interval.Unit)
		list := []question{price("Price of "+each, at+".amount", p.Amount)}
		if p.Intro != nil {
			words := fmt.Sprintf("Its first periods (%d) cost, each", p.Intro.Periods)
			list = append(list, price(words, at+".intro.amount", p.Intro.Amount))
		}
		for _, q := range list {
			q.only = sells
			all = append(all, q)
		}
	}
	return all
}

func sells(d *edition.Document) bool { return d.Flags["subscriptions"] }

// regionOf is the country of the edition's language, such as AT of de-AT.
func regionOf(d *edition.Document) string {
	region, _ := language.Make(d.IntlLocale).Region()
	return region.String()
}

// mailboxOf suggests an address of the edition's own host.
func mailboxOf(name string) read {
	return func(d *edition.Document) string { return name + "@" + strings.TrimPrefix(d.Hosts[0], "www.") }
}
