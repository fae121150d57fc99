package billing

import (
	"context"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
)

const day = 24 * time.Hour

func TestPurchaseAndRenewal(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	to := p.buy(p.order(7, access.Monthly), goodCard)
	back, err := url.Parse(to)
	if err != nil || !strings.HasPrefix(to, p.ed.URL("/payment/success")+"?session_id=cs_") {
		t.Fatalf("sent to %q", to)
	}
	status := "/fns/payment-status?session_id=" + back.Query().Get("session_id")
	p.work()

	if a := p.call(7, http.MethodGet, status, "", ""); a.Body["state"] != subscription.Confirmed ||
		a.Body["referrer"] != "/1/clanok" ||
		a.Body["endsAt"] == nil {
		t.Errorf("status: %v", a)
	}
	// Only its own reader learns until when a payment opens articles.
	if a := p.call(8, http.MethodGet, status, "", ""); a.Body["state"] != subscription.SignedOut ||
		a.Body["endsAt"] != nil {
		t.Errorf("another reader: got %v, want %s", a, subscription.SignedOut)
	}
	until, product, trial, due := p.standing(7)
	if left := until.Sub(p.db.Now()); left < 27*day || left > 28*day || product != access.Monthly || trial || due {
		t.Errorf("standing: %s %s %v %v", until, product, trial, due)
	}
	if other, product, _, _ := p.standing(8); !other.IsZero() || product != access.NoProduct {
		t.Errorf("another reader: %s %s", other, product)
	}
	messages := p.sent("payment")
	if len(messages) != 1 || messages[0].To != "reader7@example.org" {
		t.Fatalf("emails: %+v", messages)
	}
	text := messages[0].Subject
	for _, b := range messages[0].Blocks {
		text += "\n" + b.Text
	}
	for _, want := range []string{
		"Mesačné", "1,00\u00a0€", "7,96\u00a0€", until.In(p.ed.Location).Format("02.01.2006"),
		"zrušiť", p.ed.SupportEmail,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the email does not say %q:\n%s", want, text)
		}
	}
	if a := p.post(7, "/fns/stripe-payment", `{"product_type":"product_yearly"}`); a.Status != 409 ||
		a.Body["error"] != "USER_HAS_SUBSCRIPTION" {
		t.Errorf("a second purchase: %v", a)
	}

	for i, want := range [][]int64{{100}, {796, 100}, {796, 796, 100}} {
		if i > 0 {
			p.advance(28 * day)
			p.work()
		}
		if got := p.paid(); !reflect.DeepEqual(got, want) {
			t.Errorf("after %d renewals: paid %v, not %v", i, got, want)
		}
		if until, _, _, _ := p.standing(7); until.Before(p.db.Now().Add(27 * day)) {
			t.Errorf("after %d renewals: until %s", i, until)
		}
	}
	if got := len(p.sent("payment")); got != 1 {
		t.Errorf("%d emails of thanks", got)
	}
}

func TestSeveralPeriodsAtTheIntroductoryPrice(t *testing.T) {
	t.Parallel()
	p := newEnv(t, func(d *edition.Document) { d.Billing.Products[0].Intro.Periods = 2 })
	p.buy(p.order(1, access.Monthly), goodCard)
	p.work()
	for i, want := range [][]int64{{100}, {100, 100}, {796, 100, 100}, {796, 796, 100, 100}} {
		if i > 0 {
			p.advance(28 * day)
			p.work()
		}
		if got := p.paid(); !reflect.DeepEqual(got, want) {
			t.Errorf("after %d renewals: paid %v, not %v", i, got, want)
		}
	}
}

func TestOneIntroductionPerPerson(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(1, access.Monthly), goodCard)
	p.work()
	p.api(http.MethodDelete, "subscriptions/"+p.subscriptions(1)[0].ProviderID, nil)
	p.work()
	if until, _, _, due := p.standing(1); !until.IsZero() || !due {
		t.Fatalf("cancelled at once: until %s, notice %v", until, due)
	}
	p.buy(p.order(1, access.Monthly), goodCard)
	p.work()
	if got, want := p.paid(), []int64{796, 100}; !reflect.DeepEqual(got, want) {
		t.Errorf("paid %v, not %v", got, want)
	}
	// The same address in a new account.
	p.view(func(ctx context.Context, tx db.Tx) error {
		return access.PutUse(ctx, tx, "intro", person.Email(" Reader2@Example.org"))
	})
	p.buy(p.order(2, access.Monthly), goodCard)
	p.work()
	if got, want := p.paid(), []int64{796, 796, 100}; !reflect.DeepEqual(got, want) {
		t.Errorf("paid %v, not %v", got, want)
	}
}

