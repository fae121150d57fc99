package identity

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/testkit"
)

// requests are the logins that a reader is asked about in the profile.
func (b *browser) requests() []any {
	b.t.Helper()
	l, _ := b.profileOf()["loginRequests"].([]any)
	if n := b.do("GET", "/user/me/", "").at("login_requests"); n != float64(len(l)) {
		b.t.Errorf("/user/me lists %v logins, the profile %d", n, len(l))
	}
	return l
}

func (b *browser) await() answer { return b.do("POST", "/api/login-approval", "{}") }

// answerLogin answers as the reader does who looks at the other screen.
func (b *browser) answerLogin(id any, yes bool) answer {
	b.t.Helper()
	right, _ := b.numbersOf(id)
	return b.answerNumber(id, yes, right)
}

func (b *browser) answerNumber(id any, yes bool, number int) answer {
	return b.do("POST", "/fns/login-approval", fmt.Sprintf(`{"id":%v,"approve":%t,"number":%d}`, id, yes, number))
}

// numbersOf is the number that lets a login in, and one of its choices that does not.
func (b *browser) numbersOf(id any) (right, wrong int) {
	b.t.Helper()
	var nonce []byte
	var edition string
	err := b.db.Run(b.ctx, func(ctx context.Context, tx db.Tx) error {
		edition = tx.Edition.ID
		return tx.NewRaw("SELECT nonce FROM identity_login_attempts WHERE id = ?", id).Scan(ctx, &nonce)
	})
	if err != nil {
		b.t.Fatal(err)
	}
	choices, right := approvalNumbers(b.secrets, edition, nonce)
	for _, n := range choices {
		if n != right {
			return right, n
		}
	}
	b.t.Fatal("one choice is no choice", choices)
	return 0, 0
}

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

// asks asks for a login mail as Firefox, and leaves it unread.
func (b *browser) asks(email string) receivedEmail {
	b.t.Helper()
	a := b.do("POST", "/fns/user-login", `{"type":"login","payload":{"email":"`+email+`","referrer":"/1/clanok"}}`,
		"User-Agent", firefox)
	if a.Code != 200 {
		b.t.Fatal(a.Body)
	}
	b.work()
	return read(b.emails[len(b.emails)-1])
}

func TestLoginApprovedElsewhere(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.login(jana)
	if l := b.requests(); l != nil {
		t.Fatal("nobody asks", l)
	}
	b.wait(2 * time.Minute)
	other, third, boris := b.another(), b.another(), b.another()
	boris.login("boris@example.org")
	mail := other.asks(jana)
	if a := other.await(); a.Code != 200 || a.at("status") != "pending" || other.cookies["__Host-session"] != "" {
		t.Fatal("without an answer", a.Body)
	}
	spent := func() int {
		return b.count("SELECT coalesce(sum(used), 0) FROM rate_limits WHERE bucket LIKE 'identity.await%'")
	}
	if n := spent(); n != 0 {
		t.Errorf("waiting has cost %d writes", n)
	}
	list := b.requests()
	if len(list) != 1 || list[0].(map[string]any)["device"] != "Firefox, Linux" || boris.requests() != nil {
		t.Fatal(list)
	}
	id := list[0].(map[string]any)["id"]
	if a := boris.answerLogin(id, true); a.Code != 400 || a.at("error") != "INVALID_ARGS" {
		t.Error("a stranger's yes", a.Body)
	}
	if a := third.answerLogin(id, true); a.Code != 401 || a.at("error") != "INVALID_TOKEN" {
		t.Error("a visitor's yes", a.Body)
	}
	if a := other.await(); a.at("status") != "pending" {
		t.Error("let in by a stranger", a.Body)
	}
	if a := b.answerLogin(id, true); a.Code != 200 {
		t.Fatal(a.Body)
	}
	if a := b.answerLogin(id, false); a.at("error") != "INVALID_ARGS" {
		t.Error("answered twice", a.Body)
	}
	if a := third.await(); a.at("status") != "over" || third.cookies["__Host-session"] != "" {
		t.Error("a browser that never asked", a.Body)
	}
	stolen := other.cookies["__Host-lr"]
	third.cookies["__Host-lr"] = strings.Repeat("A", len(stolen))
	if a := third.await(); a.at("error") != "INVALID_HASH" || spent() != 1 {
		t.Errorf("a guess: %s, counted %d times", a.Body, spent())
	}
	if a := other.await(); a.Code != 200 || a.at("data.redirect") != "/1/clanok" || other.email() != jana {
		t.Fatal(a.Body)
	}
	third.cookies["__Host-lr"] = stolen
	if a := third.await(); a.Code != 410 || a.at("error") != "TOKEN_USED" || third.cookies["__Host-session"] != "" {
		t.Error("one yes let two in", a.Body)
	}
	if a := third.do("POST", "/api/login-code-validation",
		`{"email":"`+jana+`","code":"`+mail.code+`"}`); a.at("error") != "CODE_USED" {
		t.Error("the code of an approved login", a.Body)
	}
	if a := third.do("POST", "/api/security-login",
		`{"user_hash":"`+mail.link+`","confirm":true}`); a.at("error") != "TOKEN_USED" {
		t.Error("the link of an approved login", a.Body)
	}
}

