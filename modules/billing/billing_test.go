package billing

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
)

// One live row a reader is the database's rule, whatever the code does.
func TestOneLiveSubscriptionByIndex(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	insert := func(id string) error {
		return p.db.Run(p.ctx, func(ctx context.Context, tx db.Tx) error {
			_, err := access.Put(ctx, tx,
				access.Subscription{
					ReaderID: 1, ProviderID: id, Product: access.Monthly, Status: stripe.Active, PeriodStart: tx.Now,
					PeriodEnd: tx.Now,
					StartedAt: tx.Now,
				})
			return err
		})
	}
	if err := insert("sub_1"); err != nil {
		t.Fatal(err)
	}
	if err := insert("sub_2"); !db.Violates(err, "billing_subscriptions_live") {
		t.Errorf("a second live row: %v", err)
	}
}

// The standing that is served follows the database once it was told to.
func TestStandingIsRemembered(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.standing(1)
	p.view(func(ctx context.Context, tx db.Tx) error {
		_, err := access.Put(ctx, tx,
			access.Subscription{
				ReaderID: 1, ProviderID: "sub_1", Product: access.Yearly, Status: stripe.Active, PeriodStart: tx.Now,
				PeriodEnd: tx.Now.Add(time.Hour), CancelAtPeriodEnd: true, StartedAt: tx.Now,
			})
		return err
	})
	if until, _, _, _ := p.standing(1); !until.IsZero() {
		t.Error("it was not remembered")
	}
	var all sync.WaitGroup
	all.Go(func() { p.shop.Access.Forget(p.ed.ID, 1) })
	all.Wait()
	if until, product, _, _ := p.standing(1); until.IsZero() || product != access.Yearly {
		t.Error("it was not forgotten")
	}
	p.advance(time.Hour)
	if until, _, _, due := p.standing(1); !until.IsZero() || !due {
		t.Error("what is remembered outlives its end")
	}
}

