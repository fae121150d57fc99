package billing

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/voucher"
	"example.org/broadsheet/platform/paper/edition"
)

// changed has the edition's document changed while the process runs.
func (p *env) changed(change func(*edition.Document)) {
	p.t.Helper()
	ed := *p.ed
	ed.Billing.Products = slices.Clone(ed.Billing.Products)
	change(&ed.Document)
	p.ed = &ed
	p.ctx = edition.With(context.WithoutCancel(p.ctx), p.ed)
	p.restart()
}

// stopSelling keeps the yearly product for those who have it.
func stopSelling(d *edition.Document) { d.Billing.Products[1].Sold = new(bool) }

func TestSold_False(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	card := p.subscribe(1, access.Yearly)
	code := p.coupons(func(b *voucher.Batch) { b.Product = access.Yearly; b.Until = p.db.Now().AddDate(3, 0, 0) })[0]
	p.changed(stopSelling)
	yearly := func(o offer.Product) bool { return o.Type == access.Yearly }
	if got := offer.Products(p.ed, ""); slices.ContainsFunc(got, yearly) {
		t.Errorf("got an offer of it: %+v", got)
	}
	for path, body := range map[string]string{
		"/fns/stripe-payment": `{"product_type":"product_yearly","payment_method":"card"}`,
		"/fns/gift-payment":   `{"product_type":"product_yearly","buyer_email":"giver@example.org"}`,
	} {
		if a := p.post(2, path, body); a.Status < 400 {
			t.Errorf("%s: got %d %v, want a refusal", path, a.Status, a.Body)
		}
	}
	if _, err := voucher.CreateCoupons(p.ctx, p.db, voucher.Batch{
		Name: "more", Product: access.Yearly, Count: 1, Periods: 1, Uses: 1, Until: p.db.Now().AddDate(0, 1, 0),
	}); err == nil {
		t.Error("codes were made for it")
	}
	monthly := p.subscribe(3, access.Monthly)
	if got := p.state(3).Can; slices.Contains(got, access.ChangeSwitch) {
		t.Errorf("%s: can be changed by %v, want no switch", monthly.Product, got)
	}
	if got := p.state(1); !slices.Contains(got.Can, access.ChangeSwitch) || got.Product != "Ročné" ||
		got.Payment == nil || got.Payment.Amount != 8900 {
		t.Errorf("got %+v, want what was bought, and a way to what is sold", got)
	}
	p.redeemed(4, access.Monthly)
	if a := p.redeems(5, code); a.Status != http.StatusOK {
		t.Errorf("a code from before: %d %v", a.Status, a.Body)
	}
	p.advance(351 * day)
	if err := p.shop.Subscriptions.SweepNotices(p.ctx); err != nil {
		t.Fatal(err)
	}
	p.work()
	if got := len(p.sent("renewal")); got != 1 {
		t.Errorf("%d renewals were announced, want 1", got)
	}
	p.advance(15 * day)
	p.work()
	if s := p.subscriptions(1)[0]; s.Status != stripe.Active || s.Product != access.Yearly || s.Paid != 8900 ||
		!s.PeriodEnd.After(card.PeriodEnd) {
		t.Errorf("got %+v, want it renewed", s)
	}
}

