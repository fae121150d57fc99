package identity

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/paper/readerlog"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

// browser is a reader's browser in front of the module, behind the middleware of the server.
type browser struct {
	*env
	engine  *gin.Engine
	cookies map[string]string
	ip      string
}

func newBrowser(k *env) *browser {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	ed, _ := edition.From(k.ctx)
	e.Use(
		web.Identify(func(*http.Request) bool { return false }, web.ClientIP(e)), web.Recover(), web.SameOrigin(),
		web.BodyLimit(64<<10),
		web.Editions(func(host string) (*edition.Edition, bool) { return ed, host == "sk.test" }),
		web.Cookies{Secure: true}.Sessions(k.Sessions.Authenticate), k.LegacyLink(),
	)
	k.Routes(e)
	return &browser{k, e, map[string]string{}, "192.0.2.1:1234"}
}

// another is a second browser of the same server.
func (b *browser) another() *browser {
	return &browser{b.env, b.engine, map[string]string{}, "198.51.100.7:1234"}
}

type answer struct {
	*httptest.ResponseRecorder
	body map[string]any
}

// at finds a member of the JSON, "data.redirect".
func (a answer) at(path string) any {
	var v any = a.body
	for name := range strings.SplitSeq(path, ".") {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

func (b *browser) do(method, target, body string, headers ...string) answer {
	b.t.Helper()
	r := httptest.NewRequest(method, "https://sk.test"+target, strings.NewReader(body))
	r.RemoteAddr = b.ip
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Del(headers[i])
		if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	b.engine.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if c.MaxAge < 0 || c.Value == "" {
			delete(b.cookies, c.Name)
		} else {
			b.cookies[c.Name] = c.Value
		}
	}
	a := answer{ResponseRecorder: w}
	if strings.Contains(w.Header().Get("Content-Type"), "json") {
		if err := json.Unmarshal(w.Body.Bytes(), &a.body); err != nil {
			b.t.Fatal(err)
		}
	}
	return a
}

func (b *browser) form(target string, pairs ...string) answer {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v.Add(pairs[i], pairs[i+1])
	}
	return b.do("POST", target, v.Encode(), "Content-Type", "application/x-www-form-urlencoded")
}

// mail asks for a mail through the door and returns it.
func (b *browser) mail(email string) receivedEmail {
	b.t.Helper()
	a := b.do("POST", "/fns/user-login", `{"type":"login","payload":{"email":"`+email+`","referrer":"/1/clanok"},`+
		`"article_attrs":{"id":1}}`)
	if a.Code != http.StatusOK {
		b.t.Fatal(a.Body)
	}
	b.work()
	return read(b.emails[len(b.emails)-1])
}

func (b *browser) login(email string) {
	b.t.Helper()
	a := b.do("POST", "/api/login-code-validation", `{"email":"`+email+`","code":"`+b.mail(email).code+`"}`)
	if a.at("data.redirect") != "/1/clanok" || b.cookies["__Host-session"] == "" {
		b.t.Fatal(a.Body)
	}
}

