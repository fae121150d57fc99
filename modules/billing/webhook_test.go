package billing

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
)

// Whatever happens to the messages, in the end the rows say what the provider says.
func TestFaultyWebhooks(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"drop", "delay", "duplicate", "shuffle"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t)
			if err := p.box.SetFaults(sandbox.Faults{Webhooks: fault}); err != nil {
				t.Fatal(err)
			}
			for reader := int64(1); reader <= 4; reader++ {
				p.buy(p.order(reader, access.Monthly), goodCard)
			}
			if fault == "drop" { // what is not recorded yet must not be sold twice either
				if a := p.post(1, "/fns/stripe-payment",
					`{"product_type":"product_yearly"}`); a.Body["error"] != "USER_HAS_SUBSCRIPTION" {
					t.Errorf("sold twice: %v", a)
				}
				if a := p.post(2, "/fns/stripe-update-subscription",
					`{"user_id":2,"product_type":"product_monthly"}`); a.Status != 200 {
					t.Errorf("refresh: %v", a)
				}
			}
			p.work()
			reconcileNow(p)
			ids := map[int64]string{}
			for reader := int64(1); reader <= 4; reader++ {
				list := p.subscriptions(reader)
				if len(list) != 1 || list[0].Status != stripe.Active {
					t.Fatalf("reader %d: %+v", reader, list)
				}
				ids[reader] = list[0].ProviderID
			}
			p.api(http.MethodDelete, "subscriptions/"+ids[2], nil)
			p.api(http.MethodPost, "subscriptions/"+ids[3], url.Values{"cancel_at_period_end": {"true"}})
			p.advance(28*day + time.Hour)
			p.work()
			reconcileNow(p)
			for reader, id := range ids {
				row := p.subscriptions(reader)[0]
				remote := p.api(http.MethodGet, "subscriptions/"+id, nil)
				end, _ := remote["current_period_end"].(float64)
				if string(row.Status) != remote["status"] || row.PeriodEnd.Unix() != int64(end) ||
					row.CancelAtPeriodEnd != remote["cancel_at_period_end"] {
					t.Errorf("reader %d: %s until %s (%v), the provider says %v until %v (%v)", reader, row.Status, row.PeriodEnd,
						row.CancelAtPeriodEnd,
						remote["status"], time.Unix(int64(end), 0).UTC(), remote["cancel_at_period_end"])
				}
				if until, _, _, _ := p.standing(reader); until.After(p.db.Now()) != (remote["status"] == "active") {
					t.Errorf("reader %d: access until %s while %v", reader, until, remote["status"])
				}
			}
			if got := len(p.sent("payment")); got != 4 {
				t.Errorf("%d emails of thanks", got)
			}
			if n := p.count("SELECT count(*) FROM billing_parked WHERE kind <> 'known_card'"); n != 0 {
				t.Errorf("%d reviews", n)
			}
		})
	}
}

func reconcileNow(p *env) {
	p.t.Helper()
	if err := p.shop.Reconciliation.All(p.ctx); err != nil {
		p.t.Fatal(err)
	}
	p.work()
}

// An answer of the provider that was overtaken on its way is dropped.
func TestLateAnswer(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	id := p.subscribe(1, access.Monthly).ProviderID
	api, err := url.Parse(p.box.BaseURL())
	if err != nil {
		t.Fatal(err)
	}
	answered, arrives := make(chan struct{}), make(chan struct{})
	var first sync.Once
	line := httputil.NewSingleHostReverseProxy(api)
	line.ModifyResponse = func(r *http.Response) error {
		if r.Request.URL.Path == "/v1/subscriptions/"+id {
			first.Do(func() {
				close(answered)
				<-arrives
			})
		}
		return nil
	}
	slow := httptest.NewServer(line)
	t.Cleanup(slow.Close)
	late := p.module(p.providerAt(slow.URL))
	done := make(chan error, 1)
	go func() { done <- late.Subscriptions.SyncSubscription(p.ctx, id) }()
	<-answered // that it is active
	p.api(http.MethodDelete, "subscriptions/"+id, nil)
	p.work()
	close(arrives)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if s := p.subscriptions(1)[0]; s.Status != stripe.Canceled {
		t.Errorf("a cancelled subscription came back as %s", s.Status)
	}
}

func TestSecondSubscriptionIsGivenBack(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(1, access.Monthly), goodCard)
	p.work()
	first := p.subscriptions(1)[0]
	one := p.api(http.MethodGet, "subscriptions/"+first.ProviderID, nil)
	customer, _ := one["customer"].(string)
	method, _ := one["default_payment_method"].(string)
	var price string
	for _, pr := range p.listed("prices?limit=100") {
		if pr["unit_amount"] == 8900.0 {
			price, _ = pr["id"].(string)
		}
	}
	if price == "" {
		if _, err := p.shop.Subscriptions.SyncPrices(p.ctx); err != nil {
			t.Fatal(err)
		}
		for _, pr := range p.listed("prices?limit=100") {
			if pr["unit_amount"] == 8900.0 {
				price, _ = pr["id"].(string)
			}
		}
	}
	two := p.api(http.MethodPost, "subscriptions",
		url.Values{"customer": {customer}, "items[0][price]": {price}, "default_payment_method": {method}})
	id, _ := two["id"].(string)
	p.work()
	reconcileNow(p)
	if got := p.api(http.MethodGet, "subscriptions/"+id, nil)["status"]; got != "canceled" {
		t.Errorf("the second subscription is %v", got)
	}
	refunds := p.listed("refunds?limit=100")
	if len(refunds) != 1 || refunds[0]["amount"] != 8900.0 {
		t.Errorf("refunds: %v", refunds)
	}
	if n := p.count(
		"SELECT count(*) FROM billing_parked WHERE resolved_at IS NOT NULL AND kind = 'second_subscription'",
	); n != 1 {
		t.Errorf("%d reviewed and settled", n)
	}
	if s := p.subscriptions(1)[0]; s.Status != stripe.Active || s.ProviderID != first.ProviderID {
		t.Errorf("the first one is %+v", s)
	}
}