// A product that the document has lost stays what it is, and a person looks at it; nothing is called monthly.
func TestSync_UnknownProduct(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	s := p.subscribe(1, access.Yearly)
	p.changed(func(d *edition.Document) { d.Billing.Products = slices.Delete(d.Billing.Products, 1, 2) })
	if err := p.shop.Subscriptions.SyncSubscription(p.ctx, s.ProviderID); err != nil {
		t.Fatal(err)
	}
	if got := p.subscriptions(1)[0]; got.Product != access.Yearly || got.Amount != 8900 || got.Status != stripe.Active {
		t.Errorf("got %+v, want it as it was", got)
	}
	list, err := p.shop.Access.Reviews(p.ctx, false)
	if err != nil || len(list) != 1 || list[0].Kind != access.ReviewPrice || list[0].ProviderID != s.ProviderID {
		t.Errorf("got %+v %v, want one entry of the review queue", list, err)
	}
	for _, action := range []string{
		`{"action":"pause","periods":1}`, `{"action":"switch","product_type":"product_monthly"}`,
	} {
		if a := p.post(1, "/fns/stripe-subscription", action); a.Status != http.StatusConflict {
			t.Errorf("%s: got %d %v, want 409", action, a.Status, a.Body)
		}
	}
	if until, _, _, _ := p.standing(1); until.IsZero() {
		t.Error("it opens nothing")
	}
	if drift := p.drift(); len(drift) != 0 {
		t.Errorf("got %+v, want nothing that differs", drift)
	}
	p.changed(func(d *edition.Document) {
		d.Billing.Products = append(d.Billing.Products, edition.Product{
			Type: access.Yearly, Name: "Ročné", Amount: 8900, Interval: edition.Interval{Unit: "year", Count: 1}, Order: 9,
		})
	})
	if err := p.shop.Subscriptions.SyncSubscription(p.ctx, s.ProviderID); err != nil {
		t.Fatal(err)
	}
	if list, err := p.shop.Access.Reviews(p.ctx, false); err != nil || len(list) != 0 {
		t.Errorf("got %+v %v, want an empty queue once the document knows it", list, err)
	}
}

// A subscription that was made by hand, at a price without a name, is of no product.
func TestSync_PriceByHand(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	s := p.subscribe(1, access.Monthly)
	customer, _ := p.api(http.MethodGet, "subscriptions/"+s.ProviderID, nil)["customer"].(string)
	p.api(http.MethodDelete, "subscriptions/"+s.ProviderID, nil)
	price, _ := p.api(http.MethodPost, "prices", url.Values{
		"currency": {"eur"}, "unit_amount": {"500"}, "recurring[interval]": {"month"}, "product_data[name]": {"by hand"},
	})["id"].(string)
	method, _ := p.api(http.MethodPost, "payment_methods/pm_card_visa/attach",
		url.Values{"customer": {customer}})["id"].(string)
	p.api(http.MethodPost, "subscriptions", url.Values{
		"customer": {customer}, "items[0][price]": {price}, "default_payment_method": {method},
	})
	p.work()
	list := p.subscriptions(1)
	if len(list) != 2 || list[1].Product != access.NoProduct || list[1].Amount != 500 || list[1].Status != stripe.Active {
		t.Errorf("got %+v, want a second one of no product", list)
	}
	if n := p.count("SELECT count(*) FROM billing_parked WHERE kind = 'unknown_price'"); n != 1 {
		t.Errorf("%d entries of the review queue, want 1", n)
	}
}

func TestKeepsProducts(t *testing.T) {
	t.Parallel()
	forAYear := func(b *voucher.Batch) { b.Product = access.Yearly }
	drop := func(d *edition.Document) { d.Billing.Products = slices.Delete(slices.Clone(d.Billing.Products), 1, 2) }
	for name, c := range map[string]struct {
		does    func(*env)
		change  func(*edition.Document)
		refused bool
	}{
		"nobody has it":              {func(*env) {}, drop, false},
		"a reader has another one":   {func(p *env) { p.subscribe(1, access.Monthly) }, drop, false},
		"a reader has it":            {func(p *env) { p.subscribe(1, access.Yearly) }, drop, true},
		"a reader has it, not sold":  {func(p *env) { p.subscribe(1, access.Yearly) }, stopSelling, false},
		"a reader has had it":        {func(p *env) { p.refund(p.subscribe(1, access.Yearly), ""); p.work() }, drop, false},
		"a code for it":              {func(p *env) { p.coupons(forAYear) }, drop, true},
		"a code for it that is over": {func(p *env) { p.coupons(forAYear); p.advance(40 * day) }, drop, false},
		"a reader has paid too little": {func(p *env) {
			s := p.subscribe(1, access.Yearly)
			p.swapCard(s, laterCard)
			p.advance(s.PeriodEnd.Sub(p.db.Now()) + time.Hour)
			p.work()
		}, drop, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			c.does(p)
			doc := p.ed.Document
			doc.Billing.Products = slices.Clone(doc.Billing.Products)
			c.change(&doc)
			err := KeepsProducts(p.db)(p.ctx, &doc)
			if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), "sold: false") {
				t.Errorf("got %v, want it refused: %v", err, c.refused)
			}
		})
	}
}