func TestUserLogin(t *testing.T) {
	t.Parallel()
	const form = "application/x-www-form-urlencoded"
	const sent = "/account/sent?type=thankyou-"
	home := newBrowser(newEnv(t, func(d *edition.Document) {
		d.Identity.Domains, d.Identity.DomainList = "block", []string{"blocked.example"}
	}))
	for name, c := range map[string]struct {
		body, media string
		status      int
		want        string // redirect or error
	}{
		"flat": {`{"email":"a@example.org"}`, "", 200, sent + "login&email=a%40example.org"},
		"payload": {
			`{"payload":{"email":" A@Example.org "},"type":"registration"}`, "", 200,
			sent + "registration&email=a%40example.org",
		},
		"type in payload": {
			`{"payload":{"email":"a@example.org","type":"registration"},"type":"login"}`, "", 200,
			sent + "registration&email=a%40example.org",
		},
		"referrer": {
			`{"email":"a@example.org","referrer":"/1/x?y=1"}`, "", 200,
			sent + "login&email=a%40example.org&referrer=%2F1%2Fx%3Fy%3D1",
		},
		"foreign referrer": {
			`{"email":"a@example.org","referrer":"//evil.example"}`, "", 200,
			sent + "login&email=a%40example.org",
		},
		"null payload":  {`{"email":"a@example.org","payload":null}`, "", 200, sent + "login&email=a%40example.org"},
		"no address":    {`{"payload":{}}`, "", 422, "INVALID_EMAIL"},
		"no such type":  {`{"email":"a@example.org","type":"admin"}`, "", 400, "INVALID_ARGS"},
		"not JSON":      {`email`, "", 400, "INVALID_ARGS"},
		"text":          {`{"email":"a@example.org"}`, "text/plain", 415, "NOT_JSON"},
		"empty":         {"", "application/json", 400, "INVALID_ARGS"},
		"a list":        {`{"email":["a@example.org"]}`, "", 400, "INVALID_ARGS"},
		"listed domain": {`{"email":"a@blocked.example"}`, "", 422, "FORBIDDEN_DOMAIN"},
		"form": {
			"email=a%40example.org&type=registration&referrer=%2F1", form, 303,
			sent + "registration&email=a%40example.org&referrer=%2F1",
		},
		"form of an order": {
			"email=a%40example.org&type=registration&product_type=product_yearly&referrer=%2Faccount%3Freferrer%3D%252F17", form,
			303,
			sent + "registration&email=a%40example.org&" +
				"referrer=%2Faccount%3Fpay%3D1%26product_type%3Dproduct_yearly%26referrer%3D%252F17",
		},
		"free form": {
			"email=a%40example.org&product_type=no_product&referrer=%2Faccount", form, 303,
			sent + "login&email=a%40example.org&referrer=%2Faccount",
		},
		"form of articles": {
			"email=a%40example.org&product_type=product_yearly&referrer=%2F1", form, 303,
			sent + "login&email=a%40example.org&referrer=%2F1",
		},
		"bad form": {"email=a&type=registration", form, 303, "/account/registration?status=INVALID_EMAIL"},
		"bad form, way": {
			"email=a&type=registration&referrer=%2Faccount%3Fproduct_type%3Dx", form, 303,
			"/account/registration?referrer=%2Faccount%3Fproduct_type%3Dx&status=INVALID_EMAIL",
		},
		"bad form, evil": {"email=a&referrer=https%3A%2F%2Fevil.example", form, 303, "/account/login?status=INVALID_EMAIL"},
		"bad login form": {"email=a%40blocked.example", form, 303, "/account/login?status=FORBIDDEN_DOMAIN"},
	} {
		t.Run(name, func(t *testing.T) {
			b := home.another()
			b.wait(25 * time.Hour) // with new budgets
			b.emails = nil
			media := c.media
			if media == "" {
				media = "application/json"
			}
			a := b.do("POST", "/fns/user-login", c.body, "Content-Type", media)
			got, _ := a.at("data.redirect").(string)
			if a.Code == 303 {
				got = a.Header().Get("Location")
			} else if a.Code != 200 {
				got, _ = a.at("error").(string)
			}
			if a.Code != c.status || got != c.want {
				t.Fatalf("%d %q, want %d %q; %s", a.Code, got, c.status, c.want, a.Body)
			}
			b.work()
			if sent := len(b.emails); (sent == 1) != strings.Contains(got, "/account/sent") {
				t.Errorf("%d emails", sent)
			}
			if strings.Contains(a.Body.String(), "hash") ||
				(len(b.emails) == 1 && strings.Contains(a.Body.String(), read(b.emails[0]).code)) {
				t.Errorf("the answer gives away what the mail carries: %s", a.Body)
			}
		})
	}
}

// What a form names is agreed to by going on: by the code or the link, in the browser with the form, also after asking
// for the mail again.
func TestTheFormOfALoginIsAgreedTo(t *testing.T) {
	t.Parallel()
	const named = "terms@2025-09-01 privacy@2025-09-01"
	asks := map[string]string{
		"call":         `{"payload":{"email":"a@example.org","agreed":"` + named + `"}}`,
		"flat call":    `{"email":"a@example.org","agreed":"` + named + `"}`,
		"form":         "type=registration&email=a%40example.org&agreed=" + url.QueryEscape(named),
		"form without": "type=registration&email=a%40example.org",
	}
	for name, c := range map[string]struct {
		ask     string
		again   bool // without the form
		another bool // browser opens the link
		want    string
	}{
		"call": {ask: "call", want: named}, "flat call": {ask: "flat call", want: named}, "form": {ask: "form", want: named},
		"sent again": {ask: "form", again: true, want: named}, "form without": {ask: "form without"},
		"another browser": {ask: "form", another: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBrowser(newEnv(t))
			media := "application/json"
			if strings.HasPrefix(c.ask, "form") {
				media = "application/x-www-form-urlencoded"
			}
			b.do("POST", "/fns/user-login", asks[c.ask], "Content-Type", media)
			if c.again {
				b.wait(2 * time.Minute)
				b.do("POST", "/fns/user-login", `{"email":"a@example.org"}`)
			}
			b.work()
			l := read(b.emails[len(b.emails)-1])
			opens, body := b, `{"user_hash":"`+l.link+`"}`
			if c.another {
				opens, body = b.another(), `{"user_hash":"`+l.link+`","confirm":true}`
			}
			if a := opens.do("POST", "/api/security-login", body); a.Code != 200 {
				t.Fatalf("%d %s", a.Code, a.Body)
			}
			var want []string
			if c.want != "" {
				want = []string{"1 " + c.want}
			}
			if !slices.Equal(b.atForms, want) {
				t.Errorf("recorded %q, want %q", b.atForms, want)
			}
		})
	}
}