func TestAnUnknownCustomerNeedsReview(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	if _, err := p.shop.Subscriptions.SyncPrices(p.ctx); err != nil {
		t.Fatal(err)
	}
	price, _ := p.listed("prices?limit=1")[0]["id"].(string)
	customer, _ := p.api(http.MethodPost, "customers", url.Values{"email": {"nobody@example.org"}})["id"].(string)
	p.api(http.MethodPost, "subscriptions", url.Values{
		"customer": {customer}, "items[0][price]": {price}, "collection_method": {"charge_automatically"},
		"payment_behavior": {"default_incomplete"},
	})
	p.work()
	reconcileNow(p)
	if n := p.count("SELECT count(*) FROM billing_parked WHERE kind = 'unknown_customer' AND reader_id IS NULL"); n != 1 {
		t.Errorf("%d reviews", n)
	}
	if n := p.count("SELECT count(*) FROM billing_subscriptions"); n != 0 {
		t.Errorf("%d subscriptions", n)
	}
}

// Two editions may have one account at the provider: what belongs to the other one opens nothing here, though its
// reader has the number of one of ours.
func TestAnotherEditionsSubscriptionIsLeftAlone(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.subscribe(1, access.Monthly)
	customer, price := fmt.Sprint(p.listed("customers?limit=1")[0]["id"]), ""
	for _, pr := range p.listed("prices?limit=100") {
		price = fmt.Sprint(pr["id"])
	}
	method := p.listed("payment_methods?limit=1&customer=" + customer)[0]["id"]
	foreign := p.api(http.MethodPost, "subscriptions", url.Values{
		"customer": {customer}, "items[0][price]": {price}, "default_payment_method": {fmt.Sprint(method)},
		"metadata[edition]": {"test_at"}, "metadata[reader_id]": {"2"},
	})
	if foreign["status"] != "active" {
		t.Fatalf("the other edition's is %v", foreign["status"])
	}
	p.work()
	reconcileNow(p)
	if err := p.shop.Reconciliation.Changed(p.ctx); err != nil {
		t.Fatal(err)
	}
	if n, reviews := p.count("SELECT count(*) FROM billing_subscriptions"),
		p.count("SELECT count(*) FROM billing_parked"); n != 1 || reviews != 0 {
		t.Errorf("%d subscriptions, %d reviews", n, reviews)
	}
	if until, _, _, _ := p.standing(2); !until.IsZero() {
		t.Errorf("reader 2 reads until %s", until)
	}
	if s := p.api(http.MethodGet, "subscriptions/"+fmt.Sprint(foreign["id"]), nil); s["status"] != "active" {
		t.Errorf("the other edition's is %v now", s["status"])
	}
	if n := p.count("SELECT count(*) FROM billing_documents"); n != 1 {
		t.Errorf("%d documents", n)
	}
}

func TestSyncPricesTwice(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	var seen []string
	for round := range 2 {
		for _, shop := range []*Module{p.shop, p.module()} {
			list, err := shop.Subscriptions.SyncPrices(p.ctx)
			if err != nil || len(list) != 3 {
				t.Fatalf("%v, %v", list, err)
			}
			for _, pr := range list {
				if first := round == 0 && shop == p.shop; pr.Made != first {
					t.Errorf("%s made: %t, the first time: %t", pr.Key, pr.Made, first)
				}
				seen = append(seen, pr.Key)
			}
		}
	}
	if !strings.Contains(strings.Join(seen, " "), p.ed.ID+".product_yearly.full.eur.8900.1year") {
		t.Errorf("no price %s.product_yearly.full.eur.8900.1year in %v", p.ed.ID, seen)
	}
	amounts := []string{}
	for _, pr := range p.listed("prices?limit=100") {
		amounts = append(amounts, fmt.Sprint(pr["unit_amount"]))
	}
	if len(amounts) != 2 || len(p.listed("products?limit=100")) != 2 || len(p.listed("coupons?limit=100")) != 1 {
		t.Errorf("prices %v", amounts)
	}
}

func TestSyncPricesSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	for name, c := range map[string]struct {
		keys stripe.Keys
		err  error
		want string
	}{
		"no key": {stripe.Keys{APIBase: p.box.BaseURL()}, nil, "has no secret key"},
		"a wrong key": {
			stripe.Keys{APIBase: p.box.BaseURL(), SecretKey: "sk_test_wrong"},
			nil,
			"does not know the secret key",
		},
		"nobody":      {stripe.Keys{APIBase: "http://127.0.0.1:1", SecretKey: "sk_test_x"}, nil, "cannot be reached"},
		"no settings": {stripe.Keys{}, errors.New("no file"), "no file"},
	} {
		list, err := subscription.SyncPrices(p.ctx, func(string) (stripe.Keys, error) { return c.keys, c.err })
		if len(list) != 0 || err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, %v", name, list, err)
		}
	}
}
