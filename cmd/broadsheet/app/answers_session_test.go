package app

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/web"
)

// forVisitors are the POST calls that need no session. All others are calls of a reader, and have a row in the tables
// of answers in which a visitor is answered INVALID_TOKEN.
var forVisitors = []string{
	"/fns/user-login", "/fns/forgotten-email", "/api/login-code-validation", "/api/security-login", "/fns/emails",
	"/api/login-approval", "/api/passkey-challenge", "/api/passkey-login", "/api/logout", "/fns/passkeys/undo",
	"/fns/newsletters/subscribe", "/fns/newsletters/confirm", "/fns/newsletters/settings-link", "/fns/newsletters/leave",
	"/api/set-gdpr-consent-cookie", "/fns/logtail", "/fns/gift-payment", "/fns/withdrawal",
	"/fns/withdrawal-confirm", "/fns/stripe-quest-payment",
}

// namesReader are calls for visitors that are refused all the same if the body names another account: what they do is
// done for the reader who is signed in.
var namesReader = map[string]map[string]any{
	"/fns/newsletters/subscribe": {"lists": []string{"weekly"}, "email": "letters@example.org"},
	"/fns/stripe-quest-payment":  {"product_type": "product_monthly"},
	"/api/logout":                {},
}

// onlyScripts are calls of readers that take no plain form.
var onlyScripts = []string{
	"/fns/passkeys/challenge", "/fns/passkeys/add", "/fns/update-user-metadata", "/fns/stripe-update-subscription",
	"/fns/logs-put",
}

// readerCalls are the POST calls that need a session, each with a body that a visitor's call was refused with.
func (a *target) readerCalls() map[string]map[string]any {
	bodies := map[string]map[string]any{}
	rows := slices.Concat(answersOfLogin, answersOfWaysIn, answersOfAccount, answersOfSelling, answersOfReaders)
	for _, c := range rows {
		method, path, _ := strings.Cut(c.call, " ")
		for _, s := range c.says {
			if method != http.MethodPost || s.status != http.StatusUnauthorized || s.code != "INVALID_TOKEN" ||
				bodies[path] != nil {
				continue
			}
			send := s.send
			if late, is := send.(func(*target) any); is {
				send = late(a)
			}
			bodies[path] = map[string]any{}
			switch v := send.(type) {
			case map[string]any:
				bodies[path] = v
			case map[string]string:
				for name, text := range v {
					bodies[path][name] = text
				}
			}
		}
	}
	return bodies
}

// Every call of a reader is refused if its body names another account or another session than the one that is signed
// in: a page in another tab was made for somebody else. By a plain form it leads back with the reason. If there is no
// session any more, a plain form leads to the login, and from there to the page that it is on.
func TestReaderCalls_LostOrForeignSession(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(2, true)
	pool, err := p.app.DB.Pool("standard")
	if err != nil {
		t.Fatal(err)
	}
	a := &target{testApp: p, id: "standard", doc: apiDescription(t), pool: pool}
	a.rule(0)
	a.victim = a.own("owner@example.org", "Viera.V")
	a.attacker = a.away()
	a.login(a.attacker, "other@example.org")
	a.next(time.Hour)
	bodies := a.readerCalls()
	for _, c := range a.calls() {
		known := bodies[c.path] != nil || slices.Contains(forVisitors, c.path) || notAccount.MatchString(c.method+" "+c.path)
		if c.method == http.MethodPost && !known {
			t.Errorf("%s: no row of the tables says what a visitor is answered", c.path)
		}
	}
	fill := strings.NewReplacer("{articleId}", "1", "{commentId}", fmt.Sprint(a.victim.comment))
	tried := 0
	for path, body := range bodies {
		at := fill.Replace(path)
		for _, claim := range []struct {
			member string
			value  any
		}{
			{"user_id", a.victim.reader}, {"user_token", a.victim.handle}, {"user_id", fmt.Sprint(a.victim.reader)},
		} {
			tried++
			foreign := maps.Clone(body)
			foreign[claim.member] = claim.value
			if r := a.attacker.post(at, foreign); r.Status != http.StatusForbidden || r.code() != "FOREIGN_USER" {
				t.Errorf("%s with another's %s: got %d %q, want 403 FOREIGN_USER", path, claim.member, r.Status, r.code())
			}
			r := a.attacker.form(at, formOf(foreign))
			if !slices.Contains(onlyScripts, path) && (r.code() != "FOREIGN_USER" || r.Status != http.StatusSeeOther) {
				t.Errorf("form of %s with another's %s: got %d %q, want 303 FOREIGN_USER", path, claim.member, r.Status,
					r.code())
			}
		}
		own := maps.Clone(body)
		own["user_id"] = a.victim.reader
		if slices.Contains(onlyScripts, path) {
			continue
		}
		own["back"], own["referrer"] = "/page-of-the-form", "/page-of-the-form"
		r := a.away().form(at, formOf(own))
		to, err := url.Parse(r.Header.Get("Location"))
		if err != nil || to.Path != "/account/login" || r.code() != "INVALID_TOKEN" || len(to.Query().Get("referrer")) < 2 {
			t.Errorf("form of %s without a session: got %d %q, want the login that leads back", path, r.Status,
				r.Header.Get("Location"))
		}
	}
	for path, body := range namesReader {
		tried++
		foreign := maps.Clone(body)
		foreign["user_id"] = a.victim.reader
		if r := a.attacker.post(path, foreign); r.Status != http.StatusForbidden || r.code() != "FOREIGN_USER" {
			t.Errorf("%s with another's user_id: got %d %q, want 403 FOREIGN_USER", path, r.Status, r.code())
		}
	}
	if r := a.attacker.get("/user/sessions"); r.Status != http.StatusOK {
		t.Errorf("got %d %s, want the session that was left alone", r.Status, r.Body)
	}
	t.Logf("%d calls of readers, %d foreign claims tried", len(bodies), tried)
}