// The page that takes the code is for the browser that has asked for a mail, until it has logged in; others are sent to
// the login.
func TestOnlyWhoHasAskedIsToldOfTheMail(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.engine.GET("/account/sent", b.LoginPending(), func(c *gin.Context) {
		p, err := b.Pages()[edition.Sent].Load(c.Request.Context(),
			&page.Request{
				Edition: testkit.EditionOf(b.ctx, t),
				Path:    "/account/sent", Tier: page.Anonymous, Query: c.Request.URL.Query(),
				RawQuery: c.Request.URL.RawQuery,
			})
		if err != nil {
			t.Fatal(err)
		}
		c.JSON(http.StatusOK, gin.H{"to": p.Redirect})
	})
	const here, login = "", "/account/login"
	ask := func(b *browser, when, query, want string) {
		t.Helper()
		if got := b.do("GET", "/account/sent?"+query, "").at("to"); got != want {
			t.Errorf("%s, %s: leads to %q, want %q", when, query, got, want)
		}
	}
	const known = "type=thankyou-login&email=jana%40example.org"
	ask(b, "before", known, login)
	ask(b, "before", "type=payment-method-iban", login+"?referrer=%2Faccount%2Fsent%3Ftype%3Dpayment-method-iban")
	b.cookies["__Host-lr"] = "mine"
	ask(b, "with a cookie that is none of ours", known, login)
	delete(b.cookies, "__Host-lr")
	b.mail("jana@example.org")
	for query, want := range map[string]string{
		known: here, "type=login-code&email=jana%40example.org": here,
		"type=thankyou-login": login, "type=thankyou-login&email=jana": login, "type=other&email=jana%40example.org": login,
	} {
		ask(b, "after", query, want)
	}
	ask(b.another(), "elsewhere", known, login)
	b.login("jana@example.org")
	ask(b, "logged in", known, login)
	ask(b, "logged in", "type=payment-method-iban", "/account/transfer")
}

// What was typed into a plain form that is refused stands in it again: in that browser, after that refusal, for a
// moment.
func TestTypedAddressSurvives(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.engine.GET("/form", b.StickyForm(), func(c *gin.Context) {
		p, err := b.Pages()[edition.Login].Load(c.Request.Context(),
			&page.Request{
				Edition: testkit.EditionOf(b.ctx, t), Path: "/form", Tier: page.Anonymous, Query: c.Request.URL.Query(),
			})
		if err != nil {
			t.Fatal(err)
		}
		c.JSON(http.StatusOK, p.Data)
	})
	shown := func(query string) any { return b.do("GET", "/form"+query, "").at("email") }
	const typed = `jana "nova" žltá@`
	refused := b.form("/fns/user-login", "email", typed)
	if to := refused.Header().Get("Location"); to != "/account/login?status=INVALID_EMAIL" {
		t.Fatal(to)
	}
	ck := refused.Result().Cookies()[0]
	if left := ck.Expires.Sub(b.db.Now()); ck.Name != "__Host-typed" || !ck.HttpOnly || !ck.Secure || left <= 0 ||
		left > 2*time.Minute {
		t.Errorf("cookie %v", ck)
	}
	for query, want := range map[string]string{
		"?status=INVALID_EMAIL": typed, "": "", "?status=INVALID_EMAIL&email=other%40example.org": "other@example.org",
	} {
		if got := shown(query); got != want {
			t.Errorf("%q shows %q, not %q", query, got, want)
		}
	}
	for name, value := range map[string]string{
		"no base64": "%%%", "no text": "_w",
		"too long": strings.Repeat("YWFh", 200),
	} {
		b.cookies["__Host-typed"] = value
		if got := shown("?status=INVALID_EMAIL"); got != "" {
			t.Errorf("%s: shows %q", name, got)
		}
	}
	if a := b.form("/fns/user-login", "email", jana); a.Code != 303 || b.cookies["__Host-typed"] != "" {
		t.Errorf("%d, and after a good address the cookie is %q", a.Code, b.cookies["__Host-typed"])
	}
	b.do("POST", "/fns/user-login", `{"email":"nobody"}`)
	if b.cookies["__Host-typed"] != "" {
		t.Error("a script's call leaves a cookie")
	}
}

func TestAnswersForKnownAndUnknownAreEqual(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.login(jana)
	for _, kind := range []string{"login", "registration"} {
		b.wait(secret.ResendAfter)
		var got [2]string
		for i, email := range []string{jana, "nova@example.org"} {
			a := b.another().do("POST", "/fns/user-login", `{"email":"`+email+`","type":"`+kind+`"}`)
			got[i] = strings.Replace(a.Body.String(), url.QueryEscape(email), "?", 1)
		}
		if got[0] != got[1] || !strings.Contains(got[0], "thankyou-"+kind) {
			t.Errorf("%s: %s and %s", kind, got[0], got[1])
		}
	}
}

