package billing

import (
	"context"
	"net/http"
	"testing"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
)

func (p *env) accountOf(reader int64) accountData {
	p.t.Helper()
	ctx := p.ctx
	if reader != 0 {
		ctx = session.With(ctx, session.Session{ReaderID: reader})
	}
	answer, err := p.shop.Pages()[edition.Account].Load(ctx, &page.Request{
		Edition: p.ed, Route: edition.Account, Path: "/account",
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return answer.Data.(accountData)
}

// The page of subscriptions says what its reader has, before any script has asked.
func TestTheAccountPageKnowsWhatItsReaderHas(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(7, access.Monthly), goodCard)
	p.work()
	until, _, _, _ := p.standing(7)
	if d := p.accountOf(0); d.State != nil || len(d.Products) == 0 {
		t.Errorf("a visitor: %+v", d)
	}
	if s := p.accountOf(1).State; s.State != "none" || s.Email != "reader1@example.org" ||
		s.Product != access.NoProduct ||
		s.Until != nil {
		t.Errorf("who has nothing: %+v", s)
	}
	if s := p.accountOf(7).State; s.State != "subscribed" || s.Product != access.Monthly ||
		s.Name != p.ed.Product(access.Monthly).Name || s.Until == nil || !s.Until.Equal(until) {
		t.Errorf("who has a subscription: %+v", s)
	}
}

// An account of the former site is offered nothing, and can buy nothing: neither on a page nor by a call.
func TestAccountsOfTheFormerSiteAreOfferedNothing(t *testing.T) {
	t.Parallel()
	p := newEnv(t, func(d *edition.Document) { d.Flags["bank_transfer"] = true })
	d := p.accountOf(formerReader)
	if d.State.State != "former" || len(d.Products) != 0 {
		t.Errorf("the page: %+v", d)
	}
	ctx := session.With(p.ctx, session.Session{ReaderID: formerReader})
	campaign, err := p.shop.salePage(ctx,
		&page.Request{
			Edition: p.ed,
			Route:   edition.Sale, Path: "/account/campaign",
			Params: map[string]string{"saleStep": links.StepCampaign},
		})
	if err != nil || campaign.Redirect != "/account" {
		t.Errorf("an offer: %+v %v", campaign, err)
	}
	if list, _ := p.call(formerReader, http.MethodGet, "/fns/stripe-products-offer", "", "").
		Body["products"].([]any); len(list) != 0 {
		t.Errorf("the call: %v", list)
	}
	for path, body := range map[string]string{
		"/fns/stripe-payment":  `{"product_type":"product_monthly"}`,
		"/fns/stripe-payment?": `{"product_type":"product_yearly","payment_method":"iban"}`,
		questPath:              `{"product_type":"product_monthly"}`,
	} {
		if a := p.post(formerReader, path, body); a.Status != http.StatusConflict || a.Body["error"] != "INVALID_USER" {
			t.Errorf("%s %s: %d %v", path, body, a.Status, a.Body)
		}
	}
	if n := p.count("SELECT count(*) FROM billing_intents"); n != 0 {
		t.Errorf("%d orders", n)
	}
	// Who still has a subscription is told so.
	p.view(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(`INSERT INTO billing_subscriptions (reader_id, product, status, provider_id, amount, paid,
			currency, period_start, period_end, started_at, updated_at)
			VALUES (?, ?, 'active', 'sub_former', 796, 796, 'eur', ?, ?, ?, ?)`, formerReader, access.Monthly, tx.Now.Add(-day),
			tx.Now.Add(day), tx.Now, tx.Now).Exec(ctx)
		return err
	})
	p.shop.Access.Forget(p.ed.ID, formerReader)
	if s := p.accountOf(formerReader).State; s.State != "subscribed" {
		t.Errorf("with a subscription: %+v", s)
	}
	if a := p.post(formerReader, "/fns/stripe-payment",
		`{"product_type":"product_monthly"}`); a.Body["error"] != "USER_HAS_SUBSCRIPTION" {
		t.Errorf("with a subscription: %v", a.Body)
	}
}