// The introductory price is one of a mailbox, also after a change of its reader's address and in a new account.
func TestIntro_Mailbox(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.addresses = map[int64]string{
		1: "eva@example.org", 2: "Eva+1@example.org", 3: "eva+2@example.org", 4: "new+x@example.org", 5: "jana@example.org",
	}
	p.buy(p.order(1, access.Monthly), "5555 5555 5555 4444")
	p.work()
	if err := p.shop.Subscriptions.ChangeEmail(p.ctx, 1, p.addresses[1], "new@example.org"); err != nil {
		t.Fatal(err)
	}
	for reader := int64(2); reader <= 5; reader++ {
		p.buy(p.order(reader, access.Monthly), goodCard)
		p.work()
	}
	if got, want := p.paid(), []int64{100, 796, 796, 796, 100}; !reflect.DeepEqual(got, want) {
		t.Errorf("paid %v, want %v", got, want)
	}
	if n := p.count("SELECT count(*) FROM billing_parked"); n != 0 {
		t.Errorf("%d purchases at the full price wait for a person", n)
	}
}

// A card brings the introductory price once. Only the payment tells which card it is: the second purchase goes on as
// the page has said, and waits for a person, once.
func TestIntro_Card(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	for reader := int64(1); reader <= 3; reader++ {
		number := goodCard
		if reader == 2 {
			number = "5555 5555 5555 4444"
		}
		p.buy(p.order(reader, access.Monthly), number)
		p.work()
	}
	if got, want := p.paid(), []int64{100, 100, 100}; !reflect.DeepEqual(got, want) {
		t.Errorf("paid %v, want %v", got, want)
	}
	list, err := p.shop.Access.Reviews(p.ctx, false)
	if err != nil || len(list) != 1 || list[0].Kind != access.ReviewCard || list[0].ReaderID != 3 ||
		list[0].ProviderID != p.subscriptions(3)[0].ProviderID {
		t.Fatalf("got %+v, %v, want one of reader 3", list, err)
	}
	if n := p.count("SELECT count(*) FROM billing_uses WHERE person LIKE 'card:%' AND length(person) = 69"); n != 2 {
		t.Errorf("%d cards are noted by a hash, want 2", n)
	}
	if _, err := p.shop.ResolveReview(p.ctx, list[0].ID, false, false); err != nil {
		t.Fatal(err)
	}
	p.advance(40 * day) // it is renewed, and looked at again
	p.work()
	if list, err = p.shop.Access.Reviews(p.ctx, false); err != nil || len(list) != 0 {
		t.Errorf("it waits again: %+v, %v", list, err)
	}
}

func TestYearlyCostsTheSameEveryYear(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(1, access.Yearly), goodCard)
	p.work()
	p.advance(366 * day)
	p.work()
	if got, want := p.paid(), []int64{8900, 8900}; !reflect.DeepEqual(got, want) {
		t.Errorf("paid %v, not %v", got, want)
	}
}

func TestOneCheckoutHoweverOftenItIsAskedFor(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	twin := p.module() // another process
	seen := map[string]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			shop := p.shop
			if i%2 == 1 {
				shop = twin
			}
			to, err := shop.Subscriptions.Pay(p.ctx, 5, subscription.Order{Product: access.Monthly})
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			seen[to]++
			mu.Unlock()
		})
	}
	all.Wait()
	if sessions := p.listed("checkout/sessions?limit=100"); len(seen) != 1 || len(sessions) != 1 {
		t.Fatalf("%d addresses, %d checkouts", len(seen), len(sessions))
	}
	first := p.order(5, access.Monthly)
	if seen[first] == 0 {
		t.Error("a later click leads elsewhere")
	}
	if n := p.count("SELECT count(*) FROM billing_intents"); n != 1 {
		t.Errorf("%d intents", n)
	}
	// Another product closes the first checkout before it opens its own.
	second := p.order(5, access.Yearly)
	if res, _ := p.submit(first, card(goodCard)); second == first ||
		res.StatusCode < 400 && strings.Contains(res.Header.Get("Location"), "/payment/success") {
		t.Errorf("the first checkout can still be paid: %d %s", res.StatusCode, res.Header.Get("Location"))
	}
	p.buy(second, goodCard)
	p.work()
	if got, want := p.paid(), []int64{8900}; !reflect.DeepEqual(got, want) {
		t.Errorf("paid %v, not %v", got, want)
	}
}