// A comment that was sent by a plain form when the session was over is on the page of the discussion after the login,
// and so is every other text that was typed into a form of a reader.
func TestReaderForms_UnsentText(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(2, true)
	pool, err := p.app.DB.Pool("standard")
	if err != nil {
		t.Fatal(err)
	}
	a := &target{testApp: p, id: "standard", doc: apiDescription(t), pool: pool}
	a.rule(0)
	a.victim = a.own("owner@example.org", "Viera.V")
	comment := strings.Repeat("Vlaky idú po novom moste: dlhý, poctivo napísaný komentár. ", 30)
	profile, own := "/account/profile", fmt.Sprintf("/api/comment/%d/", a.victim.comment)
	for _, c := range []struct {
		call, page string
		typed      url.Values
	}{
		{"/api/discussion/1", "/discussion/comment-1", url.Values{"text": {comment}, "parent": {"0"}, "key": {"k1"}}},
		{own + "edit", "/discussion/comment-1", url.Values{"text": {comment}}},
		{own + "report", "/discussion/comment-1", url.Values{"reason": {"hate"}, "note": {"Pozrite si to."}}},
		{"/fns/user-comment-name", "/discussion/comment-1", url.Values{"comment_name": {"Viera.Nova"}}},
		{"/fns/user-comment-name", "/account/focus?type=comment_name", url.Values{"comment_name": {"Viera.Nova"}}},
		{"/fns/user-email", profile, url.Values{"email": {"new@example.org"}}},
		{"/fns/user-email/confirm", profile, url.Values{"code": {"123456"}}},
		{"/user/leave", profile, url.Values{"code": {"123456"}}},
		{"/fns/newsletters/settings", "/newsletters/settings", url.Values{"lists": {"weekly", "daily"}}},
		{"/fns/newsletters/subscribe", "/newsletters", url.Values{"lists": {"weekly", "daily"}}},
		{"/fns/stripe-quest-payment", "/account/coupon", url.Values{"coupon_code": {"K7QF-2MXD"}, "form": {"coupon"}}},
		{"/fns/user-data-set", "/account/focus?type=invoice_data", url.Values{"name": {"Viera Nová"}, "city": {"Nitra"}}},
	} {
		b := a.away()
		form := maps.Clone(c.typed)
		form.Set("user_id", fmt.Sprint(a.victim.reader))
		if strings.HasPrefix(c.page, "/discussion/") {
			form.Set("back", c.page)
			form.Set("referrer", c.page)
		}
		r := b.form(c.call, form)
		to, err := url.Parse(r.Header.Get("Location"))
		if err != nil || to.Path != "/account/login" || to.Query().Get("referrer") != c.page {
			t.Errorf("%s: got %d %s, want the login that leads to %s", c.call, r.Status, r.Header.Get("Location"), c.page)
			continue
		}
		a.next(24 * time.Hour)
		a.login(b, a.victim.address)
		var got struct{ Unsent *web.Unsent }
		data := b.get("/api/page?url=" + url.QueryEscape(c.page))
		if err := json.Unmarshal([]byte(data.Body), &got); err != nil {
			t.Fatal(err, data.Body)
		}
		switch {
		case got.Unsent == nil:
			t.Errorf("%s: got %.200s, want what was typed", c.page, data.Body)
		case got.Unsent.Form != c.call:
			t.Errorf("%s: got the form %s, want %s", c.page, got.Unsent.Form, c.call)
		default:
			for name, want := range c.typed {
				if !slices.Equal(got.Unsent.Values[name], want) {
					t.Errorf("%s: got %s %q, want %q", c.page, name, got.Unsent.Values[name], want)
				}
			}
		}
	}
}

// formOf is a body as a plain form has it.
func formOf(body map[string]any) url.Values {
	form := url.Values{}
	for name, value := range body {
		switch v := value.(type) {
		case []string:
			form[name] = v
		case []any, map[string]any, map[string]string:
		default:
			form.Set(name, fmt.Sprint(v))
		}
	}
	return form
}