// A scanner opens the link as often as it likes, as do the prefetches of browsers: only POST counts.
func TestScannersChangeNothing(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	l := b.mail(jana)
	scanner := b.another()
	for range 20 {
		for _, method := range []string{"GET", "HEAD"} {
			for _, target := range []string{
				"/security-check?hash=" + l.link, "/api/security-login?user_hash=" + l.link, "/api/login-code-validation?code=" +
					l.code + "&email=" + jana,
				"/user/me/?user_hash=" + l.link,
			} {
				if a := scanner.do(method, target, "", "Sec-Fetch-Site", "none"); a.Header().Get("Set-Cookie") != "" {
					t.Fatalf("%s %s set %s", method, target, a.Header()["Set-Cookie"])
				}
			}
			for _, mangled := range []string{
				"%23hash=", "%2523hash=", "%3Fhash=", "%253Fhash=", "?hash=", "&hash=", ";hash=",
				"/hash=", "%26hash%3D", "/%23hash=",
			} {
				gateway := "/security-check" + mangled + l.link
				if a := scanner.do(method, gateway, "", "Sec-Fetch-Site", "none"); a.Header().
					Get("Location") != "/security-check#hash="+l.link {
					t.Fatalf("%s %s leads to %q", method, gateway, a.Header().Get("Location"))
				}
			}
		}
		// One with scripts runs the page's own POST, without a person's yes.
		if a := scanner.do("POST", "/api/security-login", `{"user_hash":"`+l.link+`"}`); a.at("data.confirm") != true ||
			len(scanner.cookies) != 0 {
			t.Fatal(a.Body)
		}
	}
	if n := b.sessionsMade(); n != 0 {
		t.Fatalf("a scanner made %d sessions", n)
	}
	a := b.do("POST", "/api/security-login", `{"user_hash":"`+l.link+`"}`)
	if a.at("data.redirect") != "/1/clanok" || b.cookies["__Host-session"] == "" {
		t.Fatalf("its reader: %s", a.Body)
	}
}

func TestSecurityLoginElsewhere(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	l := b.mail(jana)
	phone := b.another()
	a := phone.do("POST", "/api/security-login", `{"user_hash":"`+l.link+`"}`)
	if a.Code != 200 || a.at("success") != true || a.at("data.confirm") != true ||
		a.at("data.email") != "j•••@example.org" || a.at("data.redirect") != nil {
		t.Fatal(a.Body)
	}
	a = phone.do("POST", "/api/security-login", `{"user_hash":"`+l.link+`","confirm":true}`)
	if a.at("data.redirect") != "/1/clanok" || phone.cookies["__Host-session"] == "" ||
		phone.cookies["logged_user"] == "" {
		t.Fatal(a.Body)
	}
	// The code still is good in the browser that asked.
	if a = b.form("/api/login-code-validation", "email", jana, "code", l.code); a.Code != 303 ||
		a.Header().Get("Location") != "/1/clanok" {
		t.Fatal(a.Code, a.Header())
	}
	for name, c := range map[string]struct {
		body   string
		status int
		want   string
	}{
		"used":      {`{"user_hash":"` + l.link + `","confirm":true}`, 410, "TOKEN_USED"},
		"missing":   {`{}`, 400, "INVALID_REQUIREMENT"},
		"malformed": {`{"user_hash":"../../etc"}`, 422, "INVALID_HASH"},
		"handle":    {`{"user_hash":"` + b.cookies["logged_user"] + `"}`, 422, "INVALID_HASH"},
	} {
		if a := phone.do("POST", "/api/security-login", c.body); a.Code != c.status || a.at("error") != c.want {
			t.Errorf("%s: %d %s", name, a.Code, a.Body)
		}
	}
	if a = phone.form("/api/security-login", "user_hash", l.link, "confirm", "1"); a.Header().
		Get("Location") != "/?status=TOKEN_USED" {
		t.Error(a.Header())
	}
}

func TestLoginCodeForms(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	l := b.mail(jana)
	w := wrong(l.code)
	for name, c := range map[string]struct {
		pairs []string
		want  string
	}{
		"nothing": {nil, "/?status=INVALID_REQUIREMENT"},
		"no code": {[]string{"email", jana}, "/?status=INVALID_REQUIREMENT"},
		"wrong": {
			[]string{"email", jana, "code", w, "type", "registration"},
			"/account/sent?email=jana%40example.org&status=INVALID_CODE&type=thankyou-registration",
		},
		"digit each": {[]string{
			"email", jana, "code", w[:1], "code", w[1:2], "code", w[2:3], "code", w[3:4], "code", w[4:5],
			"code", w[5:],
		}, "/account/sent?email=jana%40example.org&status=INVALID_CODE&type=thankyou-login"},
	} {
		if a := b.form("/api/login-code-validation", c.pairs...); a.Code != 303 || a.Header().Get("Location") != c.want {
			t.Errorf("%s: %d %s", name, a.Code, a.Header().Get("Location"))
		}
	}
	if a := b.do("POST", "/api/login-code-validation", `{"email":"","code":"1"}`); a.Code != 400 ||
		a.at("error") != "INVALID_REQUIREMENT" {
		t.Error(a.Body)
	}
}

func TestCrossOriginPostsAreRefused(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	l := b.mail(jana)
	for _, target := range []string{
		"/fns/user-login", "/api/login-code-validation", "/api/security-login", "/api/logout",
		"/user/sessions/end",
	} {
		a := b.do("POST", target, `{"email":"`+jana+`","code":"`+l.code+`","user_hash":"`+l.link+`"}`,
			"Sec-Fetch-Site", "cross-site")
		if a.Code != 403 || a.at("error") != "CROSS_ORIGIN" {
			t.Errorf("%s: %d %s", target, a.Code, a.Body)
		}
	}
}

