package billing

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/voucher"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
)

// gives opens the checkout of a gift and returns its address.
func (p *env) gives(fields string) string {
	p.t.Helper()
	a := p.post(0, "/fns/gift-payment", `{"product_type":"product_yearly","buyer_email":"giver@example.org",`+fields+`}`)
	data, _ := a.Body["data"].(map[string]any)
	to, _ := data["redirect"].(string)
	if a.Status != http.StatusOK || to == "" {
		p.t.Fatalf("no checkout: %d %v", a.Status, a.Body)
	}
	return to
}

var codeShape = regexp.MustCompile(`\b[2-9A-Z]{4}(-[2-9A-Z]{4}){4}\b`)

func codeIn(t *testing.T, l mail.Message) string {
	t.Helper()
	for _, b := range l.Blocks {
		if b.Kind == "code" && codeShape.MatchString(b.Text) {
			return b.Text
		}
	}
	t.Fatalf("no code in %+v", l)
	return ""
}

// sale shows a step of the shop to a visitor, saleFor to a reader.
func (p *env) sale(address string) *page.Page { return p.saleFor(0, address) }

func (p *env) saleFor(reader int64, address string) *page.Page {
	p.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		p.t.Fatal(err)
	}
	ctx := p.ctx
	if reader != 0 {
		ctx = session.With(ctx, session.Session{ID: reader, ReaderID: reader})
	}
	got, err := p.shop.salePage(ctx,
		&page.Request{
			Edition: p.ed,
			Route:   edition.Sale, Path: u.Path, Query: u.Query(),
			Params: map[string]string{"saleStep": strings.TrimPrefix(u.Path, "/account/")},
		})
	if err != nil {
		p.t.Fatal(err)
	}
	return got
}

func (p *env) card(address string) *giftData {
	p.t.Helper()
	d, ok := p.sale(address).Data.(saleData)
	if !ok || d.Gift == nil {
		p.t.Fatalf("%s is no card", address)
	}
	return d.Gift
}

// A gift is bought by anybody, mailed with the payment, redeemed by a new reader, and neither renews nor charges.
func TestGiftToANewReader(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	back := p.buy(p.gives(`"buyer_name":"Mara","recipient_email":"eva@example.org","message":"Krásne čítanie!"`), goodCard)
	if !strings.HasPrefix(back, p.ed.URL("/account/gift?card=")) {
		t.Fatalf("sent to %s", back)
	}
	if g := p.card(back); g.State != "pending" || g.Card != nil {
		t.Errorf("before the confirmation: %+v", g)
	}
	if n := p.count("SELECT count(*) FROM billing_coupons"); n != 0 {
		t.Errorf("%d codes without a confirmed payment", n)
	}
	p.work()
	bought, givenUntil := p.sent("gift_bought"), p.sent("gift")
	if len(bought) != 1 || bought[0].To != "giver@example.org" || len(givenUntil) != 1 ||
		givenUntil[0].To != "eva@example.org" {
		t.Fatalf("%+v\n%+v", bought, givenUntil)
	}
	code := codeIn(t, givenUntil[0])
	if g := p.card(back); g.State != "ready" || g.Card.Code != code || g.Card.From != "Mara" ||
		g.Card.Message != "Krásne čítanie!" || codeIn(t, bought[0]) != code {
		t.Errorf("the card: %+v", g)
	}
	if text := fmt.Sprint(givenUntil[0].Blocks); !strings.Contains(text, "Mara") ||
		!strings.Contains(text, "Krásne čítanie!") {
		t.Errorf("the email: %s", text)
	}
	if g := p.card(back + "x"); g.State != "gone" {
		t.Errorf("a link that is none: %+v", g)
	}
	if a := p.redeems(8, strings.ToLower(code)); a.Status != http.StatusOK {
		t.Fatal(a)
	}
	until, product, _, _ := p.standing(8)
	if want := p.db.Now().AddDate(1, 0, 0); until.Sub(want).Abs() > time.Minute || product != access.Yearly {
		t.Errorf("%s %s", until, product)
	}
	if a := p.redeems(9, code); a.Body["error"] != "INVALID_COUPON_CODE" {
		t.Errorf("a second reader: %v", a.Body)
	}
	if g := p.card(back); g.State != "used" {
		t.Errorf("the card of a redeemed code: %+v", g)
	}
	p.advance(370 * day)
	p.work()
	if until, _, _, _ := p.standing(8); !until.IsZero() || len(p.listed("subscriptions?limit=100")) != 0 ||
		len(p.listed("charges")) != 1 {
		t.Errorf("it renews: %s", until)
	}
}

// An existing reader reads for longer: the end moves, and the next payment with it.
func TestGiftToASubscriber(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.order(7, access.Monthly), goodCard)
	p.buy(p.gives(`"buyer_name":""`), goodCard)
	p.work()
	end := p.subscriptions(7)[0].PeriodEnd
	if len(p.sent("gift")) != 0 {
		t.Error("a gift to hand over was mailed")
	}
	if a := p.redeems(7, codeIn(t, p.sent("gift_bought")[0])); a.Status != http.StatusOK {
		t.Fatal(a)
	}
	p.work()
	if s := p.subscriptions(7)[0]; !s.PeriodEnd.Equal(end.AddDate(1, 0, 0)) || len(p.paid()) != 1 {
		t.Errorf("ends %s, not a year after %s; paid %v", s.PeriodEnd, end, p.paid())
	}
}

