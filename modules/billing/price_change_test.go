package billing

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/paper/edition"
)

// raise has the paper sell a product at another price, which is to count for all from a day on.
func (p *env) raise(kind string, amount int64, from time.Time) {
	p.t.Helper()
	doc := p.ed.Document
	doc.Billing.Products = slices.Clone(doc.Billing.Products)
	for i := range doc.Billing.Products {
		if doc.Billing.Products[i].Type == kind {
			doc.Billing.Products[i].Amount, doc.Billing.Products[i].ForAllFrom = amount, from.Format(time.DateOnly)
		}
	}
	ed, err := edition.New(doc, "https://{host}")
	if err != nil {
		p.t.Fatal(err)
	}
	p.ed, p.ctx = ed, edition.With(p.ctx, ed)
}

func (p *env) prices() {
	p.t.Helper()
	for range 2 {
		if err := p.shop.Subscriptions.SweepPrices(p.ctx); err != nil {
			p.t.Fatal(err)
		}
		if err := p.shop.Subscriptions.ApplyPrices(p.ctx); err != nil {
			p.t.Fatal(err)
		}
		if err := p.shop.Subscriptions.SweepNotices(p.ctx); err != nil {
			p.t.Fatal(err)
		}
		p.work()
	}
}

// Another price is told at least thirty days before the renewal from which it counts, once, and is charged from then
// on.
func TestPriceChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		product  string
		amount   int64
		from     int   // days from the first look on
		looks    []int // days after the purchase
		then     string
		messages int
		charged  []int64
	}{
		"four weeks": {
			product: access.Monthly, amount: 896, from: 0, looks: []int{10, 27, 55, 83, 84, 112}, messages: 1,
			charged: []int64{896, 896, 896, 796, 100},
		},
		"a price that falls": {
			product: access.Monthly, amount: 696, from: 0, looks: []int{10, 27, 55, 83, 84}, messages: 1,
			charged: []int64{696, 696, 796, 100},
		},
		"from a day on": {
			product: access.Monthly, amount: 896, from: 70, looks: []int{10, 27, 55, 83, 84, 111, 112},
			messages: 1, charged: []int64{896, 896, 796, 796, 100},
		},
		"cancelled after it": {
			product: access.Monthly, amount: 896, from: 0, looks: []int{10, 27}, then: `{"action":"cancel"}`,
			messages: 1, charged: []int64{100},
		},
		"a year": {
			product: access.Yearly, amount: 9900, from: 0, looks: []int{10, 200, 320, 364, 365, 367}, messages: 1,
			charged: []int64{9900, 8900},
		},
		"a year, too late": {
			product: access.Yearly, amount: 9900, from: 0, looks: []int{340, 364, 365, 367}, messages: 0,
			charged: []int64{8900, 8900},
		},
		"after downtime": {
			product: access.Monthly, amount: 896, from: 0, looks: []int{10, 100, 111, 112}, messages: 1,
			charged: []int64{896, 796, 796, 796, 100},
		},
		"in a far year": {
			product: access.Monthly, amount: 896, from: 400, looks: []int{10, 27, 55}, messages: 0,
			charged: []int64{796, 100},
		},
		"one that is as it was": {
			product: access.Monthly, amount: 796, from: 0, looks: []int{10, 55}, messages: 0,
			charged: []int64{796, 100},
		},
		"a year, told and noted": {
			product: access.Yearly, amount: 9900, from: 0, looks: []int{320, 355, 364, 365, 367}, messages: 1,
			charged: []int64{9900, 8900},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			p.subscribe(1, c.product)
			at := 0
			for i, day := range c.looks {
				p.advance(time.Duration(day-at)*24*time.Hour + time.Duration(i)*time.Minute)
				at = day
				p.work()
				if i == 0 {
					p.raise(c.product, c.amount, p.db.Now().AddDate(0, 0, c.from))
				}
				p.prices()
			}
			if c.then != "" {
				p.change(1, c.then)
				p.advance(60 * 24 * time.Hour)
				p.prices()
			}
			messages := p.sent("price_change")
			if len(messages) != c.messages || !slices.Equal(p.paid(), c.charged) {
				t.Errorf("emails %q, charged %v, want %v", subjects(messages), p.paid(), c.charged)
			}
			if n := p.count("SELECT count(*) FROM billing_price_changes WHERE from_at < told_at + interval '30 days'"); n != 0 {
				t.Errorf("%d were told too late", n)
			}
			for _, l := range messages {
				if text := l.Blocks[1].Text; !strings.Contains(text,
					strings.Replace(fmt.Sprintf("%.2f", float64(c.amount)/100), ".", ",", 1)) {
					t.Errorf("it says %q", text)
				}
			}
			for _, l := range p.sent("renewal") {
				if c.product == access.Yearly && c.messages > 0 && !strings.Contains(l.Blocks[1].Text, "99,00") {
					t.Errorf("the renewal says %q", l.Blocks[1].Text)
				}
			}
			if got := len(p.sent("renewal")); c.product == access.Monthly && got > 1 {
				t.Errorf("%d renewals were announced", got)
			}
		})
	}
}