func TestExists(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.login(jana)
	for email, want := range map[string]any{jana: true, "JANA@EXAMPLE.ORG": true, "nobody@example.org": false} {
		if a := b.do("GET", "/user/exists?email="+url.QueryEscape(email), ""); a.at("exists") != want {
			t.Errorf("%s: %s", email, a.Body)
		}
	}
	for name, c := range map[string]struct {
		query, site string
		status      int
		want        string
	}{
		"no address":  {"", "same-origin", 400, "INVALID_REQUIREMENT"},
		"empty":       {"?email=", "same-origin", 400, "INVALID_REQUIREMENT"},
		"not one":     {"?email=x", "same-origin", 422, "INVALID_EMAIL"},
		"cross-site":  {"?email=" + jana, "cross-site", 403, "CROSS_ORIGIN"},
		"same site":   {"?email=" + jana, "same-site", 403, "CROSS_ORIGIN"},
		"other known": {"?email=a@example.org", "same-origin", 200, ""},
	} {
		a := b.do("GET", "/user/exists"+c.query, "", "Sec-Fetch-Site", c.site)
		if got, _ := a.at("error").(string); a.Code != c.status || got != c.want {
			t.Errorf("%s: %d %s", name, a.Code, a.Body)
		}
	}
	b.wait(2 * time.Hour)
	for i := range 6 {
		other := b.another()
		other.ip = "203.0.113." + string(rune('1'+i)) + ":1"
		if a := other.do("GET", "/user/exists?email="+jana, ""); (a.Code == 200) != (i < 5) {
			t.Errorf("question %d about one address: %d %s", i+1, a.Code, a.Body)
		}
	}
	b.wait(2 * time.Hour)
	refused := 0
	for i := range 25 { // the minute may turn once meanwhile
		if a := b.do("GET", "/user/exists?email=n"+string(rune('a'+i))+"@example.org", ""); a.Code == 429 {
			refused++
		}
	}
	if refused < 5 {
		t.Errorf("%d of 25 questions of a network in a minute were refused", refused)
	}
	// What was refused has used up nothing: not the hour of whoever was hasty, nor what may be asked about an address.
	b.wait(2 * time.Hour)
	now := b.db.Now()
	b.wait(now.Truncate(time.Hour).Add(time.Hour).Sub(now))
	answered := 0
	for minute := range 8 {
		for i := range 30 {
			if a := b.do("GET", "/user/exists?email=m"+strconv.Itoa(100*minute+i)+"@example.org", ""); a.Code == 200 {
				answered++
			}
		}
		b.wait(time.Minute)
	}
	if answered != lookupsAnHour.Max {
		t.Errorf("%d questions of a hasty network were answered in an hour, not %d", answered, lookupsAnHour.Max)
	}
	for range 10 {
		if a := b.do("GET", "/user/exists?email=asked@example.org", ""); a.Code != 429 {
			t.Errorf("beyond the hour: %d %s", a.Code, a.Body)
		}
	}
	if a := b.another().do("GET", "/user/exists?email=asked@example.org", ""); a.Code != 200 {
		t.Errorf("a refused network keeps others from asking: %d %s", a.Code, a.Body)
	}
	always := newBrowser(newEnv(t, func(d *edition.Document) { d.Identity.ExistsMode = "always_true" }))
	if a := always.do("GET", "/user/exists?email=nobody@example.org", ""); a.at("exists") != true {
		t.Error(a.Body)
	}
}

func TestMe(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	now := b.db.Now()
	b.entitlement = Entitlement{Until: now.Add(240 * time.Hour), Product: "product_monthly", Trial: true}
	b.agreed = "true"
	me := func(b *browser, query string) answer { return b.do("GET", "/user/me/"+query, "") }

	if a := me(b, ""); a.at("user_id") != nil || a.at("description") != "" {
		t.Errorf("a visitor: %s", a.Body)
	}
	if a := me(b, "?user_hash=abc"); a.at("user_id") != nil || a.at("description") != "INVALID_HASH" {
		t.Errorf("a visitor with a handle: %s", a.Body)
	}
	b.login(jana)
	mine := b.cookies["logged_user"]
	for _, query := range []string{"", "?user_hash=" + mine} {
		a := me(b, query)
		for field, want := range map[string]any{
			"user_id": 1.0, "email": jana, "expiration": float64(b.entitlement.Until.Unix()), "comment_name": "",
			"type":           "email",
			"has_trial":      true,
			"active_product": "product_monthly", "user_agreed_to_terms": "true", "subscription_expiration_reminder": false,
			"description": "", "login_cookie": "",
		} {
			if a.at(field) != want {
				t.Errorf("%s: %v, want %v", field, a.at(field), want)
			}
		}
		if !strings.Contains(a.Header().Get("Cache-Control"), "no-store") {
			t.Error("a personal answer may be stored")
		}
	}
	boris := b.another()
	boris.login("boris@example.org")
	if a := me(boris, "?user_hash="+mine); a.at("user_id") != nil || a.at("email") != nil ||
		a.at("description") != "INVALID_HASH" {
		t.Errorf("with somebody else's handle: %s", a.Body)
	}
	if a := me(b.another(), "?user_hash="+mine); a.at("user_id") != nil || a.at("description") != "INVALID_HASH" {
		t.Errorf("the handle alone: %s", a.Body)
	}
	b.entitlement = Entitlement{ReminderDue: true}
	if a := me(b, ""); a.at("expiration") != 0.0 || a.at("active_product") != "no_product" ||
		a.at("subscription_expiration_reminder") != true {
		t.Errorf("expired: %s", a.Body)
	}
	b.entitlement = Entitlement{}
	if a := me(b, ""); a.at("subscription_expiration_reminder") != false {
		t.Errorf("reminder put aside: %s", a.Body)
	}
	token := b.cookies["__Host-session"]
	b.do("POST", "/api/logout", "")
	b.cookies["__Host-session"] = token
	if a := me(b, "?user_hash="+mine); a.at("user_id") != nil || a.at("description") != "EXPIRED_LOGIN" {
		t.Errorf("after the logout: %s", a.Body)
	}
}