func TestGiftOnItsDay(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	on := p.db.Now().In(p.ed.Location).AddDate(0, 0, 10)
	p.buy(p.gives(fmt.Sprintf(`"recipient_email":"eva@example.org","send_on":%q`, on.Format(time.DateOnly))), goodCard)
	p.work()
	if len(p.sent("gift_bought")) != 1 || len(p.sent("gift")) != 0 {
		t.Fatalf("at once: %d, %d", len(p.sent("gift_bought")), len(p.sent("gift")))
	}
	due := time.Date(on.Year(), on.Month(), on.Day(), 8, 0, 0, 0, p.ed.Location)
	p.advance(due.Sub(p.db.Now()) - time.Minute)
	p.work()
	if len(p.sent("gift")) != 0 {
		t.Error("before its hour")
	}
	p.advance(2 * time.Minute)
	p.work()
	if len(p.sent("gift")) != 1 {
		t.Error("not on its day")
	}
}

// A gift that was redeemed from its card before its day is not mailed any more.
func TestGiftRedeemedBeforeItsDay(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	on := p.db.Now().In(p.ed.Location).AddDate(0, 0, 10)
	p.buy(p.gives(fmt.Sprintf(`"recipient_email":"eva@example.org","send_on":%q`, on.Format(time.DateOnly))), goodCard)
	p.work()
	if a := p.redeems(8, codeIn(t, p.sent("gift_bought")[0])); a.Status != http.StatusOK {
		t.Fatal(a)
	}
	p.advance(11 * day)
	p.work()
	if got := p.sent("gift"); len(got) != 0 {
		t.Errorf("a code that is spent was mailed: %+v", got)
	}
}

// However often and by whomever the payment is reported, there is one code and one email; an unreported one is found.
func TestGiftIsSettledOnce(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.gives(`"recipient_email":"eva@example.org"`), goodCard)
	session := ""
	for _, s := range p.listed("checkout/sessions?limit=100") {
		session = fmt.Sprint(s["id"])
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if err := p.shop.Subscriptions.RefreshObject(p.ctx, stripe.ObjectCheckout, session); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	p.work()
	if n := p.count("SELECT count(*) FROM billing_coupons"); n != 1 || len(p.sent("gift")) != 1 ||
		len(p.sent("gift_bought")) != 1 {
		t.Errorf("%d codes, %d emails", n, len(p.sent("gift")))
	}
	if err := p.box.SetFaults(sandboxSilent); err != nil {
		t.Fatal(err)
	}
	p.buy(p.gives(`"recipient_email":"adam@example.org"`), goodCard)
	left := p.gives(`"recipient_email":"nobody@example.org"`)
	p.advance(11 * time.Minute)
	for range 2 {
		if err := p.shop.vouchers.SettleGifts(p.ctx); err != nil {
			t.Fatal(err)
		}
	}
	p.work()
	if n := p.count("SELECT count(*) FROM billing_coupons"); n != 2 || len(p.sent("gift")) != 2 {
		t.Errorf("unreported: %d codes, %d emails", n, len(p.sent("gift")))
	}
	p.advance(3 * time.Hour)
	if err := p.shop.vouchers.SettleGifts(p.ctx); err != nil {
		t.Fatal(err)
	}
	if n := p.count("SELECT count(*) FROM billing_gifts WHERE state = 'expired'"); n != 1 {
		t.Errorf("%d gifts were given up, left at %s", n, left)
	}
}

