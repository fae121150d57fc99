// Package offer says what an edition sells, and what it costs, in the words that readers see. It imports access for the
// types of products, and nothing else of billing.
package offer

import (
	"bytes"
	"cmp"
	"html"
	"slices"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
)

// Offer is a plan in numbers. Amounts are minor units.
type Offer struct {
	Amount       int64  `json:"amount"`
	Currency     string `json:"currency"`
	Unit         string `json:"unit"`
	Count        int    `json:"count"`
	IntroAmount  int64  `json:"introAmount,omitempty"`
	IntroPeriods int    `json:"introPeriods,omitempty"`
}

// Product is one card of the account page.
type Product struct {
	Type        string `json:"product_type"`
	Name        string `json:"product_name"`
	Title       string `json:"title_tag,omitempty"`
	Price       string `json:"price"` // as shown
	Badge       string `json:"additionnal_text,omitempty"`
	Description string `json:"product_description,omitempty"` // safe HTML
	Order       int    `json:"product_order"`
	Tooltip     string `json:"tooltip_text,omitempty"`
	Offer       *Offer `json:"offer,omitempty"`
	VAT         string `json:"vat,omitempty"`    // that the price bears: a word such as "included"
	Saving      int    `json:"saving,omitempty"` // percent of a year's price, compared with the dearest way to pay it
}

// Of is the monthly plan in numbers, for banners and the pay button; the first that costs something where an
// edition has no monthly one.
func Of(ed *edition.Edition) Offer {
	p := ed.Product(access.Monthly)
	if p != nil && !p.IsSold() {
		p = nil
	}
	for i := range ed.Billing.Products {
		if other := &ed.Billing.Products[i]; p == nil && other.Amount > 0 && other.IsSold() {
			p = other
		}
	}
	if p == nil {
		return Offer{Currency: ed.Billing.Currency, Unit: "week", Count: 4}
	}
	return *numbersOf(ed, p)
}

func numbersOf(ed *edition.Edition, p *edition.Product) *Offer {
	if p.Amount == 0 {
		return nil
	}
	o := &Offer{Amount: p.Amount, Currency: ed.Billing.Currency, Unit: p.Interval.Unit, Count: p.Interval.Count}
	if p.Intro != nil {
		o.IntroAmount, o.IntroPeriods = p.Intro.Amount, p.Intro.Periods
	}
	return o
}

// Products lists what is sold, in the edition's order; kind narrows it to one type, "" and "default" do not.
func Products(ed *edition.Edition, kind string) []Product { return ProductsFor(ed, kind, true) }

// ProductsFor is Products, with introductory prices or, for whoever has had one, without.
func ProductsFor(ed *edition.Edition, kind string, intro bool) []Product {
	list, vat := []Product{}, "included"
	if ed.Supplier.VAT == "" {
		vat = "none"
	}
	for i := range ed.Billing.Products {
		p := &ed.Billing.Products[i]
		if p.Intro != nil && !intro {
			full := *p
			full.Intro, full.Tooltip = nil, "" // the tooltip explains the introductory price
			p = &full
		}
		if kind != "" && kind != "default" && kind != p.Type || p.Amount > 0 && Active(ed, p.Type) == nil {
			continue
		}
		price := Price(ed, p)
		list = append(list, Product{
			Type: p.Type, Name: p.Name, Title: p.Name + " – " + price, Price: price, Badge: p.Badge,
			Description: describe(p.Description), Order: p.Order, Tooltip: p.Tooltip, Offer: numbersOf(ed, p),
			VAT: vat, Saving: saving(ed, p),
		})
	}
	slices.SortFunc(list, func(a, b Product) int { return cmp.Compare(a.Order, b.Order) })
	return list
}

// saving is how many percent a product costs less in a year than the dearest that is sold, after introductory prices;
// rounded down, so that it promises nothing that is not so.
func saving(ed *edition.Edition, p *edition.Product) int {
	dearest := 0.0
	for i := range ed.Billing.Products {
		if s := Active(ed, ed.Billing.Products[i].Type); s != nil {
			dearest = max(dearest, yearly(s))
		}
	}
	if p.Amount == 0 || dearest == 0 {
		return 0
	}
	return int(100 * (1 - yearly(p)/dearest))
}

// yearly is what a product costs in a year, in minor units.
func yearly(p *edition.Product) float64 {
	if p.Interval.Count == 0 {
		return 0
	}
	return float64(p.Amount) * map[string]float64{"week": 365.0 / 7, "month": 12, "year": 1}[p.Interval.Unit] /
		float64(p.Interval.Count)
}

// Price says what a product costs, in the edition's words: the first periods, then every period.
func Price(ed *edition.Edition, p *edition.Product) string {
	switch {
	case p.Amount == 0:
		return i18n.T(ed, "offer.free", nil)
	case p.Intro == nil:
		return i18n.T(ed, "offer.price",
			map[string]any{"Amount": i18n.Money(ed, p.Amount), "Every": Interval(ed, p.Interval)})
	}
	words := "offer.intro"
	if p.Intro.Periods > 1 {
		words = "offer.introEach"
	}
	return i18n.T(ed, words, map[string]any{
		"First": i18n.N(ed, "offer.first."+p.Interval.Unit, p.Interval.Count*p.Intro.Periods, nil),
		"Intro": i18n.Money(ed, p.Intro.Amount), "Amount": i18n.Money(ed, p.Amount), "Every": Interval(ed, p.Interval),
	})
}

// PriceFor returns the price that a reader will pay; intro reports whether the introductory one is open to them.
func PriceFor(ed *edition.Edition, p *edition.Product, intro bool) string {
	if p.Intro != nil && !intro {
		full := *p
		full.Intro = nil
		p = &full
	}
	return Price(ed, p)
}

// Interval says "every 4 weeks".
func Interval(ed *edition.Edition, i edition.Interval) string {
	return i18n.N(ed, "offer.every."+i.Unit, i.Count, nil)
}

var policy = bluemonday.UGCPolicy()

// describe turns Markdown of the tenant file into safe HTML.
func describe(markdown string) string { return policy.Sanitize(render(markdown)) }

// render leaves out HTML that stands in the Markdown, and addresses that run something.
func render(markdown string) string {
	var b bytes.Buffer
	if err := goldmark.Convert([]byte(markdown), &b); err != nil {
		return html.EscapeString(markdown)
	}
	return b.String()
}
