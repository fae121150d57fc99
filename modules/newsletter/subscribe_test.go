package newsletter

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/privacy"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

const eva = "eva@reader.test"

func TestDoubleOptIn(t *testing.T) {
	t.Parallel()
	o := open(t)
	if w := o.post("/fns/newsletters/subscribe", `{"email":" Eva@reader.test ","lists":["morning","breaking","no-such"]}`,
		0); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	o.work()
	mails := o.messages(eva)
	if len(mails) != 1 || len(o.has(eva)) != 0 {
		t.Fatalf("%d mails, lists %v before it was confirmed", len(mails), o.has(eva))
	}
	for _, want := range []string{"Ráno – každý deň o 6:00", "Ihneď – hneď"} {
		if !strings.Contains(mails[0].Text, want) {
			t.Errorf("the mail has no %q:\n%s", want, mails[0].Text)
		}
	}
	if h := mails[0].Headers; h["List-Unsubscribe"] != nil || h["Precedence"] != nil {
		t.Errorf("a mail that was asked for is not one to many: %v", h)
	}
	token := o.tokenOf(mails[0], stepConfirm)
	for range 20 { // a scanner
		if d, err := o.step(stepConfirm, token); err != nil || d.Step != stepConfirm || d.Email != "e…@reader.test" ||
			len(d.Lists) != 2 || d.Done != "" {
			t.Fatalf("%+v, %v", d, err)
		}
	}
	if len(o.has(eva)) != 0 {
		t.Fatal("looking at the link has subscribed")
	}
	if w := o.post("/fns/newsletters/confirm", fmt.Sprintf(`{"token":%q}`, token), 0); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if got := o.has(eva); !slices.Equal(got, []string{"breaking", "morning"}) {
		t.Fatalf("lists %v", got)
	}

	// What was changed since is not taken back by the same link.
	settings, err := o.Confirm(o.ctx, token, Visitor{})
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Save(o.ctx, settings, []string{"topic"}, Visitor{}); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Confirm(o.ctx, token, Visitor{}); err != nil || !slices.Equal(o.has(eva), []string{"topic"}) {
		t.Errorf("%v, lists %v", err, o.has(eva))
	}
	if h := o.kept(eva, "newsletter_history"); len(h) != 7 || h[0]["action"] != "asked" || h[2]["action"] != "joined" {
		t.Errorf("history %+v", h)
	}
}

