package billing

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"

	"golang.org/x/text/language"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/payqr"
)

var (
	bicShape    = regexp.MustCompile(`^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$`)
	seriesShape = regexp.MustCompile(`^[A-Z]{0,4}$`)
	// longest is the payment provider's limit of three years, in each unit.
	longest = map[string]int{"week": 156, "month": 36, "year": 3}
)

var _ = edition.Section(checkSupplier) && edition.Section(checkBank) && edition.Section(checkBilling)

// checkSupplier checks who issues the invoices.
func checkSupplier(c *edition.Checker, d *edition.Document) {
	s := d.Supplier
	for key, v := range map[string]string{
		"name": s.Name, "street": s.Street, "city": s.City, "postal_code": s.Postal, "company_id": s.Company, "tax_id": s.Tax,
	} {
		c.Filled("supplier."+key, v)
	}
	if r, err := language.ParseRegion(s.Country); err != nil || !r.IsCountry() || r.String() != s.Country {
		c.Fail("supplier.country", "%q is not a country code such as AT", s.Country)
	}
}

// checkBank checks the account that readers transfer to.
func checkBank(c *edition.Checker, d *edition.Document) {
	c.Filled("bank.name", d.Bank.Name)
	if !payqr.ValidIBAN(d.Bank.IBAN) {
		c.Fail("bank.iban", "%q is not an IBAN: its check digits do not fit; write it without spaces", d.Bank.IBAN)
	}
	switch booked := d.Bank.Booked; {
	case !payqr.IsQRIBAN(d.Bank.IBAN) && booked != "":
		c.Fail("bank.account_iban", "is for a QR-IBAN alone: the statements of other accounts name bank.iban")
	case !payqr.IsQRIBAN(d.Bank.IBAN):
	case !payqr.ValidIBAN(booked), payqr.IsQRIBAN(booked), booked[:2] != d.Bank.IBAN[:2]:
		c.Fail("bank.account_iban", "%q is not the IBAN of the account behind the QR-IBAN: give the one that its "+
			"statements name, without spaces", booked)
	}
	c.Matches("bank.bic", d.Bank.BIC, bicShape, "such as RIECSKBX")
	if strings.HasPrefix(d.Bank.IBAN, "CH") || strings.HasPrefix(d.Bank.IBAN, "LI") {
		checkSwissLetters(c, d)
	}
}

// checkSwissLetters refuses letters of the payee that a Swiss QR code may not have and that are not replaced.
func checkSwissLetters(c *edition.Checker, d *edition.Document) {
	s := d.Supplier
	for key, text := range map[string]string{"name": s.Name, "street": s.Street, "postal_code": s.Postal, "city": s.City} {
		if _, refused := payqr.SwissText(text); refused != "" {
			c.Fail("supplier."+key, "a Swiss QR code cannot hold %q: write it in Latin letters", refused)
		}
	}
}

// checkBilling checks what is sold.
func checkBilling(c *edition.Checker, d *edition.Document) {
	b := d.Billing
	if d.NumberLocale != "" && !i18n.HasNumbers(d.NumberLocale) {
		c.Fail("number_locale", "amounts cannot be written in %q: the languages are %s", d.NumberLocale,
			strings.Join(i18n.Languages, ", "))
	}
	c.Choice("billing.currency", b.Currency)
	c.Choice("billing.trial.for", b.Trial.For)
	least := int64(1)
	if b.Trial.For == edition.TrialForNone {
		least = 0
	}
	c.Between("billing.trial.days", int64(b.Trial.Days), least, 730)
	if _, err := time.Parse(time.DateOnly, b.Trial.Until); b.Trial.Until != "" && err != nil {
		c.Fail("billing.trial.until", "%q is no day such as 2027-01-01", b.Trial.Until)
	}
	c.Matches("billing.series", b.Series, seriesShape, "up to four letters such as AT, or empty")
	if _, err := time.Parse(time.DateOnly, b.Since); b.Since != "" && err != nil {
		c.Fail("billing.invoices_from", "%q is no day such as 2027-01-01", b.Since)
	}
	c.Between("billing.grace_days", int64(b.GraceDays), 0, 90)
	if len(b.Products) == 0 {
		c.Fail("billing.products", "at least one is needed")
	}
	types, orders := map[string]string{}, map[string]string{}
	for i, p := range b.Products {
		at := fmt.Sprintf("billing.products[%d]", i)
		c.Choice(at+".type", p.Type)
		c.Unique(types, at+".type", p.Type)
		c.Unique(orders, at+".order", fmt.Sprint(p.Order))
		c.Filled(at+".name", p.Name)
		c.Filled(at+".description", p.Description)
		checkPrice(c, at, p)
		if _, err := time.Parse(time.DateOnly, p.ForAllFrom); p.ForAllFrom != "" && err != nil {
			c.Fail(at+".for_all_from", "%q is no day such as 2027-02-01", p.ForAllFrom)
		}
	}
}

// checkPrice checks what a product costs.
func checkPrice(c *edition.Checker, at string, p edition.Product) {
	if p.Type == access.NoProduct {
		if !p.IsSold() {
			c.Fail(at+".sold", "no_product is what everybody has")
		}
		if p.Amount != 0 || p.Interval != (edition.Interval{}) || p.Intro != nil {
			c.Fail(at+".amount", "no_product costs nothing: amount 0, no interval, no intro")
		}
		return
	}
	c.Between(at+".amount", p.Amount, 1, math.MaxInt32)
	if limit, ok := longest[p.Interval.Unit]; !ok {
		c.Fail(at+".interval", "the unit %q is none of week, month, year", p.Interval.Unit)
	} else {
		c.Between(at+".interval.count", int64(p.Interval.Count), 1, int64(limit))
	}
	if p.Intro != nil {
		c.Between(at+".intro.amount", p.Intro.Amount, 1, max(p.Amount-1, 1))
		c.Between(at+".intro.periods", int64(p.Intro.Periods), 1, 52)
	}
}
