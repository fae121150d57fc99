package billing

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
)

// grants has a reader read without paying until an instant.
func (p *env) grants(reader int64, until time.Time) {
	p.t.Helper()
	if err := access.Give(p.ctx, p.db,
		access.Grant{ReaderID: reader, Until: until, Reason: "test", Product: access.Yearly}); err != nil {
		p.t.Fatal(err)
	}
	p.shop.Access.ForgetAll()
}

func (p *env) ordersBy(how string, reader int64, product string) string {
	p.t.Helper()
	switch how {
	case "a script":
		return p.order(reader, product)
	case "a plain form":
		return p.call(reader, http.MethodPost, "/fns/stripe-payment", form,
			url.Values{"product_type": {product}, "payment_method": {"card"}}.Encode()).Header.Get("Location")
	}
	a := p.post(reader, "/fns/stripe-quest-payment", `{"product_type":"`+product+`"}`)
	data, _ := a.Body["data"].(map[string]any)
	to, _ := data["redirect"].(string)
	return to
}

// Nobody pays for time that was given: whatever the way to order, the first payment is due when a trial, a code or a
// gift ends, at the price that was agreed; the page, the order that is kept, the profile and the emails say so.
func TestAPurchaseBeginsWhenWhatWasGivenEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		product string
		days    int // of what was given; 0: the trial
		how     string
		paid    []int64 // at the beginning, and after the first period
		had     bool    // the introductory price
	}{
		"a code, by a script":                {access.Monthly, 100, "a script", []int64{100, 796}, false},
		"a code, by a plain form":            {access.Yearly, 100, "a plain form", []int64{8900}, false},
		"a code, by an offer":                {access.Monthly, 100, "an offer", []int64{100, 796}, false},
		"a code, without introductory price": {access.Monthly, 100, "a script", []int64{796, 796}, true},
		"a trial":                            {access.Monthly, 0, "a script", []int64{100, 796}, false},
		"a trial, a year":                    {access.Yearly, 0, "an offer", []int64{8900}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t, func(d *edition.Document) { d.Billing.Trial = edition.Trial{For: edition.TrialForAll, Days: 28} })
			if c.had {
				p.view(func(ctx context.Context, tx db.Tx) error { return access.PutUse(ctx, tx, "intro", person.Reader(1)) })
			}
			if c.days == 0 {
				if err := p.shop.Subscriptions.BeginTrial(p.ctx, 1); err != nil {
					t.Fatal(err)
				}
				p.advance(3 * day)
			} else {
				p.grants(1, p.db.Now().Add(time.Duration(c.days)*day))
			}
			givenUntil, _, _, _ := p.standing(1)
			givenUntil = givenUntil.Add(time.Second - 1).Truncate(time.Second)
			p.buy(p.ordersBy(c.how, 1, c.product), goodCard)
			p.work()
			s := p.subscriptions(1)[len(p.subscriptions(1))-1]
			if s.Status != stripe.Trialing || !s.PeriodEnd.Equal(givenUntil) || !s.PaidFrom.Equal(givenUntil) || s.Paid != 0 ||
				s.NextPayment(s.Amount) != c.paid[0] {
				t.Fatalf("%+v, given until %s", s, givenUntil)
			}
			if until, product, trial, _ := p.standing(1); !until.Equal(givenUntil) || product != c.product || trial {
				t.Errorf("reads until %s, %s, trial %t", until, product, trial)
			}
			state := p.state(1)
			if state.State != subscription.StateActive || state.Payment == nil || !state.Payment.At.Equal(givenUntil) ||
				state.Payment.Amount != c.paid[0] {
				t.Errorf("the profile says %+v %+v", state, state.Payment)
			}
			var shown string
			p.view(func(ctx context.Context, tx db.Tx) error {
				return tx.NewRaw("SELECT shown FROM billing_intents").Scan(ctx, &shown)
			})
			for _, want := range []string{
				"Dnes zaplatíte 0,00\u00a0€",
				"Od " + i18n.Date(p.ed, givenUntil) + " " + i18n.Money(p.ed, c.paid[0]),
			} {
				if !strings.Contains(shown, want) {
					t.Errorf("shown was %q, without %q", shown, want)
				}
			}
			if l := p.sent("payment"); len(l) != 1 ||
				!strings.Contains(l[0].Blocks[2].Text+l[0].Blocks[3].Text,
					i18n.Money(p.ed, c.paid[0])+" prebehne "+i18n.Date(p.ed, givenUntil)) {
				t.Errorf("%+v", l)
			}
			p.advance(givenUntil.Sub(p.db.Now()) - 6*day)
			if err := p.shop.Subscriptions.SweepNotices(p.ctx); err != nil {
				t.Fatal(err)
			}
			p.work()
			if l := p.sent("renewal"); len(l) != 1 || !strings.Contains(l[0].Blocks[1].Text, i18n.Money(p.ed, c.paid[0])) {
				t.Errorf("announced by %+v", l)
			}
			if got := p.paid(); len(got) != 0 && got[0] != 0 {
				t.Errorf("paid %v before it begins", got)
			}
			p.advance(givenUntil.Sub(p.db.Now()) + time.Minute)
			p.work()
			for i, want := range c.paid {
				if got := p.paid(); got[0] != want {
					t.Errorf("payment %d: %v, want %d", i, got, want)
				}
				if until, _, _, _ := p.standing(1); !until.Equal(p.ed.Product(c.product).Interval.Add(givenUntil, i+1)) {
					t.Errorf("period %d: reads until %s", i, until)
				}
				p.advance(28 * day)
				p.work()
			}
		})
	}
}

