package edition

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"
)

func (c *checker) money(d *Document) {
	m := d.Meter
	c.between("meter.limit", int64(m.Limit), 0, 1000)
	// Visitors cannot be counted honestly: whoever forgets a cookie starts again.
	c.between("meter.anonymous_limit", int64(m.AnonymousLimit), 0, 0)
	c.between("meter.videos", int64(m.Videos), 0, 1000)
	c.oneOf("meter.period", m.Period, periods)

	b := d.Billing
	c.oneOf("billing.currency", b.Currency, currencies)
	c.oneOf("billing.trial.for", b.Trial.For, trialFor)
	least := int64(1)
	if b.Trial.For == "none" {
		least = 0
	}
	c.between("billing.trial.days", int64(b.Trial.Days), least, 730)
	if _, err := time.Parse(time.DateOnly, b.Trial.Until); b.Trial.Until != "" && err != nil {
		c.Fail("billing.trial.until", "%q is no day such as 2027-01-01", b.Trial.Until)
	}
	c.matches("billing.series", b.Series, seriesShape, "up to four letters such as AT, or empty")
	if _, err := time.Parse(time.DateOnly, b.Since); b.Since != "" && err != nil {
		c.Fail("billing.invoices_from", "%q is no day such as 2027-01-01", b.Since)
	}
	c.between("billing.grace_days", int64(b.GraceDays), 0, 90)
	if len(b.Products) == 0 {
		c.Fail("billing.products", "at least one is needed")
	}
	types, orders := map[string]string{}, map[string]string{}
	for i, p := range b.Products {
		at := fmt.Sprintf("billing.products[%d]", i)
		c.oneOf(at+".type", p.Type, productTypes)
		c.unique(types, at+".type", p.Type)
		c.unique(orders, at+".order", fmt.Sprint(p.Order))
		c.filled(at+".name", p.Name)
		c.filled(at+".description", p.Description)
		c.price(at, p)
		if _, err := time.Parse(time.DateOnly, p.ForAllFrom); p.ForAllFrom != "" && err != nil {
			c.Fail(at+".for_all_from", "%q is no day such as 2027-02-01", p.ForAllFrom)
		}
	}
}

func (c *checker) price(at string, p Product) {
	if p.Type == "no_product" {
		if p.Amount != 0 || p.Interval != (Interval{}) || p.Intro != nil {
			c.Fail(at+".amount", "no_product costs nothing: amount 0, no interval, no intro")
		}
		return
	}
	c.between(at+".amount", p.Amount, 1, math.MaxInt32)
	if limit, ok := longest[p.Interval.Unit]; !ok {
		c.Fail(at+".interval", "the unit %q is none of week, month, year", p.Interval.Unit)
	} else {
		c.between(at+".interval.count", int64(p.Interval.Count), 1, int64(limit))
	}
	if p.Intro != nil {
		c.between(at+".intro.amount", p.Intro.Amount, 1, max(p.Amount-1, 1))
		c.between(at+".intro.periods", int64(p.Intro.Periods), 1, 52)
	}
}

// validIBAN checks length, letters and the check digits of ISO 13616 (remainder 1 of 97).
func validIBAN(iban string) bool {
	if len(iban) < 15 || len(iban) > 34 {
		return false
	}
	var digits strings.Builder
	for i, r := range iban[4:] + iban[:4] {
		country := i >= len(iban)-4 && i < len(iban)-2
		switch {
		case r >= '0' && r <= '9' && !country:
			digits.WriteRune(r)
		case r >= 'A' && r <= 'Z' && i < len(iban)-2:
			fmt.Fprint(&digits, r-'A'+10)
		default:
			return false
		}
	}
	n, ok := new(big.Int).SetString(digits.String(), 10)
	return ok && n.Mod(n, big.NewInt(97)).Int64() == 1
}