func TestLoginRefusedElsewhere(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.login(jana)
	b.wait(2 * time.Minute)
	other := b.another()
	mail := other.asks(jana)
	id := b.requests()[0].(map[string]any)["id"]
	if a := b.form("/fns/login-approval", "id", fmt.Sprint(id), "approve", "no"); a.Header().
		Get("Location") != "/account/profile?status=LOGIN_REFUSED" {
		t.Fatal(a.Header())
	}
	if a := other.await(); a.Code != 403 || a.at("error") != "LOGIN_DENIED" || b.requests() != nil {
		t.Error(a.Body)
	}
	if a := other.form("/api/login-approval", "email", jana, "type",
		"login"); !strings.Contains(a.Header().Get("Location"), "&status=LOGIN_DENIED&") ||
		!strings.HasPrefix(a.Header().Get("Location"), "/account/sent?") {
		t.Error(a.Header())
	}
	for name, a := range map[string]answer{
		"code": other.do("POST", "/api/login-code-validation", `{"email":"`+jana+`","code":"`+mail.code+`"}`),
		"link": other.do("POST", "/api/security-login", `{"user_hash":"`+mail.link+`"}`),
	} {
		if a.at("error") != "NOT_LAST_TOKEN" || other.cookies["__Host-session"] != "" {
			t.Errorf("the %s of a refused login: %s", name, a.Body)
		}
	}
	if a := b.form("/fns/login-approval", "id", "x", "number", "42"); a.Header().
		Get("Location") != "/account/profile?status=INVALID_ARGS" {
		t.Error(a.Header())
	}
}

// A yes is of no use when the login has run out, was done otherwise, or when who said it is logged out.
func TestApprovalsEnd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after func(b, other *browser, mail receivedEmail)
		want          string
	}{
		"out of date before": {before: func(b, _ *browser, _ receivedEmail) { b.wait(secret.TTL) }, want: "EXPIRED_TOKEN"},
		"out of date after":  {after: func(b, _ *browser, _ receivedEmail) { b.wait(secret.TTL) }, want: "EXPIRED_TOKEN"},
		"another mail": {after: func(b, _ *browser, _ receivedEmail) {
			b.wait(2 * time.Minute)
			b.another().asks(jana)
		}, want: "NOT_LAST_TOKEN"},
		"used by its code": {after: func(b, other *browser, mail receivedEmail) {
			same := b.another()
			same.cookies["__Host-lr"] = other.cookies["__Host-lr"]
			same.do("POST", "/api/login-code-validation", `{"email":"`+jana+`","code":"`+mail.code+`"}`)
		}, want: "TOKEN_USED"},
		"logged out": {after: func(b, _ *browser, _ receivedEmail) {
			b.do("POST", "/api/logout", "{}")
		}, want: "LOGIN_DENIED"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBrowser(newEnv(t))
			b.t = t
			b.login(jana)
			b.wait(2 * time.Minute)
			other := b.another()
			mail := other.asks(jana)
			id := b.requests()[0].(map[string]any)["id"]
			if c.before != nil {
				c.before(b, other, mail)
				if a := b.answerLogin(id, true); a.at("error") != "INVALID_ARGS" || b.requests() != nil {
					t.Error(a.Body)
				}
			} else if a := b.answerLogin(id, true); a.Code != 200 {
				t.Fatal(a.Body)
			}
			if c.after != nil {
				c.after(b, other, mail)
			}
			if a := other.await(); a.at("error") != c.want || other.cookies["__Host-session"] != "" {
				t.Errorf("%s, not %s", a.Body, c.want)
			}
		})
	}
}

// A page that waits learns that its browser has signed in meanwhile, by the link in another tab; a browser that has
// not, does not.
func TestWaitingPagesNoticeALogin(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	mail := b.asks(jana)
	if a := b.await(); a.at("status") != "pending" {
		t.Fatal(a.Body)
	}
	if a := b.do("POST", "/api/security-login", `{"user_hash":"`+mail.link+`"}`); a.Code != 200 {
		t.Fatal(a.Body)
	}
	if a := b.await(); a.Code != 200 || a.at("status") != "signed_in" || b.email() != jana {
		t.Error(a.Body)
	}
	if a := b.another().await(); a.at("status") != "over" {
		t.Error(a.Body)
	}
}