func TestCardsThatFail(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	to := p.order(1, access.Monthly)
	if res, _ := p.submit(to, card(declinedCard)); strings.Contains(res.Header.Get("Location"), "/payment/success") {
		t.Error("a declined card paid")
	}
	p.work()
	if until, _, _, _ := p.standing(1); !until.IsZero() || len(p.paid()) != 0 {
		t.Errorf("declined: until %s, paid %v", until, p.paid())
	}
	// The bank asks: no, then yes.
	res, _ := p.submit(to, card(askingCard))
	challenge := res.Header.Get("Location")
	if !strings.Contains(challenge, "challenge") {
		t.Fatalf("the bank does not ask: %d %q", res.StatusCode, challenge)
	}
	p.submit(challenge, url.Values{"outcome": {"fail"}})
	p.work()
	if until, _, _, _ := p.standing(1); !until.IsZero() {
		t.Errorf("refused by the holder: until %s", until)
	}
	res, _ = p.submit(to, card(askingCard))
	p.submit(res.Header.Get("Location"), url.Values{"outcome": {"complete"}})
	p.work()
	if until, _, _, _ := p.standing(1); until.IsZero() {
		t.Error("confirmed by the holder, and no access")
	}
	if got, want := p.paid(), []int64{100}; !reflect.DeepEqual(got, want) {
		t.Errorf("paid %v, not %v", got, want)
	}
}

func TestRenewalThatFails(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(1, access.Monthly), goodCard)
	p.work()
	s := p.subscriptions(1)[0]
	customer, _ := p.api(http.MethodGet, "subscriptions/"+s.ProviderID, nil)["customer"].(string)
	method := p.api(http.MethodPost, "payment_methods/pm_card_chargeCustomerFail/attach",
		url.Values{"customer": {customer}})
	id, _ := method["id"].(string)
	p.api(http.MethodPost, "subscriptions/"+s.ProviderID, url.Values{"default_payment_method": {id}})
	p.advance(28*day + time.Hour)
	p.work()
	s = p.subscriptions(1)[0]
	until, _, _, _ := p.standing(1)
	if s.Status != stripe.PastDue || !until.Equal(s.PeriodStart.AddDate(0, 0, 7)) {
		t.Fatalf("%s, until %s, period from %s", s.Status, until, s.PeriodStart)
	}
	p.advance(7 * day)
	if until, _, _, due := p.standing(1); !until.IsZero() || !due {
		t.Errorf("after the grace days: until %s, notice %v", until, due)
	}
	for _, closed := range []bool{true, false, true} {
		if err := p.shop.Access.DismissReminder(p.ctx, 1, closed); err != nil {
			t.Fatal(err)
		}
		if _, _, _, due := p.standing(1); due == closed {
			t.Errorf("the notice was closed: %t, and is due: %t", closed, due)
		}
	}
	p.view(func(ctx context.Context, tx db.Tx) error { // as after another subscription
		_, err := tx.NewRaw("UPDATE billing_readers SET reminder_dismissed_at = ?", s.PeriodStart.AddDate(0, 0, -30)).
			Exec(ctx)
		return err
	})
	p.shop.Access.ForgetAll()
	if _, _, _, due := p.standing(1); !due {
		t.Error("the notice of an earlier end was closed, and this one does not come")
	}
}

func TestProviderAway(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	if err := p.box.SetFaults(sandbox.Faults{API: "500"}); err != nil {
		t.Fatal(err)
	}
	if a := p.post(1, "/fns/stripe-payment", `{"product_type":"product_monthly"}`); a.Status != 503 ||
		a.Body["error"] != "PAYMENT_FAILED" {
		t.Errorf("with errors: %v", a)
	}
	if err := p.box.SetFaults(sandbox.Faults{API: "none"}); err != nil {
		t.Fatal(err)
	}
	p.buy(p.order(1, access.Monthly), goodCard)
	p.work()
	if got, want := p.paid(), []int64{100}; !reflect.DeepEqual(got, want) {
		t.Errorf("paid %v, not %v", got, want)
	}
	if n := p.count("SELECT count(*) FROM billing_intents WHERE state = 'open'"); n != 0 {
		t.Errorf("%d open intents", n)
	}
}