func TestAHandleAloneReadsWhereTheEditionSaysSo(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t, func(d *edition.Document) { d.Identity.HandleAlone = true }))
	b.login(jana)
	other := b.another()
	if a := other.do("GET", "/user/me/?user_hash="+b.cookies["logged_user"], ""); a.at("user_id") != 1.0 {
		t.Error(a.Body)
	}
	if a := other.do("GET", "/user/sessions?user_hash="+b.cookies["logged_user"], ""); a.Code != 401 {
		t.Error("the handle opens more than reading", a.Body)
	}
	if a := other.do("GET", "/user/me/?user_hash="+b.cookies["logged_user"], ""); a.Header().
		Get("Referrer-Policy") != "no-referrer" || len(a.Result().Cookies()) != 0 {
		t.Errorf("%v", a.Header())
	}
	b.wait(sessions.HandleTTL)
	if a := other.do("GET", "/user/me/?user_hash="+b.cookies["logged_user"], ""); a.at("user_id") != nil ||
		a.at("description") != "INVALID_HASH" {
		t.Error("the handle alone reads for ever", a.Body)
	}
	if b.email() != jana {
		t.Error("the reader's own browser has lost it")
	}
	b.login(jana)
	b.exec("UPDATE identity_sessions SET version = -1")
	if a := other.do("GET", "/user/me/?user_hash="+b.cookies["logged_user"], ""); a.at("user_id") != nil {
		t.Error("the handle of an outdated session reads", a.Body)
	}
}

func TestLogout(t *testing.T) {
	t.Parallel()
	const legacy = "/wp-json/standard/v1/remove-user-subscription-cookie/?is_logout="
	for name, c := range map[string]struct {
		do   func(b *browser) answer
		code int
		ends bool
	}{
		"post":          {func(b *browser) answer { return b.do("POST", "/api/logout", "") }, 200, true},
		"json":          {func(b *browser) answer { return b.do("POST", "/api/logout", "{}") }, 200, true},
		"form":          {func(b *browser) answer { return b.form("/api/logout") }, 303, true},
		"legacy":        {func(b *browser) answer { return b.do("GET", legacy+"true", "") }, 200, true},
		"legacy, false": {func(b *browser) answer { return b.do("GET", legacy+"false", "") }, 200, false},
		"legacy, elsewhere": {func(b *browser) answer {
			return b.do("GET", legacy+"true", "", "Sec-Fetch-Site", "cross-site")
		}, 403, false},
		"legacy, typed in": {func(b *browser) answer {
			return b.do("GET", legacy+"true", "", "Sec-Fetch-Site", "none")
		}, 403, false},
		"legacy, prefetch": {func(b *browser) answer {
			return b.do("GET", legacy+"true", "", "Sec-Purpose", "prefetch")
		}, 403, false},
		"legacy, foreign": {func(b *browser) answer {
			return b.do("GET", legacy+"true", "", "Sec-Fetch-Site", "", "Origin", "https://evil.example")
		}, 403, false},
		"legacy, of nowhere": {func(b *browser) answer {
			return b.do("GET", legacy+"true", "", "Sec-Fetch-Site", "")
		}, 403, false},
		"legacy, a foreign page": {func(b *browser) answer {
			return b.do("GET", legacy+"true", "", "Sec-Fetch-Site", "", "Referer", "https://sk.test.evil.example/")
		}, 403, false},
		"legacy, an old browser": {func(b *browser) answer {
			return b.do("GET", legacy+"true", "", "Sec-Fetch-Site", "", "Referer", "https://sk.test/1/clanok")
		}, 200, true},
		"legacy, our origin": {func(b *browser) answer {
			return b.do("GET", legacy+"true", "", "Sec-Fetch-Site", "", "Origin", "https://sk.test")
		}, 200, true},
		"get": {func(b *browser) answer { return b.do("GET", "/api/logout", "") }, 404, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBrowser(newEnv(t))
			b.login(jana)
			var noted []string
			b.note = func(_ context.Context, reader int64, action readerlog.Action, meta, _ string) {
				noted = append(noted, strings.TrimSpace(fmt.Sprint(reader, " ", action, " ", meta)))
			}
			token := b.cookies["__Host-session"]
			a := c.do(b)
			if want := map[bool]string{true: "1 user_used_logout"}[c.ends]; strings.Join(noted, ",") != want {
				t.Errorf("noted %q", noted)
			}
			if a.Code != c.code {
				t.Fatalf("%d %s", a.Code, a.Body)
			}
			if c.code == 303 && a.Header().Get("Location") != "/" {
				t.Error(a.Header())
			}
			if c.ends != (a.Header().Get("Clear-Site-Data") == `"cache", "storage"`) ||
				c.ends == (b.cookies["__Host-session"] != "") {
				t.Errorf("headers %v", a.Header())
			}
			_, lives, err := b.Sessions.Authenticate(b.ctx, token)
			if err != nil || lives == c.ends {
				t.Errorf("the session lives: %v %v", lives, err)
			}
			if again := c.do(b); c.ends && again.Code != c.code {
				t.Errorf("once more: %d %s", again.Code, again.Body)
			}
		})
	}
}