// What the provider takes off the first payment may be gone with the bill of nothing at the beginning: it is put back.
func TestTheIntroductoryPriceOutlastsTheWait(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.grants(1, p.db.Now().Add(60*day))
	p.buy(p.order(1, access.Monthly), goodCard)
	p.work()
	s := p.subscriptions(1)[0]
	p.api(http.MethodPost, "subscriptions/"+s.ProviderID, url.Values{"coupon": {""}})
	if d := p.api(http.MethodGet, "subscriptions/"+s.ProviderID, nil)["discount"]; d != nil {
		t.Fatal(d)
	}
	p.work()
	p.work() // the message about the repair
	if s = p.subscriptions(1)[0]; s.NextPayment(s.Amount) != 100 {
		t.Errorf("%+v", s)
	}
	p.advance(60*day + time.Minute)
	p.work()
	if got := p.paid(); got[0] != 100 {
		t.Errorf("paid %v", got)
	}
	p.advance(28 * day)
	p.work()
	if got := p.paid(); got[0] != 796 {
		t.Errorf("paid %v", got)
	}
}

// A checkout that was opened before a code was redeemed is not paid at once any more.
func TestACheckoutOfBeforeTheCodeIsClosed(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	before := p.order(1, access.Monthly)
	p.redeems(1, p.coupons(nil)[0])
	if now := p.order(1, access.Monthly); now == before {
		t.Error("the same checkout is offered")
	}
	states := map[any]int{}
	for _, c := range p.listed("checkout/sessions?limit=100") {
		states[c["status"]]++
	}
	if states["open"] != 1 || states["expired"] != 1 {
		t.Errorf("%v", states)
	}
}

// The provider asks for two days at least and takes two years at most.
func TestHowLongAPurchaseCanWait(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.grants(1, p.db.Now().Add(time.Hour))
	p.buy(p.order(1, access.Yearly), goodCard)
	p.work()
	if s := p.subscriptions(1)[0]; s.PeriodEnd.Sub(p.db.Now()) < 48*time.Hour ||
		s.PeriodEnd.Sub(p.db.Now()) > 50*time.Hour {
		t.Errorf("%+v", s)
	}
	p.view(func(ctx context.Context, tx db.Tx) error {
		return access.InsertGrant(ctx, tx,
			access.Grant{ReaderID: 2, Until: tx.Now.AddDate(2, 0, 1), Reason: "test", Product: access.Yearly})
	})
	if a := p.post(2, "/fns/stripe-payment", `{"product_type":"product_monthly"}`); a.Status != http.StatusConflict ||
		a.Body["error"] != "USER_HAS_SUBSCRIPTION" {
		t.Error(a)
	}
}

// The pages of an order say when the first payment is due, and to a visitor that a trial comes first.
func TestThePagesSayWhenTheFirstPaymentIsDue(t *testing.T) {
	t.Parallel()
	p := newEnv(t, func(d *edition.Document) { d.Billing.Trial = edition.Trial{For: edition.TrialForCampaign, Days: 28} })
	until := p.db.Now().Truncate(time.Second).Add(40 * day)
	p.grants(1, until)
	pages := func(reader int64) (accountData, saleData) {
		t.Helper()
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
		sale, err := p.shop.salePage(ctx,
			&page.Request{
				Edition: p.ed,
				Route:   edition.Sale, Path: "/account/campaign",
				Params: map[string]string{"saleStep": links.StepCampaign},
			})
		if err != nil {
			t.Fatal(err)
		}
		return account.Data.(accountData), sale.Data.(saleData)
	}
	for reader, due := range map[int64]bool{1: true, 2: false} {
		account, sale := pages(reader)
		for _, o := range []*subscription.OrderTime{account.Order, sale.Order} {
			if o == nil || (o.PaidFrom != nil) != due || due && !o.PaidFrom.Equal(until) || p.db.Now().Sub(o.Now) > time.Minute {
				t.Errorf("reader %d: %+v", reader, o)
			}
		}
		if account.State.State != subscription.HasNothing || (account.State.Until != nil) != due || sale.Trial != 0 {
			t.Errorf("reader %d: %+v", reader, account.State)
		}
	}
	if account, sale := pages(0); account.Order != nil || sale.Order != nil || sale.Trial != 28 {
		t.Errorf("a visitor: %+v %+v %d", account.Order, sale.Order, sale.Trial)
	}
}