func TestOffer(t *testing.T) {
	t.Parallel()
	papers := newEnvs(t, 3)
	for i, want := range []string{
		"prvé 4 týždne za 1,00\u00a0€, potom 7,96\u00a0€ každé 4 týždne",
		"die ersten 4 Wochen für 1,00\u00a0€, danach 7,96\u00a0€ alle 4 Wochen",
		"die ersten 4 Wochen für 1,00\u00a0€, danach 7,96\u00a0€ alle 4 Wochen",
	} {
		p := papers[i]
		list := offer.Products(p.ed, "default")
		if len(list) != 3 || list[0].Price != want || list[0].Type != access.Monthly || list[2].Offer != nil {
			t.Errorf("%s: %+v", p.ed.ID, list)
		}
	}
	p := papers[0]
	a := p.call(0, http.MethodGet, "/fns/stripe-products-offer?product_type=product_yearly", "", "")
	raw, _ := json.Marshal(a.Body)
	if want := `"offer":{"amount":8900,"count":1,"currency":"EUR","unit":"year"}`; a.Status != 200 ||
		!strings.Contains(string(raw), want) || strings.Contains(string(raw), access.Monthly) {
		t.Errorf("%d %s", a.Status, raw)
	}
	if a := p.call(0, http.MethodGet, "/fns/stripe-products-offer?product_type=product_weekly", "", ""); a.Status != 400 {
		t.Errorf("unknown product: %v", a)
	}
	if o := offer.Of(p.ed); o != (offer.Offer{
		Amount: 796, Currency: "EUR", Unit: "week", Count: 4, IntroAmount: 100,
		IntroPeriods: 1,
	}) {
		t.Errorf("%+v", o)
	}
	for _, c := range []struct {
		lang  string
		every edition.Interval
		intro *edition.Intro
		want  string
	}{
		{"sk", edition.Interval{Unit: "month", Count: 1}, nil, "5,00\u00a0€ každý mesiac"},
		{
			"sk",
			edition.Interval{Unit: "week", Count: 5},
			&edition.Intro{Amount: 100, Periods: 1},
			"prvých 5 týždňov za 1,00\u00a0€, potom 5,00\u00a0€ každých 5 týždňov",
		},
		{
			"sk",
			edition.Interval{Unit: "month", Count: 1},
			&edition.Intro{Amount: 100, Periods: 3},
			"prvé 3 mesiace po 1,00\u00a0€, potom 5,00\u00a0€ každý mesiac",
		},
		{
			"en",
			edition.Interval{Unit: "year", Count: 1},
			&edition.Intro{Amount: 100, Periods: 1},
			"first year for 1,00\u00a0€, then 5,00\u00a0€ a year",
		},
		{
			"de",
			edition.Interval{Unit: "month", Count: 2},
			&edition.Intro{Amount: 100, Periods: 2},
			"die ersten 4 Monate für je 1,00\u00a0€, danach 5,00\u00a0€ alle 2 Monate",
		},
	} {
		ed := *p.ed
		ed.Locale, ed.IntlLocale = c.lang, ""
		if got := offer.Price(&ed, &edition.Product{Amount: 500, Interval: c.every, Intro: c.intro}); got != c.want {
			t.Errorf("%q, not %q", got, c.want)
		}
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	sources := p.shop.Pages()
	load := func(reader int64, route edition.Route, path string, query url.Values) *page.Page {
		t.Helper()
		got, err := sources[route].Load(session.With(p.ctx, session.Session{ReaderID: reader}),
			&page.Request{Edition: p.ed, Route: route, Path: path, Query: query})
		if err != nil {
			t.Fatal(err)
		}
		if !got.NoStore ||
			got.Redirect == "" &&
				(got.Meta.Robots != "noindex" || got.Meta.Title == "" || strings.HasPrefix(got.Meta.Title, "page.")) {
			t.Errorf("%s: %+v", path, got)
		}
		return got
	}
	account := load(0, edition.Account, "/account", nil)
	for _, one := range account.Data.(accountData).Products {
		if want := map[string]int{access.Yearly: 14}[one.Type]; one.Saving != want { // 89.00 instead of 7.96 every 4 weeks
			t.Errorf("%s saves %d %%, want %d", one.Type, one.Saving, want)
		}
	}
	if d, ok := account.Data.(accountData); !ok || len(d.Products) != 3 || d.Offer.Amount != 796 {
		t.Errorf("account: %+v", account.Data)
	}
	if to := load(1, edition.PaymentSuccess, "/payment/success", nil); to.Status != 302 ||
		to.Redirect != "/?status=INVALID_REQUIREMENT" {
		t.Errorf("without a session: %+v", to)
	}
	if to := load(1, edition.PaymentFailure, "/payment/failure", nil); to.Status != 302 ||
		to.Redirect != "/?status=PAYMENT_FAILED" {
		t.Errorf("failure: %+v", to)
	}
	if got := load(1, edition.PaymentSuccess, "/payment/success",
		url.Values{"session_id": {"cs_guess"}, "email": {"reader1@example.org"}}); got.Data != (successData{
		State:    subscription.Unknown,
		Referrer: "/", SignedIn: true,
	}) || got.Refresh != "" {
		t.Errorf("guessed: %+v", got)
	}
	to := p.order(1, access.Monthly)
	id := to[strings.LastIndex(to, "/")+1:]
	if got, want := p.api(http.MethodGet, "checkout/sessions/"+id, nil)["cancel_url"],
		p.ed.URL("/account?cancelled=1&product_type=product_monthly&referrer=%2F1%2Fclanok"); got != want {
		t.Errorf("turning back leads to %v, want %s", got, want)
	}
	query := url.Values{"session_id": {id}}
	pending := load(1, edition.PaymentSuccess, "/payment/success", query)
	if d := pending.Data.(successData); d.State != subscription.Pending ||
		pending.Refresh != "/payment/success?session_id="+id {
		t.Errorf("pending: %+v", pending)
	}
	p.buy(to, goodCard)
	ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
	defer cancel()
	if err := p.box.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	for range 3 { // looking at the page grants nothing
		load(1, edition.PaymentSuccess, "/payment/success", query)
	}
	p.shop.Access.ForgetAll()
	if until, _, _, _ := p.standing(1); !until.IsZero() {
		t.Error("the page granted access")
	}
	p.work()
	confirmed := load(1, edition.PaymentSuccess, "/payment/success", query)
	if d := confirmed.Data.(successData); d.State != subscription.Confirmed || d.EndsAt == nil ||
		confirmed.Refresh != "/1/clanok?status=PAYMENT_SUCCESS" {
		t.Errorf("confirmed: %+v", confirmed)
	}
}

func TestChangesAreTold(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(3, access.Monthly), goodCard)
	p.work()
	if n := p.count("SELECT count(*) FROM outbox WHERE event = 'billing.standing_changed' AND payload = ?",
		fmt.Sprintf(`{"reader_id": %d}`, 3)); n < 1 {
		t.Errorf("told %d times", n)
	}
	before := p.count("SELECT count(*) FROM outbox WHERE event = 'billing.standing_changed'")
	reconcileNow(p)
	if after := p.count("SELECT count(*) FROM outbox WHERE event = 'billing.standing_changed'"); after != before {
		t.Errorf("told %d times that nothing changed", after-before)
	}
}