func TestSessionCalls(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	if a := b.do("GET", "/user/sessions", ""); a.Code != 401 || a.at("error") != "INVALID_TOKEN" {
		t.Fatal(a.Body)
	}
	b.login(jana)
	boris := b.another()
	boris.login("boris@example.org")
	list := func(b *browser) []any { l, _ := b.do("GET", "/user/sessions", "").at("sessions").([]any); return l }
	if l := list(b); len(l) != 1 || l[0].(map[string]any)["current"] != true {
		t.Fatal(l)
	}
	if a := boris.do("POST", "/user/sessions/end", `{"id":1}`); a.Code != 400 || len(list(b)) != 1 {
		t.Fatal("a stranger's session was ended", a.Body)
	}
	if a := b.do("POST", "/user/sessions/end", `{"id":1}`); a.Code != 200 || b.cookies["__Host-session"] != "" {
		t.Fatal(a.Body)
	}
	if len(list(boris)) != 1 {
		t.Error("somebody else's session has ended too")
	}
}

func TestSessionCookies(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	a := b.do("POST", "/api/login-code-validation", `{"email":"`+jana+`","code":"`+b.mail(jana).code+`"}`)
	want := map[string]bool{"__Host-session": true, "logged_user": false}
	for _, c := range a.Result().Cookies() {
		hidden, known := want[c.Name]
		if !known {
			continue
		}
		delete(want, c.Name)
		if c.HttpOnly != hidden || !c.Secure || c.Path != "/" || c.Domain != "" || c.SameSite != http.SameSiteLaxMode {
			t.Errorf("%+v", c)
		}
		if left := c.Expires.Sub(b.db.Now()); left > sessions.TTL || left < sessions.TTL-time.Minute {
			t.Errorf("%s lives %s", c.Name, left)
		}
	}
	if len(want) != 0 || b.cookies["__Host-lr"] != "" {
		t.Errorf("missing %v; the request cookie: %q", want, b.cookies["__Host-lr"])
	}
}

