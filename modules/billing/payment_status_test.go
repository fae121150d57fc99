package billing

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
)

// successOf is the page of a checkout session, for a reader or for a visitor (0).
func (p *env) successOf(reader int64, id string) (*page.Page, successData) {
	p.t.Helper()
	ctx := p.ctx
	if reader != 0 {
		ctx = session.With(ctx, session.Session{ID: reader, ReaderID: reader})
	}
	got, err := p.shop.successPage(ctx, &page.Request{
		Edition: p.ed, Path: "/payment/success", Query: url.Values{"session_id": {id}},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	d, _ := got.Data.(successData)
	return got, d
}

func (p *env) statusOf(reader int64, id string) string {
	p.t.Helper()
	a := p.call(reader, http.MethodGet, "/fns/payment-status?session_id="+url.QueryEscape(id), "", "")
	if a.Status != http.StatusOK {
		p.t.Errorf("reader %d: got %d %v, want 200", reader, a.Status, a.Body)
	}
	state, _ := a.Body["state"].(string)
	return state
}

// The states of a checkout, to its reader and to all others who have its address: page and call say the same, and
// nobody who has paid is told that the payment was not found. Others learn nothing of whose it is.
func TestPaymentStatus(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	checkout := func(reader int64) (address, id string) {
		address = p.order(reader, access.Monthly)
		return address, address[strings.LastIndex(address, "/")+1:]
	}
	paid, paidID := checkout(1)
	_, openID := checkout(2)
	_, overID := checkout(3)
	p.buy(paid, goodCard)
	check := func(when, id string, own, other string) {
		t.Helper()
		for reader, want := range map[int64]string{1: other, 2: other, 3: other, 0: other, 7: other} {
			if id == paidID && reader == 1 || id == openID && reader == 2 || id == overID && reader == 3 {
				want = own
			}
			got, d := p.successOf(reader, id)
			if d.State != want || p.statusOf(reader, id) != want {
				t.Errorf("%s, reader %d: got %s and %s, want %s", when, reader, d.State, p.statusOf(reader, id), want)
			}
			if d.SignedIn != (reader != 0) || (d.EndsAt != nil) != (want == subscription.Confirmed) {
				t.Errorf("%s, reader %d: got %+v", when, reader, d)
			}
			if want == subscription.SignedOut {
				text, err := json.Marshal(got)
				if err != nil || strings.Contains(string(text), "reader1") || got.Refresh != "" || d.Referrer != "/1/clanok" {
					t.Errorf("%s, reader %d: got %s", when, reader, text)
				}
			}
		}
	}
	check("paid, not confirmed yet", paidID, subscription.Pending, subscription.Pending)
	ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
	defer cancel()
	if err := p.box.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	p.work()
	check("paid", paidID, subscription.Confirmed, subscription.SignedOut)
	check("not paid yet", openID, subscription.Pending, subscription.Pending)
	p.advance(access.IntentTTL + time.Hour)
	if err := p.shop.Subscriptions.SettleIntents(p.ctx); err != nil {
		t.Fatal(err)
	}
	check("never paid", overID, subscription.Unpaid, subscription.Unpaid)
	for _, id := range []string{
		"cs_guess", "cs_test_\x00", "'; DROP TABLE billing_intents; --", strings.Repeat("c", 4000),
	} {
		check("no session", id, subscription.Unknown, subscription.Unknown)
	}
	if got, d := p.successOf(0, "cs_guess"); d.Referrer != "/" || got.Refresh != "" {
		t.Errorf("got %+v, want nothing of an unknown session", d)
	}
}

// invoiceForm is the form of invoice data as a reader's browser gets it with cookies.
func (p *env) invoiceForm(reader int64, cookies []*http.Cookie) (d focusData) {
	p.t.Helper()
	r := gin.New()
	r.GET("/", p.shop.cookies.Unsent(p.shop.db.Now), func(c *gin.Context) {
		got, err := p.shop.focusInvoiceData(edition.With(c.Request.Context(), p.ed), reader)
		if err != nil {
			p.t.Error(err)
			return
		}
		d, _ = got.(focusData)
	})
	req := httptest.NewRequestWithContext(p.ctx, http.MethodGet, "/", nil)
	for _, ck := range cookies {
		req.AddCookie(ck)
	}
	r.ServeHTTP(httptest.NewRecorder(), req)
	return d
}

// Every call about money is refused if its body names another account or another session than the one that is logged
// in: by a script and by a plain form, which leads back to the choice.
func TestMoneyCalls_ForeignAccount(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	bodies := map[string]url.Values{
		"/fns/stripe-payment":             {"product_type": {access.Monthly}, "referrer": {"/1/clanok"}},
		"/fns/stripe-quest-payment":       {"product_type": {access.Monthly}},
		"/fns/stripe-update-subscription": {},
		"/fns/stripe-subscription":        {"action": {"cancel"}},
	}
	forms := map[string]string{
		"/fns/stripe-payment":       "/account?product_type=product_monthly&referrer=%2F1%2Fclanok&status=FOREIGN_USER",
		"/fns/stripe-quest-payment": "/account/campaign?product_type=product_monthly&status=FOREIGN_USER",
		"/fns/stripe-subscription":  "/account/profile?status=FOREIGN_USER",
		"/fns/user-data-set":        "/account/focus?status=FOREIGN_USER&type=invoice_data",
	}
	bodies["/fns/user-data-set"] = url.Values{"name": {"Eva Nová"}}
	for path, fields := range bodies {
		for name, claim := range map[string]struct {
			member, value string
			script        any
		}{
			"another account":         {"user_id", "6", 6},
			"another account as text": {"user_id", "6", "6"},
			"another session":         {"user_token", "handle-of-6", "handle-of-6"},
		} {
			body := map[string]any{claim.member: claim.script}
			for field := range fields {
				body[field] = fields.Get(field)
			}
			if path == "/fns/user-data-set" {
				body["data"] = map[string]string{"name": "Eva Nová", "email": ""}
			}
			text, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			for reader, want := range map[int64]struct {
				status int
				code   string
			}{5: {403, "FOREIGN_USER"}, 0: {401, "INVALID_TOKEN"}} {
				if a := p.post(reader, path, string(text)); a.Status != want.status || a.Body["error"] != want.code {
					t.Errorf("%s, %s, reader %d: got %d %v, want %d %s", path, name, reader, a.Status, a.Body["error"],
						want.status, want.code)
				}
			}
			if forms[path] == "" {
				continue
			}
			form := url.Values{claim.member: {claim.value}}
			for field := range fields {
				form.Set(field, fields.Get(field))
			}
			a := p.call(5, http.MethodPost, path, "application/x-www-form-urlencoded", form.Encode())
			if got := a.Header.Get("Location"); a.Status != http.StatusSeeOther || got != forms[path] {
				t.Errorf("%s, %s, by a form: got %d %s, want %s", path, name, a.Status, got, forms[path])
			}
		}
	}
	if n := p.count("SELECT count(*) FROM billing_intents") + p.count("SELECT count(*) FROM billing_transfers"); n != 0 {
		t.Errorf("got %d orders, want 0", n)
	}
	for _, body := range []string{
		`{"product_type":"product_monthly","user_id":5}`, `{"product_type":"product_monthly","user_id":"5","user_token":""}`,
		`{"product_type":"product_monthly","user_id":null}`,
	} {
		if a := p.post(5, "/fns/stripe-payment", body); a.Status != http.StatusOK {
			t.Errorf("%s: got %d %v, want 200", body, a.Status, a.Body)
		}
	}
}

// A plain order of a reader whose session is over keeps the product, the way of paying and the way back.
func TestPayForm_SignedOut(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	for name, c := range map[string]struct {
		form url.Values
		want string
	}{
		"by card": {
			url.Values{"product_type": {access.Yearly}, "payment_method": {"card"}, "referrer": {"/tema"}},
			"/account?product_type=product_yearly&referrer=%2Ftema",
		},
		"by transfer": {
			url.Values{"product_type": {access.Yearly}, "payment_method": {"iban"}, "referrer": {"/tema"}, "user_id": {"5"}},
			"/account?by=iban&product_type=product_yearly&referrer=%2Ftema",
		},
		"nothing chosen": {url.Values{"product_type": {"loan"}}, "/account"},
	} {
		a := p.call(0, http.MethodPost, "/fns/stripe-payment", "application/x-www-form-urlencoded", c.form.Encode())
		to, err := url.Parse(a.Header.Get("Location"))
		if err != nil || to.Path != "/account/login" || to.Query().Get("referrer") != c.want ||
			to.Query().Get("status") != "INVALID_TOKEN" {
			t.Errorf("%s: got %s, want the login that leads to %s", name, a.Header.Get("Location"), c.want)
		}
	}
}

// Invoice data that was typed in a session that was over is in the form after the login of the same reader, and of no
// other.
func TestInvoiceDataForm_SignedOut(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	typed := url.Values{
		"user_id": {"5"}, "client_type": {"legal_entity"}, "company_name": {"Riečna tlač, s. r. o."}, "city": {"Nitra"},
	}
	a := p.call(0, http.MethodPost, "/fns/user-data-set", "application/x-www-form-urlencoded", typed.Encode())
	if got := a.Header.Get("Location"); got !=
		"/account/login?referrer=%2Faccount%2Ffocus%3Ftype%3Dinvoice_data&status=INVALID_TOKEN" {
		t.Errorf("got %s, want the login that leads back to the form", got)
	}
	for reader, want := range map[int64]string{5: "Riečna tlač, s. r. o.", 6: "", 0: ""} {
		got := p.invoiceForm(reader, (&http.Response{Header: a.Header}).Cookies())
		if got.Values.Company != want {
			t.Errorf("reader %d: got %q, want %q", reader, got.Values.Company, want)
		}
	}
	if a := p.call(0, http.MethodPost, "/fns/user-data-set", "application/x-www-form-urlencoded",
		url.Values{"city": {"Nitra"}}.Encode()); len((&http.Response{Header: a.Header}).Cookies()) != 0 {
		t.Error("got a cookie with data of nobody, want no cookie")
	}
}
