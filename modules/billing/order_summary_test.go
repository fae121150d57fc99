package billing

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
)

// What stood above the button is kept with the order, word for word, and goes out with the reader's data.
func TestWhatWasShownIsKeptWithTheOrder(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.order(1, access.Monthly)
	p.order(2, access.Yearly)
	p.view(func(ctx context.Context, tx db.Tx) error { return access.PutUse(ctx, tx, "intro", person.Reader(3)) })
	p.order(3, access.Monthly)
	day := func(d time.Time) string { return i18n.Date(p.ed, d) }
	now := p.db.Now()
	const renews = "\nCeny sú konečné, s DPH. Predplatné sa obnovuje, kým ho nezrušíte; zrušiť ho môžete kedykoľvek."
	month, year := p.ed.Product(access.Monthly).Name, p.ed.Product(access.Yearly).Name
	for reader, want := range map[int64]string{
		1: month + "\nDnes zaplatíte 1,00\u00a0€\nOd " + day(now.AddDate(0, 0, 28)) + " 7,96\u00a0€ každé 4 týždne" + renews,
		2: year + "\nDnes zaplatíte 89,00\u00a0€\nOd " + day(now.AddDate(1, 0, 0)) + " 89,00\u00a0€ každý rok" + renews,
		3: month + "\nDnes zaplatíte 7,96\u00a0€\nOd " + day(now.AddDate(0, 0, 28)) + " 7,96\u00a0€ každé 4 týždne" + renews,
	} {
		var got string
		p.view(func(ctx context.Context, tx db.Tx) error {
			return tx.NewRaw("SELECT shown FROM billing_intents WHERE reader_id = ?", reader).Scan(ctx, &got)
		})
		if got != want {
			t.Errorf("reader %d was shown\n%q, want\n%q", reader, got, want)
		}
	}
}

// The introductory price is offered to whoever can have it, and to nobody else: on the page, in the call and in an
// offer.
func TestWhoHasHadTheIntroductoryPriceIsNotOfferedItAgain(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.view(func(ctx context.Context, tx db.Tx) error { return access.PutUse(ctx, tx, "intro", person.Reader(2)) })
	intro := func(list []offer.Product) bool {
		for _, one := range list {
			if one.Type == access.Monthly {
				return one.Offer.IntroAmount != 0
			}
		}
		t.Error("nothing is offered")
		return false
	}
	for reader, want := range map[int64]bool{0: true, 1: true, 2: false} {
		ctx := p.ctx
		if reader != 0 {
			ctx = session.With(ctx, session.Session{ReaderID: reader})
		}
		account, err := p.shop.Pages()[edition.Account].Load(ctx, &page.Request{
			Edition: p.ed, Route: edition.Account, Path: "/account",
		})
		if err != nil {
			t.Fatal(err)
		}
		campaign, err := p.shop.salePage(ctx,
			&page.Request{
				Edition: p.ed,
				Route:   edition.Sale, Path: "/account/campaign",
				Params: map[string]string{"saleStep": links.StepCampaign},
			})
		if err != nil {
			t.Fatal(err)
		}
		if a, c := intro(account.Data.(accountData).Products),
			intro(campaign.Data.(saleData).Products); a != want || c != want {
			t.Errorf("reader %d: the page %t, the offer %t, want %t", reader, a, c, want)
		}
		remote := p.call(reader, http.MethodGet, "/fns/stripe-products-offer", "", "")
		list, _ := remote.Body["products"].([]any)
		first, _ := list[0].(map[string]any)
		offer, _ := first["offer"].(map[string]any)
		if _, has := offer["introAmount"]; has != want ||
			(reader != 0) != (remote.Header.Get("Cache-Control") != pagecache.Public) {
			t.Errorf("reader %d: the call %v, kept %q", reader, offer, remote.Header.Get("Cache-Control"))
		}
		if !want && (first["tooltip_text"] != nil || strings.Contains(fmt.Sprint(first["price"]), "1,00")) {
			t.Errorf("%v", first)
		}
	}
	if offer.Products(p.ed, access.Monthly)[0].Offer.IntroAmount == 0 {
		t.Error("the edition itself was changed")
	}
}

// Each way to order keeps the text of its own page; what is paid by transfer does not renew.
func TestWhatWasShownIsThatOfThePage(t *testing.T) {
	t.Parallel()
	p := newEnv(t, func(d *edition.Document) { d.Flags["bank_transfer"] = true })
	const form = "application/x-www-form-urlencoded"
	const renews = "Predplatné sa obnovuje, kým ho nezrušíte"
	year := p.ed.Product(access.Yearly).Name
	order := func(reader int64, kind, body string) {
		t.Helper()
		if a := p.call(reader, http.MethodPost, "/fns/stripe-payment", kind, body); a.Status >= 400 {
			t.Fatalf("%d %v", a.Status, a.Body)
		}
	}
	order(1, form, "product_type=product_monthly&payment_method=card&referrer=/")
	order(2, form, "product_type=product_yearly&payment_method=iban&referrer=/")
	order(3, "application/json", `{"product_type":"product_yearly","payment_method":"iban"}`)
	for reader, c := range map[int64]struct{ has, hasNot string }{
		1: {"\nOd " + i18n.Date(p.ed, p.db.Now().AddDate(0, 0, 28)) + " 7,96\u00a0€ každé 4 týždne\n", "Po 4 týždňoch"},
		2: {renews + "; zrušiť ho môžete kedykoľvek.\nBankovým prevodom\nLen ročné predplatné, samo sa neobnoví. Čítate " +
			"odo dňa, keď platba príde; čo máte zadarmo, sa dočíta predtým.", "Zaplatíte raz"},
		3: {year + "\nZaplatíte raz 89,00\u00a0€\nCeny sú konečné, s DPH. Nič sa samo neobnoví. Čítate odo dňa, keď platba " +
			"príde.", renews},
	} {
		var got string
		p.view(func(ctx context.Context, tx db.Tx) error {
			return tx.NewRaw("SELECT shown FROM billing_intents WHERE reader_id = ?0 UNION ALL SELECT shown FROM "+
				"billing_transfers WHERE reader_id = ?0", reader).Scan(ctx, &got)
		})
		if !strings.Contains(got, c.has) || strings.Contains(got, c.hasNot) {
			t.Errorf("reader %d was shown %q", reader, got)
		}
	}
}