// A page that differs by browser must be shared with nobody.
func TestPagesInsideAnotherApp(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	for _, route := range []edition.Route{edition.Login, edition.Registration, edition.Sent} {
		for app, want := range map[string]string{"Instagram": `"inApp":"Instagram"`, "": `"referrer":"/"`} {
			source := k.Pages()[route]
			p, err := source.Load(withPendingLogin(k.ctx, secret.New()),
				&page.Request{
					Edition: testkit.EditionOf(k.ctx, t),
					Route:   route, Path: "/x", Query: url.Values{"type": {"login-code"}, "email": {"a@example.org"}},
					Tier: page.Anonymous, InApp: app,
				})
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(p.Data)
			if err != nil || !strings.Contains(string(data), want) || strings.Contains(string(data), "inApp") != (app != "") {
				t.Errorf("%s in %q: %s, %v", route, app, data, err)
			}
			if !p.NoStore || !source.Personal {
				t.Errorf("%s is shared", route)
			}
		}
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	sources := k.Pages()
	for name, c := range map[string]struct {
		route    edition.Route
		query    string
		tier     page.Tier
		redirect string
		data     string
	}{
		"login": {edition.Login, "", page.Anonymous, "", `{"email":"","referrer":"/"}`},
		"login with values": {
			edition.Login, "email=A%40example.org&referrer=%2F1", page.Anonymous, "",
			`{"email":"a@example.org","referrer":"/1"}`,
		},
		"login, bad values": {
			edition.Login, "email=%3Cscript%3E&referrer=%2F%2Fevil.example", page.Anonymous, "",
			`{"email":"","referrer":"/"}`,
		},
		"login as reader": {edition.Login, "", page.Member, "/", ""},
		"registration":    {edition.Registration, "", page.Anonymous, "", `{"email":"","referrer":"/"}`},
		"sent": {
			edition.Sent, "type=thankyou-login&email=a%40gmail.com", page.Anonymous, "",
			`{"type":"thankyou-login","email":"a@gmail.com","inbox":"https://mail.google.com/","referrer":"/"}`,
		},
		"sent, no provider": {
			edition.Sent, "type=login-code&email=a%40example.org", page.Anonymous, "",
			`{"type":"login-code","email":"a@example.org","referrer":"/"}`,
		},
		"sent without type":  {edition.Sent, "email=a%40example.org", page.Anonymous, "/account/login", ""},
		"sent, unknown type": {edition.Sent, "type=x", page.Anonymous, "/account/login", ""},
		"sent as reader":     {edition.Sent, "type=login-code", page.Entitled, "/", ""},
		"link":               {edition.SecurityCheck, "", page.Anonymous, "", `{}`},
		"link as reader":     {edition.SecurityCheck, "", page.Member, "/", ""},
		"logout":             {edition.Logout, "", page.Member, "", `{}`},
	} {
		q, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		p, err := sources[c.route].Load(withPendingLogin(k.ctx, secret.New()),
			&page.Request{Edition: testkit.EditionOf(k.ctx, t), Route: c.route, Path: "/x", Query: q, Tier: c.tier})
		if err != nil {
			t.Fatal(name, err)
		}
		if !p.NoStore || p.Redirect != c.redirect || (c.redirect != "") != (p.Status == 302) {
			t.Errorf("%s: %+v", name, p)
		}
		if c.redirect != "" {
			continue
		}
		got, err := json.Marshal(p.Data)
		if err != nil || string(got) != c.data {
			t.Errorf("%s: %s", name, got)
		}
		if p.Meta.Robots != "noindex" || strings.HasPrefix(p.Meta.Title, "page.") || strings.Contains(p.Meta.Canonical, "?") {
			t.Errorf("%s: %+v", name, p.Meta)
		}
	}
}

// Members of a request that the application does not use must have their described types all the same.
func TestUserLogin_WrongTypes(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	for member, c := range map[string]struct{ good, bad []string }{
		"article_id":     {[]string{"7", "null"}, []string{`"abc"`, `"7"`, "1.5", "true", "{}", "[1]"}},
		"product_type":   {[]string{`"product_monthly"`, "null"}, []string{"1", "true", "{}", "[]"}},
		"payment_method": {[]string{`"card"`}, []string{"1", "false", "{}"}},
		"coupon_code":    {[]string{`"K7QF"`}, []string{"1", "true", `["K7QF"]`}},
	} {
		for _, value := range c.bad {
			a := b.do("POST", "/fns/user-login", `{"type":"login","payload":{"email":"`+jana+`","`+member+`":`+value+`}}`)
			if a.Code != 400 || a.at("error") != "INVALID_ARGS" {
				t.Errorf("%s %s: got %d %v, want 400 INVALID_ARGS", member, value, a.Code, a.at("error"))
			}
		}
		for _, value := range c.good {
			b.wait(10 * time.Minute)
			a := b.do("POST", "/fns/user-login", `{"type":"login","payload":{"email":"`+member+`@example.org","`+member+`":`+
				value+`}}`)
			if a.Code != 200 {
				t.Errorf("%s %s: got %d %v, want 200", member, value, a.Code, a.at("error"))
			}
		}
	}
	for _, value := range []string{`"abc"`, "1", "[]", "true"} {
		a := b.do("POST", "/fns/user-login", `{"type":"login","payload":{"email":"`+jana+`"},"article_attrs":`+value+`}`)
		if a.Code != 400 || a.at("error") != "INVALID_ARGS" {
			t.Errorf("article_attrs %s: got %d %v, want 400 INVALID_ARGS", value, a.Code, a.at("error"))
		}
	}
}

// TestUserLogin_domains holds for lists that are applied when readers with other domains are there.
func TestUserLogin_domains(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, list, domain string }{
		{"allow list without the domain", "allow", "paper.example"},
		{"block list with the domain", "block", "example.org"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := newEnv(t, func(d *edition.Document) { d.Identity.Domains, d.Identity.DomainList = c.list, []string{c.domain} })
			k.reader(jana)
			newBrowser(k).login(jana)
			padded := " JANA@Example.ORG\u200b"
			for typed, want := range map[string]string{
				jana: "", padded: "", "new@example.org": "FORBIDDEN_DOMAIN",
				"jana@sub.example.org": map[string]string{"allow": "FORBIDDEN_DOMAIN"}[c.list],
			} {
				for _, kind := range []string{"login", "registration"} {
					body, err := json.Marshal(map[string]string{"email": typed, "type": kind})
					if err != nil {
						t.Fatal(err)
					}
					a := newBrowser(k).do("POST", "/fns/user-login", string(body))
					if got, _ := a.at("error").(string); got != want {
						t.Errorf("%s of %q: got %d %q, want %q", kind, typed, a.Code, got, want)
					}
				}
			}
		})
	}
}