// What a waiting browser is told does not tell whether anybody has the address.
func TestWaitingTellsNothing(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.login(jana)
	b.wait(2 * time.Minute)
	known, unknown := b.another(), b.another()
	known.asks(jana)
	unknown.asks("nobody@example.org")
	x, y := known.await(), unknown.await()
	if x.Code != y.Code || x.at("error") != y.at("error") || x.at("number") == nil || y.at("number") == nil {
		t.Error(x.Body, y.Body)
	}
}

// The page that waits shows its number without scripts too, and shows none to a browser that has not asked.
func TestWaitingPageShowsTheNumber(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.asks(jana)
	shown, _ := b.await().at("number").(float64)
	number := func(browser string) int {
		p, err := b.Pages()[edition.Sent].Load(withPendingLogin(b.ctx, browser), &page.Request{
			Edition: testkit.EditionOf(b.ctx, b.t),
			Route:   edition.Sent, Path: "/account/sent", Query: url.Values{"type": {"thankyou-login"}, "email": {jana}},
			Tier: page.Anonymous,
		})
		if err != nil {
			t.Fatal(err)
		}
		return p.Data.(sentData).Number
	}
	own := b.cookies["__Host-lr"]
	if got := number(own); got != int(shown) || got < 10 || got > 99 {
		t.Error(got, shown)
	}
	if got := number(secret.New()); got != 0 {
		t.Error("another browser is shown a number", got)
	}
	if b.wait(11 * time.Minute); number(own) != 0 {
		t.Error("a login that is over has a number")
	}
}

// The reader chooses the number that the other device shows: a yes without it, or with another, lets nobody in.
func TestLoginNumbers(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.login(jana)
	ask := func() (other *browser, id any, shown float64, choices []any) {
		b.wait(2 * time.Minute)
		other = b.another()
		other.asks(jana)
		shown, _ = other.await().at("number").(float64)
		request := b.requests()[0].(map[string]any)
		choices, _ = request["choices"].([]any)
		if len(request) != 4 { // id, device, at, choices
			t.Error("the reader is told more than the choices", request)
		}
		return other, request["id"], shown, choices
	}
	other, id, shown, choices := ask()
	distinct := map[any]bool{}
	for _, n := range choices {
		distinct[n] = n.(float64) >= 10 && n.(float64) < 100
	}
	if len(choices) != 3 || len(distinct) != 3 || !distinct[shown] || distinct[choices[0]] != distinct[choices[1]] {
		t.Fatal(shown, choices)
	}
	if again := b.requests()[0].(map[string]any)["choices"]; fmt.Sprint(again) != fmt.Sprint(choices) ||
		other.await().at("number") != shown {
		t.Error("asked again, the numbers are others", again, choices)
	}
	if a := b.answerNumber(id, true, 0); a.Code != 400 || a.at("error") != "INVALID_REQUIREMENT" ||
		a.at("field") != "number" {
		t.Error("a yes without a number", a.Body)
	}
	if a := other.await(); a.at("status") != "pending" {
		t.Error("no number is no answer", a.Body)
	}
	if a := b.form("/fns/login-approval", "id", fmt.Sprint(id), "number", fmt.Sprint(shown)); a.Header().
		Get("Location") != "/account/profile?status=LOGIN_APPROVED" {
		t.Error(a.Header())
	}
	if a := other.await(); a.Code != 200 || other.email() != jana {
		t.Error("the right number", a.Body)
	}

	other, id, shown, choices = ask()
	wrong := choices[0]
	if wrong == shown {
		wrong = choices[1]
	}
	if a := b.answerNumber(id, true, int(wrong.(float64))); a.Code != 409 || a.at("error") != "WRONG_NUMBER" {
		t.Error("a wrong number", a.Body)
	}
	if a := b.answerNumber(id, true, int(shown)); a.at("error") != "INVALID_ARGS" || b.requests() != nil {
		t.Error("the right number after a wrong one", a.Body)
	}
	if a := other.await(); a.at("error") != "LOGIN_DENIED" || other.cookies["__Host-session"] != "" {
		t.Error("let in by a wrong number", a.Body)
	}
}

// Which of the choices is right, their order does not tell.
func TestLoginNumbersAreInNoOrder(t *testing.T) {
	t.Parallel()
	s, places := secret.Key("key"), map[int]int{}
	for i := range 300 {
		choices, right := approvalNumbers(s, "standard", []byte{byte(i), byte(i >> 8)})
		places[slices.Index(choices, right)]++
	}
	if len(places) != 3 || places[0] < 50 || places[1] < 50 || places[2] < 50 {
		t.Error(places)
	}
}