func TestGiftsThatAreNotBought(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	soon := p.db.Now().In(p.ed.Location).AddDate(2, 0, 0).Format(time.DateOnly)
	for name, c := range map[string][3]string{
		"no address": {`{"product_type":"product_yearly","buyer_email":"x"}`, "INVALID_EMAIL", "buyer_email"},
		"no recipient": {
			`{"product_type":"product_yearly","buyer_email":"a@example.org","recipient_email":"x"}`,
			"INVALID_EMAIL", "recipient_email",
		},
		"no product": {`{"product_type":"gold","buyer_email":"a@example.org"}`, "INVALID_ARGS", "product_type"},
		"a free one": {`{"product_type":"no_product","buyer_email":"a@example.org"}`, "INVALID_ARGS", "product_type"},
		"yesterday": {
			`{"product_type":"product_yearly","buyer_email":"a@example.org","send_on":"2020-01-01"}`,
			"INVALID_ARGS", "send_on",
		},
		"in two years": {
			`{"product_type":"product_yearly","buyer_email":"a@example.org","send_on":"` + soon + `"}`,
			"INVALID_ARGS", "send_on",
		},
		"no day": {
			`{"product_type":"product_yearly","buyer_email":"a@example.org","send_on":"24.12."}`,
			"INVALID_ARGS", "send_on",
		},
		"too many words": {`{"product_type":"product_yearly","buyer_email":"a@example.org","message":"` +
			strings.Repeat("á", 501) + `"}`, "INVALID_ARGS", "message"},
		"nothing of value": {`{}`, "INVALID_ARGS", "product_type"},
	} {
		if a := p.post(0, "/fns/gift-payment", c[0]); a.Body["error"] != c[1] || a.Body["field"] != c[2] {
			t.Errorf("%s: %d %v", name, a.Status, a.Body)
		}
	}
	form := p.call(0, http.MethodPost, "/fns/gift-payment", "application/x-www-form-urlencoded",
		"product_type=product_yearly&buyer_email=x")
	if to := form.Header.Get("Location"); form.Status != http.StatusSeeOther ||
		to != "/account/gift?status=INVALID_EMAIL" {
		t.Errorf("plain form: %d %s", form.Status, to)
	}
	to := p.gives(`"buyer_name":""`)
	if res, _ := p.submit(to, card(declinedCard)); strings.Contains(res.Header.Get("Location"), "/account/gift") {
		t.Error("a declined card paid")
	}
	p.work()
	if n := p.count("SELECT count(*) FROM billing_coupons"); n != 0 {
		t.Errorf("%d codes", n)
	}
	if err := p.box.SetFaults(sandboxDown); err != nil {
		t.Fatal(err)
	}
	if a := p.post(0, "/fns/gift-payment",
		`{"product_type":"product_yearly","buyer_email":"a@example.org"}`); a.Body["error"] != "PAYMENT_FAILED" {
		t.Errorf("while the provider is away: %v", a.Body)
	}
}

// Checkouts name cards as the only way to pay, whatever is switched on at the provider: what is confirmed days later
// would come too late.
func TestCheckoutsTakeCardsAlone(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	to, err := url.Parse(p.box.BaseURL())
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	asked := map[string][]string{}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }}
	between := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		form, wrong := url.ParseQuery(string(body))
		if err != nil || wrong != nil {
			t.Error(err, wrong)
		}
		if r.Method == http.MethodPost && r.URL.Path == "/v1/checkout/sessions" {
			mu.Lock()
			defer mu.Unlock()
			for key, v := range form {
				if strings.HasPrefix(key, "payment_method_types") {
					asked[form.Get("mode")] = append(asked[form.Get("mode")], v...)
				}
			}
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(between.Close)
	p.restart(p.providerAt(between.URL))
	p.order(7, access.Monthly)
	if _, err := p.shop.vouchers.BuyGift(p.ctx, voucher.Order{Product: access.Yearly, BuyerEmail: "a@example.org"},
		"n"); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if want := map[string][]string{"subscription": {"card"}, "payment": {"card"}}; !reflect.DeepEqual(asked, want) {
		t.Errorf("%v, not %v", asked, want)
	}
}

// A message of a gift is stored as it is typed, without characters that no text has.
func TestGiftMessage_Stored(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	for text, want := range map[string]string{
		"Krásne čítanie,\nbabka\ta dedko": "Krásne čítanie,\nbabka a dedko", "Všetko naj.Tvoja mama": "",
		"o 8.30, 24.12.2026 …": "", "50 % č. 3": "", "Krásne sviatky 👨\u200d👩\u200d👧": "", "Milá babka.Je to pre Teba!": "",
		"a\x00b\u202ec\x1b[2J": "abc[2J", "z kopírovania\u200b\ufeff": "z kopírovania", "می\u200cخواهم": "",
	} {
		b, err := json.Marshal(map[string]string{
			"product_type": access.Yearly, "buyer_email": "giver@example.org", "message": text,
		})
		if err != nil {
			t.Fatal(err)
		}
		if a := p.post(0, "/fns/gift-payment", string(b)); a.Status != http.StatusOK {
			t.Errorf("%q: got %d %v, want 200", text, a.Status, a.Body)
		}
		stored := ""
		p.view(func(ctx context.Context, tx db.Tx) error {
			return tx.NewRaw("SELECT message FROM billing_gifts ORDER BY id DESC LIMIT 1").Scan(ctx, &stored)
		})
		if want = cmp.Or(want, text); stored != want {
			t.Errorf("%q: got %q, want %q", text, stored, want)
		}
	}
}

// Who has bought or was given something need not have an account, and no email speaks of one.
func TestMailsOfAGiftSpeakOfNoAccount(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	p.buy(p.gives(`"recipient_email":"eva@example.org"`), goodCard)
	p.work()
	p.api(http.MethodPost, "refunds", url.Values{"payment_intent": {p.paymentOf()}})
	p.work()
	for _, kind := range []string{"gift", "gift_bought", "invoice", "credit"} {
		all := p.sent(kind)
		if len(all) != 1 {
			t.Errorf("%d emails %q", len(all), kind)
			continue
		}
		text := mail.Text(p.ed, &all[0])
		if strings.Contains(text, "vášho účtu") || strings.Contains(text, "svojom účte") ||
			!strings.Contains(text, "denníka") {
			t.Errorf("%s:\n%s", kind, text)
		}
	}
}