// A call that was done and never answered is made again with the same key: there is one checkout.
func TestProviderThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	if _, err := p.shop.Subscriptions.SyncPrices(p.ctx); err != nil {
		t.Fatal(err)
	}
	acc := p.account()
	product := p.ed.Product(access.Monthly)
	in, _, _, err := p.shop.Subscriptions.OpenIntent(p.ctx, 1, "reader1@example.org", product,
		subscription.Order{Referrer: "/"})
	if err != nil {
		t.Fatal(err)
	}
	// Its answer is not written down.
	lost, err := p.shop.Subscriptions.CreateCheckout(p.ctx, acc, *in, "reader1@example.org", product)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.order(1, access.Monthly); got != lost.URL {
		t.Errorf("%s, not %s", got, lost.URL)
	}
	if n := len(p.listed("checkout/sessions?limit=100")); n != 1 {
		t.Errorf("%d checkouts", n)
	}
}

func TestExpiredCheckout(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	first := p.order(1, access.Monthly)
	p.advance(40 * time.Minute)
	p.work()
	if err := p.shop.Subscriptions.SettleIntents(p.ctx); err != nil {
		t.Fatal(err)
	}
	if n := p.count("SELECT count(*) FROM billing_intents WHERE state = 'expired'"); n != 1 {
		t.Errorf("%d expired intents", n)
	}
	second := p.order(1, access.Monthly)
	if second == first {
		t.Fatal("an expired checkout is offered again")
	}
	p.buy(second, goodCard)
	p.work()
	if until, _, _, _ := p.standing(1); until.IsZero() {
		t.Error("no access")
	}
}

func TestWhoMayPay(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	for _, c := range []struct {
		name   string
		reader int64
		body   string
		status int
		code   string
	}{
		{"visitor", 0, `{"product_type":"product_monthly"}`, 401, "INVALID_TOKEN"},
		{"another reader's id", 1, `{"product_type":"product_monthly","user_id":2}`, 403, "FOREIGN_USER"},
		{"unknown product", 1, `{"product_type":"product_weekly"}`, 400, "INVALID_ARGS"},
		{"no product", 1, `{"product_type":"no_product"}`, 400, "INVALID_ARGS"},
		{"unknown method", 1, `{"product_type":"product_yearly","payment_method":"cash"}`, 400, "INVALID_ARGS"},
		{"transfer", 1, `{"product_type":"product_yearly","payment_method":"iban"}`, 422, "IBAN_PAYMENT_FAILED"},
		{"not JSON", 1, `product`, 400, "INVALID_ARGS"},
	} {
		if a := p.post(c.reader, "/fns/stripe-payment", c.body); a.Status != c.status || a.Body["error"] != c.code {
			t.Errorf("%s: %d %v", c.name, a.Status, a.Body)
		}
	}
	for name, path := range map[string]string{"visitor": "/fns/stripe-update-subscription"} {
		if a := p.post(0, path, `{}`); a.Status != 401 {
			t.Errorf("%s: %v", name, a)
		}
		if a := p.post(1, path, `{"user_id":2}`); a.Status != 403 {
			t.Errorf("another reader: %v", a)
		}
	}
	if n := p.count("SELECT count(*) FROM billing_intents"); n != 0 {
		t.Errorf("%d intents", n)
	}
	form := p.call(1, http.MethodPost, "/fns/stripe-payment", "application/x-www-form-urlencoded",
		"product_type=product_monthly&referrer=%2F%2Fevil.example")
	if to := form.Header.Get("Location"); form.Status != http.StatusSeeOther ||
		!strings.Contains(to, "/_dev/stripe/checkout/") {
		t.Errorf("plain form: %d %s", form.Status, to)
	}
	if n := p.count("SELECT count(*) FROM billing_intents WHERE referrer = '/'"); n != 1 {
		t.Error("a foreign referrer was kept")
	}
	for name, c := range map[string]struct {
		reader     int64
		body, want string
	}{
		"a visitor": {
			0, "product_type=product_monthly&referrer=%2F1%2Fx",
			"/account/login?referrer=%2Faccount%3Fproduct_type%3Dproduct_monthly%26referrer%3D%252F1%252Fx&" +
				"status=INVALID_TOKEN",
		},
		"nothing": {0, "", "/account/login?referrer=%2Faccount&status=INVALID_TOKEN"},
		"no plan": {1, "product_type=gold&referrer=%2F%2Fevil.example", "/account?status=INVALID_ARGS"},
		"by bank": {
			1, "product_type=product_monthly&payment_method=iban&referrer=%2F1",
			"/account?by=iban&product_type=product_monthly&referrer=%2F1&status=IBAN_PAYMENT_FAILED",
		},
	} {
		form = p.call(c.reader, http.MethodPost, "/fns/stripe-payment", "application/x-www-form-urlencoded", c.body)
		if to := form.Header.Get("Location"); form.Status != http.StatusSeeOther || to != c.want {
			t.Errorf("plain form, %s: %d %s", name, form.Status, to)
		}
	}
}