func TestAnswersWithoutACodeToLearnFrom(t *testing.T) {
	t.Parallel()
	o := open(t)
	o.join1(eva, "morning")
	for name, tc := range map[string]struct {
		body   string
		reader int64
		status int
		code   string
	}{
		"new address":      {`{"email":"new@reader.test","lists":["morning"]}`, 0, 200, ""},
		"known address":    {`{"email":"eva@reader.test","lists":["morning"]}`, 0, 200, ""},
		"no list":          {`{"email":"a@reader.test","lists":[]}`, 0, 400, "NEWSLETTER_MISSING"},
		"unknown list":     {`{"email":"a@reader.test","lists":["x"]}`, 0, 400, "NEWSLETTER_MISSING"},
		"no address":       {`{"lists":["morning"]}`, 0, 422, "TEST_BAD_ADDRESS"},
		"no JSON":          {`x`, 0, 400, "INVALID_ARGS"},
		"of another shape": {`{"email":7,"lists":["morning"]}`, 0, 400, "INVALID_ARGS"},
		"signed in":        {`{"lists":["morning"]}`, 7, 200, ""},
	} {
		w := o.post("/fns/newsletters/subscribe", tc.body, tc.reader)
		if w.Code != tc.status || (tc.code != "" && !strings.Contains(w.Body.String(), `"`+tc.code+`"`)) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	if got := o.has("reader7@reader.test"); !slices.Equal(got, []string{"morning"}) {
		t.Errorf("the reader who was signed in gets %v", got)
	}
}

func TestPlainForms(t *testing.T) {
	t.Parallel()
	o := open(t)
	form := func(target string, v url.Values, reader int64) string {
		w := o.request(http.MethodPost, target, "application/x-www-form-urlencoded", v.Encode(), reader)
		if w.Code != http.StatusSeeOther {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
		return w.Header().Get("Location")
	}
	if to := form("/fns/newsletters/subscribe", url.Values{"email": {eva}, "lists": {"morning"}},
		0); to != "/newsletters/sent" {
		t.Error(to)
	}
	o.work()
	before := len(o.box.Messages())
	trapped := url.Values{"email": {"trapped@reader.test"}, "lists": {"morning"}, "website": {"https://spam.example"}}
	if to := form("/fns/newsletters/subscribe", trapped, 0); to != "/newsletters/sent" {
		t.Errorf("a program learns that it was noticed: %s", to)
	}
	if o.work(); len(o.box.Messages()) != before {
		t.Error("what people do not see was filled in, and a mail was sent")
	}
	if to := form("/fns/newsletters/subscribe", url.Values{"email": {"x"}, "lists": {"morning"}},
		0); to != "/newsletters/choose?status=TEST_BAD_ADDRESS" {
		t.Error(to)
	}
	if to := form("/fns/newsletters/subscribe", url.Values{"email": {eva}},
		0); to != "/newsletters/choose?status=NEWSLETTER_MISSING" {
		t.Error(to)
	}
	if to := form("/fns/newsletters/settings", url.Values{"lists": {"topic", "morning"}},
		3); to != "/newsletters/settings?saved=1" || len(o.has("reader3@reader.test")) != 2 {
		t.Error(to, o.has("reader3@reader.test"))
	}
	if to := form("/fns/newsletters/settings", url.Values{}, 3); to != "/newsletters/settings?saved=1" ||
		len(o.has("reader3@reader.test")) != 0 {
		t.Error(to, o.has("reader3@reader.test"))
	}
	if to := form("/fns/newsletters/settings", url.Values{"lists": {"topic"}},
		0); to != web.LoginAgain(o.ed, "/newsletters/settings") {
		t.Error(to)
	}
}

func TestMailsAreLimited(t *testing.T) {
	t.Parallel()
	o := open(t)
	ask := func(email, ip string) error { return o.Subscribe(o.ctx, email, []string{"morning"}, Visitor{IP: ip}) }
	for range 3 {
		if err := ask(eva, "192.0.2.1"); err != nil {
			t.Fatal(err)
		}
	}
	o.work()
	if n := len(o.messages(eva)); n != 1 {
		t.Errorf("%d mails in a minute", n)
	}
	for i := range 4 {
		testkit.Clock(o.d).Advance(time.Minute)
		if err := ask(eva, fmt.Sprintf("192.0.2.%d", 10+i)); (err != nil) != (i > 1) {
			t.Errorf("question %d of the hour: %v", 4+i, err)
		}
	}
	testkit.Clock(o.d).Advance(time.Hour)
	for i := range 25 {
		if err := ask(fmt.Sprintf("r%d@reader.test", i), "198.51.100.7"); (err != nil) != (i >= 20) {
			t.Errorf("address %d of one network: %v", i, err)
		}
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	all := newEnvs(t, 2)
	o, abroad := all[0], all[1]
	id := o.join1(eva, "morning", "topic")
	if other := abroad.join1(eva, "morning"); other != id {
		t.Fatalf("ids %d and %d differ: nothing is shown by this test", id, other)
	}
	good := o.token(o.ed, toLeave, link{id: id, list: "morning"})
	for name, token := range map[string]string{
		"empty": "", "no mac": "1.morning", "another list": strings.Replace(good, "morning", "topic", 1),
		"another id": "2" + good[1:],
		"cut":        good[:len(good)-1], "of settings": o.token(o.ed, toSettings,
			link{id: id, until: o.d.Now().Add(time.Hour)}),
		"of another edition": abroad.token(abroad.ed, toLeave, link{id: id, list: "morning"}),
	} {
		if w := o.post(LeavePath, fmt.Sprintf(`{"token":%q}`, token), 0); w.Code != http.StatusGone ||
			!strings.Contains(w.Body.String(), `"INVALID_LINK"`) {
			t.Errorf("leave, %s: %d %s", name, w.Code, w.Body)
		}
		if d, err := o.step(stepLeave, token); err != nil || d.Step != "broken" {
			t.Errorf("page, %s: %+v, %v", name, d, err)
		}
	}
	for _, call := range []string{"confirm", "settings"} {
		if w := o.post("/fns/newsletters/"+call, fmt.Sprintf(`{"token":%q,"lists":[]}`, good), 0); w.Code != http.StatusGone {
			t.Errorf("a link to leave opens %s: %d %s", call, w.Code, w.Body)
		}
	}
	if got := o.has(eva); len(got) != 2 {
		t.Fatalf("lists %v", got)
	}
	if w := o.post(LeavePath, fmt.Sprintf(`{"token":%q}`, good), 0); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if !slices.Equal(o.has(eva), []string{"topic"}) || !slices.Equal(abroad.has(eva), []string{"morning"}) {
		t.Errorf("here %v, abroad %v", o.has(eva), abroad.has(eva))
	}
	if err := o.Erase(o.ctx, privacy.Reader{Email: "Eva@Reader.test", Until: o.d.Now().Add(time.Second)}); err != nil {
		t.Fatal(err)
	}
	if _, err := o.SettingsOf(o.ctx,
		o.token(o.ed, toSettings, link{id: id, until: o.d.Now().Add(time.Hour)})); err == nil {
		t.Error("a link of somebody who was erased opens")
	}
}

func TestConfirmationRunsOut(t *testing.T) {
	t.Parallel()
	o := open(t)
	if err := o.Subscribe(o.ctx, eva, []string{"morning"}, Visitor{}); err != nil {
		t.Fatal(err)
	}
	o.work()
	token := o.tokenOf(o.messages(eva)[0], stepConfirm)
	testkit.Clock(o.d).Advance(requestTTL)
	if _, err := o.Confirm(o.ctx, token, Visitor{}); err == nil {
		t.Error("it still confirms")
	}
	if d, err := o.step(stepConfirm, token); err != nil || d.Step != "broken" {
		t.Errorf("%+v, %v", d, err)
	}
	testkit.Clock(o.d).Advance(requestKept)
	testkit.Retain(o.ctx, t, o.d, o.Retentions())
	if h := o.kept(eva, "newsletter_history"); len(h) != 0 {
		t.Errorf("an address that never confirmed is remembered: %+v", h)
	}
}

// RFC 8058: a POST of the header's address ends it, without a cookie, an origin or a page; looking does not.
func TestOneClick(t *testing.T) {
	t.Parallel()
	o := open(t)
	for name, tc := range map[string]struct{ media, body string }{
		"form": {"application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"},
		"multipart": {`multipart/form-data; boundary="b"`, "--b\r\nContent-Disposition: form-data; " +
			"name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--b--\r\n"},
		"no type": {"", "List-Unsubscribe=One-Click"},
	} {
		email := strings.ReplaceAll(name, " ", "-") + "@reader.test"
		id := o.join1(email, "morning", "topic")
		target := LeavePath + "?token=" + url.QueryEscape(o.token(o.ed, toLeave, link{id: id, list: "morning"}))
		for range 20 {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				if w := o.request(method, target, "", "", 0); w.Code != http.StatusFound ||
					!strings.HasPrefix(w.Header().Get("Location"), "/newsletters/leave?token=") {
					t.Fatalf("%s %s: %d %s", name, method, w.Code, w.Header())
				}
			}
			if w := o.request(http.MethodOptions, target, "", "", 0); w.Code < 400 {
				t.Errorf("OPTIONS: %d", w.Code)
			}
		}
		if n := len(o.has(email)); n != 2 {
			t.Fatalf("%s: looking has left %d lists", name, n)
		}
		for range 2 {
			if w := o.request(http.MethodPost, target, tc.media, tc.body, 0); w.Code != http.StatusOK ||
				w.Header().Get("Set-Cookie") != "" {
				t.Errorf("%s: %d %s", name, w.Code, w.Body)
			}
		}
		if got := o.has(email); !slices.Equal(got, []string{"topic"}) {
			t.Errorf("%s: lists %v", name, got)
		}
	}
}

func TestMove(t *testing.T) {
	t.Parallel()
	o := open(t)
	o.join1(eva, "morning", "topic")
	o.join1("new@reader.test", "breaking")
	if err := o.Move(o.ctx, eva, "new@reader.test"); err != nil {
		t.Fatal(err)
	}
	if err := o.Move(o.ctx, "new@reader.test", "third@reader.test"); err != nil {
		t.Fatal(err)
	}
	if got := o.has("third@reader.test"); len(got) != 3 || len(o.has(eva)) != 0 || len(o.has("new@reader.test")) != 0 {
		t.Errorf("lists %v", got)
	}
}

// Who names an address that has just refused an email is told so, for a day.
func TestAnAddressThatRefuses(t *testing.T) {
	t.Parallel()
	o := open(t)
	o.join1(eva, "morning")
	o.toMorning()
	o.schedule()
	o.work()
	id := strings.Trim(o.messages(eva)[0].Headers["Message-Id"][0], "<>")
	if out, err := mail.Take(o.ctx, o.d,
		mail.Report{Kind: mail.Bounce, Hard: true, MessageID: id, Status: "5.1.1"}); err != nil || !out.Suppressed {
		t.Fatalf("%+v, %v", out, err)
	}
	body := fmt.Sprintf(`{"email":%q,"lists":["topic"]}`, eva)
	if w := o.post("/fns/newsletters/subscribe", body, 0); w.Code != http.StatusUnprocessableEntity ||
		!strings.Contains(w.Body.String(), `"UNDELIVERABLE_EMAIL"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	testkit.Clock(o.d).Advance(25 * time.Hour)
	if w := o.post("/fns/newsletters/subscribe", body, 0); w.Code != http.StatusOK {
		t.Errorf("a day later: %d %s", w.Code, w.Body)
	}
}

// A plain form that was refused is shown again with what was typed and chosen, to the browser that sent it and to
// nobody else.
func TestRefusedFormsKeepWhatWasTyped(t *testing.T) {
	t.Parallel()
	o := open(t)
	again := func(cookies ...*http.Cookie) listsData {
		t.Helper()
		r := httptest.NewRequest(http.MethodGet, "https://sk.test/newsletters/choose", nil)
		for _, c := range cookies {
			r.AddCookie(c)
		}
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = r.WithContext(o.ctx)
		o.StickyForm()(c)
		source := o.Pages()[edition.NewsletterStep]
		p, err := source.Load(c.Request.Context(),
			&page.Request{
				Edition: o.ed, Route: edition.NewsletterStep, Params: map[string]string{"step": "choose"}, Tier: page.Anonymous,
			})
		if err != nil || !p.NoStore || !source.Personal {
			t.Fatalf("%+v %v", p, err)
		}
		return p.Data.(listsData)
	}
	for _, v := range []url.Values{{"email": {eva}}, {"email": {"eva"}, "lists": {"morning"}}} {
		w := o.request(http.MethodPost, "/fns/newsletters/subscribe", "application/x-www-form-urlencoded", v.Encode(), 0)
		cookies := w.Result().Cookies()
		if strings.Contains(w.Header().Get("Location"), "eva") || len(cookies) != 1 || !cookies[0].HttpOnly {
			t.Errorf("%v: %v", v, w.Header())
		}
		d := again(cookies...)
		if d.Email != v.Get("email") {
			t.Errorf("%v: the form has %q", v, d.Email)
		}
		for _, c := range d.Lists {
			if c.Chosen != slices.Contains(v["lists"], c.ID) {
				t.Errorf("%v: %s is chosen: %t", v, c.ID, c.Chosen)
			}
		}
	}
	if d := again(); d.Email != "" || len(d.Lists) == 0 {
		t.Errorf("nothing was typed: %+v", d)
	}
}

// TestOneClick_webmail holds for buttons on the pages of webmail: they have an origin, and no cookie.
func TestOneClick_webmail(t *testing.T) {
	t.Parallel()
	o := open(t)
	for name, header := range map[string]http.Header{
		"cross-site": {"Origin": {"https://webmail.example"}, "Sec-Fetch-Site": {"cross-site"}},
		"same site":  {"Origin": {"https://mail.sk.test"}, "Sec-Fetch-Site": {"same-site"}},
		"sandboxed":  {"Origin": {"null"}, "Sec-Fetch-Site": {"cross-site"}},
		"old":        {"Origin": {"https://webmail.example"}},
	} {
		t.Run(name, func(t *testing.T) {
			email := strings.ReplaceAll(name, " ", "-") + "@webmail.test"
			id := o.join1(email, "morning", "topic")
			token := o.token(o.ed, toLeave, link{id: id, list: "morning"})
			for _, c := range []struct {
				token string
				want  int
			}{{"x" + token, http.StatusGone}, {token, http.StatusOK}} {
				r := httptest.NewRequest(http.MethodPost, "https://sk.test"+LeavePath+"?token="+url.QueryEscape(c.token),
					strings.NewReader("List-Unsubscribe=One-Click"))
				r.Header = header.Clone()
				r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				w := httptest.NewRecorder()
				o.engine.ServeHTTP(w, r)
				if w.Code != c.want || w.Header().Get("Access-Control-Allow-Origin") != "*" || w.Header().Get("Set-Cookie") != "" {
					t.Errorf("got %d %s %v, want %d, and an answer that the page may read", w.Code, w.Body, w.Header(), c.want)
				}
			}
			if got := o.has(email); !slices.Equal(got, []string{"topic"}) {
				t.Errorf("lists %v, want topic alone", got)
			}
		})
	}
}
