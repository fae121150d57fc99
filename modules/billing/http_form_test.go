package billing

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/voucher"
	"example.org/broadsheet/modules/billing/withdrawal"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
)

// shown opens a step as a browser does that was led there with cookies.
func (p *env) shown(address string, cookies []*http.Cookie) (d saleData) {
	p.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		p.t.Fatal(err)
	}
	r := gin.New()
	r.GET("/*path", p.shop.Typed(), func(c *gin.Context) {
		ctx := edition.With(c.Request.Context(), p.ed)
		got, err := p.shop.salePage(ctx,
			&page.Request{
				Edition: p.ed,
				Route:   edition.Sale, Path: u.Path, Query: u.Query(),
				Params: map[string]string{"saleStep": strings.TrimPrefix(u.Path, "/account/")},
			})
		if err != nil {
			p.t.Error(err)
			return
		}
		d, _ = got.Data.(saleData)
	})
	req := httptest.NewRequestWithContext(p.ctx, http.MethodGet, address, nil)
	for _, ck := range cookies {
		req.AddCookie(ck)
	}
	r.ServeHTTP(httptest.NewRecorder(), req)
	return d
}

// A plain form that is refused stands there again with all that was typed, and says at which field why; nowhere else,
// and not for long.
func TestRefusedFormsKeepWhatWasTyped(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	long := strings.Repeat("<<<<<<<<<\n", 50)
	cases := map[string]struct {
		path  string
		typed url.Values
		extra url.Values
		field string
		code  string
		back  string
	}{
		"a gift": {
			path: "/fns/gift-payment", field: "recipient_email", code: "INVALID_EMAIL", back: "/account/gift",
			typed: url.Values{
				"product_type": {access.Monthly}, "buyer_email": {"mara@north.example"},
				"buyer_name": {`Mara "M" <Žltá>`}, "recipient_email": {"eva"}, "message": {"Ahoj,\r\nčítaj!"},
				"send_on": {"2027-01-01"},
			},
		},
		"the longest message": {
			path: "/fns/gift-payment", field: "buyer_email", code: "INVALID_EMAIL", back: "/account/gift",
			typed: url.Values{
				"product_type": {access.Yearly}, "buyer_email": {strings.Repeat("x", 254)},
				"message": {strings.ReplaceAll(long, "\n", "\r\n")},
			},
		},
		"a code": {
			path: "/fns/stripe-quest-payment", field: "coupon_code", code: "INVALID_COUPON_CODE", back: "/account/coupon",
			extra: url.Values{"form": {"coupon"}},
			typed: url.Values{"coupon_code": {"K7QF 2MXD"}, "user_email": {"mara@north.example"}},
		},
		"an offer": {
			path: "/fns/stripe-quest-payment", field: "user_email", code: "INVALID_EMAIL",
			back:  "/account/campaign?product_type=product_monthly",
			extra: url.Values{"form": {"campaign"}, "product_type": {access.Monthly}},
			typed: url.Values{"user_email": {"mara"}},
		},
		"a withdrawal": {
			path: "/fns/withdrawal", field: "email", code: "INVALID_EMAIL", back: "/account/withdrawal",
			typed: url.Values{"name": {"Eva Nová"}, "email": {"eva"}, "contract": {withdrawal.OfGift}},
		},
		"a withdrawal of nothing": {
			path: "/fns/withdrawal", field: "name", code: "INVALID_ARGS", back: "/account/withdrawal",
			typed: url.Values{
				"name": {strings.Repeat("x", 81)}, "email": {"eva@north.example"},
				"contract": {withdrawal.OfSubscription},
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			all := url.Values{"unknown": {"x"}}
			maps.Copy(all, c.typed)
			maps.Copy(all, c.extra)
			a := p.call(0, http.MethodPost, c.path, form, all.Encode())
			to := a.Header.Get("Location")
			if base, _, _ := strings.Cut(c.back, "?"); a.Status != http.StatusSeeOther || !strings.HasPrefix(to, base) ||
				!strings.Contains(to, "status="+c.code) {
				t.Fatalf("%d %s %v", a.Status, to, a.Body)
			}
			cookies := (&http.Response{Header: a.Header}).Cookies()
			if len(cookies) != 1 || !cookies[0].HttpOnly || len(cookies[0].String()) > 4096 ||
				cookies[0].Expires.Sub(p.db.Now()).Minutes() > 2 {
				t.Fatalf("%v", cookies)
			}
			got := p.shown(to, cookies).Typed
			want := map[string]string{}
			for field := range c.typed {
				want[field] = c.typed.Get(field)
			}
			if got == nil || !maps.Equal(got.Values, want) || got.Field != c.field || got.Code != c.code {
				t.Errorf("%+v, want %+v at %s with %s", got, want, c.field, c.code)
			}
			other := "/account/coupon"
			if strings.HasPrefix(c.back, other) {
				other = "/account/withdrawal"
			}
			for _, elsewhere := range []string{c.back, strings.Replace(to, c.code, "ERROR", 1), other + "?status=" + c.code} {
				if got := p.shown(elsewhere, cookies).Typed; got != nil {
					t.Errorf("%s shows %+v", elsewhere, got)
				}
			}
		})
	}

	t.Run("what is taken, and what a script sends, leaves nothing", func(t *testing.T) {
		good := url.Values{"name": {"Eva"}, "email": {"eva@north.example"}, "contract": {withdrawal.OfGift}}
		if a := p.call(0, http.MethodPost, "/fns/withdrawal", form, good.Encode()); a.Header.Get("Set-Cookie") != "" {
			t.Error(a.Header)
		}
		if a := p.post(0, "/fns/withdrawal", `{"name":"Eva","email":"eva","contract":"gift"}`); a.Status != 422 &&
			a.Status != 400 || a.Header.Get("Set-Cookie") != "" {
			t.Error(a.Status, a.Header)
		}
	})
	t.Run("cookies that we did not write", func(t *testing.T) {
		for _, value := range []string{"%%%", "_w", "e30", strings.Repeat("YWFh", 2000)} {
			if got := p.shown("/account/gift?status=INVALID_EMAIL", []*http.Cookie{{Name: formCookie, Value: value}}).
				Typed; got != nil {
				t.Errorf("%s: %+v", value, got)
			}
		}
	})
	t.Run("a line ends once, however a form sends it", func(t *testing.T) {
		g, err := p.shop.vouchers.Parse(p.ed,
			voucher.Order{
				Product: access.Monthly, BuyerEmail: "m@north.example",
				Message: strings.ReplaceAll(long, "\n", "\r\n"),
			})
		if err != nil || g.Message != strings.TrimSpace(long) {
			t.Errorf("%v %q", err, g.Message)
		}
	})
}
