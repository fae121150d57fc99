package identity

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// Whatever has become of a mail, who has neither its code nor asked for it is answered as for an address of nobody, and
// uses up nothing of its reader's.
func TestCodesTellStrangersNothing(t *testing.T) {
	t.Parallel()
	asking := func(k *env, browser string) {
		k.wait(secret.ResendAfter)
		if _, err := k.Ask(k.ctx, Asked{Email: jana, Browser: browser, Network: "198.51.100.1"}); err != nil {
			k.t.Fatal(err)
		}
	}
	for name, become := range map[string]func(k *env, l receivedEmail){
		"on its way": func(*env, receivedEmail) {},
		"used": func(k *env, l receivedEmail) {
			if _, err := k.SignIn(k.ctx, jana, l.code, k.fromHome); err != nil {
				k.t.Fatal(err)
			}
		},
		"expired":    func(k *env, _ receivedEmail) { k.wait(secret.TTL) },
		"superseded": func(k *env, _ receivedEmail) { asking(k, home) },
		"too many wrong": func(k *env, l receivedEmail) {
			k.tryWrong(jana, l.code, secret.MaxTries, secret.ErrInvalidCode)
		},
		"void with its link": func(k *env, _ receivedEmail) {
			k.exec("UPDATE identity_login_attempts SET superseded_at = now()")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newEnv(t)
			k.t = t
			l := k.ask(jana)
			become(k, l)
			tries := k.count("SELECT sum(tries) FROM identity_login_attempts")
			for who, browser := range map[string]string{"without a cookie": "", "of another browser": secret.New()} {
				v := Visitor{Network: "198.51.100." + who, Browser: browser}
				if _, err := k.SignIn(k.ctx, jana, wrong(l.code), v); !errors.Is(err, secret.ErrInvalidCode) {
					t.Errorf("%s: %v", who, err)
				}
				if _, err := k.SignIn(k.ctx, jana, l.code, v); !errors.Is(err, secret.ErrInvalidCode) {
					t.Errorf("%s, with the code: %v", who, err)
				}
			}
			if n := k.count("SELECT sum(tries) FROM identity_login_attempts"); n != tries {
				t.Errorf("strangers have spent %d tries", n-tries)
			}
		})
	}
}

// A browser that has asked for an earlier mail to the address, which has not expired, learns nothing of what has become
// of the newest one, that its code was used too.
func TestCodesTellEarlierAskersNothing(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	stranger := Visitor{Network: "198.51.100.7", Browser: secret.New()}
	if _, err := k.Ask(k.ctx, Asked{Email: jana, Browser: stranger.Browser, Network: stranger.Network}); err != nil {
		t.Fatal(err)
	}
	k.work()
	k.wait(secret.ResendAfter)
	l := k.ask(jana)
	if _, err := k.SignIn(k.ctx, jana, l.code, k.fromHome); err != nil {
		t.Fatal(err)
	}
	for _, code := range []string{l.code, wrong(l.code)} {
		if _, err := k.SignIn(k.ctx, jana, code, stranger); !errors.Is(err, secret.ErrInvalidCode) {
			t.Errorf("got %v, want that the code is wrong", err)
		}
	}
	if _, err := k.SignIn(k.ctx, jana, l.code, k.fromHome); !errors.Is(err, secret.ErrCodeUsed) {
		t.Errorf("in the browser that asked: got %v, want that it was used", err)
	}
}

// Who asks from a second device while the mail is on its way uses its code there; so does who was overtaken by a
// stranger's asking.
func TestACodeCountsWhereItWasAskedFor(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	phone, stranger := secret.New(), secret.New()
	again := func(browser, network string) {
		t.Helper()
		if _, err := k.Ask(k.ctx, Asked{Email: jana, Browser: browser, Network: network}); err != nil {
			t.Fatal(err)
		}
		k.work()
	}
	l := k.ask(jana)
	again(phone, "192.0.2.1")
	if len(k.emails) != 1 {
		t.Fatalf("%d emails within a minute", len(k.emails))
	}
	if _, err := k.SignIn(k.ctx, jana, l.code, Visitor{Network: "192.0.2.1", Browser: phone}); err != nil {
		t.Fatalf("on the phone: %v", err)
	}
	k.ask(jana)
	k.wait(secret.ResendAfter)
	again(stranger, "198.51.100.1")
	newest := read(k.emails[len(k.emails)-1])
	if _, err := k.SignIn(k.ctx, jana, wrong(newest.code), k.fromHome); !errors.Is(err, secret.ErrInvalidCode) {
		t.Fatalf("a wrong one after a stranger has asked: %v", err)
	}
	if _, err := k.SignIn(k.ctx, jana, newest.code, k.fromHome); err != nil {
		t.Fatalf("after a stranger has asked: %v", err)
	}
	k.wait(secret.ResendAfter)
	l = k.ask(jana)
	for range maxBrowsers + 3 {
		again(secret.New(), "192.0.2.1")
	}
	if n := k.count("SELECT max(cardinality(other_browsers)) FROM identity_login_attempts"); n != maxBrowsers {
		t.Errorf("%d browsers have joined one mail", n)
	}
	if _, err := k.SignIn(k.ctx, jana, l.code, k.fromHome); err != nil {
		t.Fatal(err)
	}
}

// Many machines that guess the codes of many addresses, each within its own budgets, are stopped together; browsers
// that are known to their readers go on, and links do.
func TestAnEditionsCodesAreNotGuessed(t *testing.T) {
	t.Parallel()
	k := newEnv(t, func(d *edition.Document) { d.Identity.Surge = 50 })
	o, err := k.SignIn(k.ctx, jana, k.ask(jana).code, k.fromHome)
	if err != nil {
		t.Fatal(err)
	}
	now := k.db.Now()
	k.wait(now.Truncate(time.Hour).Add(time.Hour).Sub(now))
	for i := range 10 {
		email := fmt.Sprintf("reader%d@example.org", i)
		v := Visitor{Network: fmt.Sprintf("198.51.100.%d", i), Browser: home}
		if _, err := k.SignIn(k.ctx, email, wrong(k.ask(email).code), v); !errors.Is(err, secret.ErrInvalidCode) {
			t.Fatalf("guess %d: %v", i+1, err)
		}
	}
	l := k.ask("boris@example.org")
	for name, code := range map[string]string{"right": l.code, "wrong": wrong(l.code)} {
		if _, err := k.SignIn(k.ctx, "boris@example.org", code,
			Visitor{Network: "203.0.113.1", Browser: home}); !errors.Is(err, secret.ErrTooManyAttempts) {
			t.Errorf("a %s one after ten wrong ones: %v", name, err)
		}
	}
	if _, _, err := k.OpenLink(k.ctx, l.link, false, Visitor{Network: "203.0.113.1", Browser: home}); err != nil {
		t.Errorf("the link: %v", err)
	}
	if _, err := k.SignIn(k.ctx, jana, k.ask(jana).code,
		Visitor{Network: "203.0.113.2", Browser: home, Known: o.Known}); err != nil {
		t.Errorf("in a browser that is known: %v", err)
	}
	k.wait(10 * time.Minute)
	if _, err := k.SignIn(k.ctx, "eva@example.org", k.ask("eva@example.org").code,
		Visitor{Network: "203.0.113.3", Browser: home}); err != nil {
		t.Errorf("ten minutes later: %v", err)
	}
}

// Strangers who use up the mails and the codes of an address do not keep its reader out of a browser that has had a
// session.
func TestStrangersDoNotLockAReaderOut(t *testing.T) {
	t.Parallel()
	k := newEnv(t, func(d *edition.Document) { d.Identity.Surge = 9 })
	o, err := k.SignIn(k.ctx, jana, k.ask(jana).code, k.fromHome)
	if err != nil {
		t.Fatal(err)
	}
	now := k.db.Now()
	k.wait(now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now))
	ask := func(known string) error {
		k.wait(secret.ResendAfter)
		_, err := k.Ask(k.ctx, Asked{Email: jana, Browser: home, Network: "198.51.100.9", Known: known})
		k.work()
		return err
	}
	for range 5 { // a stranger, who has asked for the mails and guesses their codes
		if err := ask(""); err != nil {
			t.Fatal(err)
		}
		_, _ = k.SignIn(k.ctx, jana, wrong(read(k.emails[len(k.emails)-1]).code), k.fromHome)
		_, _ = k.SignIn(k.ctx, jana, wrong(read(k.emails[len(k.emails)-1]).code), k.fromHome)
	}
	if err := ask(""); !errors.Is(err, web.ErrTooMany) {
		t.Fatalf("a sixth mail of the hour: %v", err)
	}
	forged := strings.Repeat("A", len(o.Known))
	other := k.secrets.AddKnownMark("another", jana, "")
	boris := k.secrets.AddKnownMark(must(edition.From(k.ctx)).ID, "boris@example.org", "")
	for name, cookie := range map[string]string{
		"made up": forged, "of another edition": other, "of another reader": boris,
		"cut": o.Known[:20],
	} {
		if err := ask(cookie); !errors.Is(err, web.ErrTooMany) {
			t.Errorf("a mark that is %s: %v", name, err)
		}
	}
	if err := ask(o.Known); err != nil {
		t.Fatalf("the reader's own browser: %v", err)
	}
	again, err := k.SignIn(k.ctx, jana, read(k.emails[len(k.emails)-1]).code,
		Visitor{Network: "192.0.2.1", Browser: home, Known: o.Known})
	if err != nil {
		t.Fatalf("its code: %v", err)
	}
	if again.Known != o.Known {
		t.Error("a browser that is known is given another mark")
	}
	for i := range 5 {
		if err := ask(o.Known); (err == nil) != (i < 4) {
			t.Errorf("mail %d of the reader's own browser: %v", i+2, err)
		}
	}
}

// A browser keeps the marks of the last readers, and no script reads them.
func TestMarksOfABrowser(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	ed := must(edition.From(b.ctx)).ID
	emails := []string{jana, "boris@example.org", "eva@example.org", "anna@example.org"}
	for _, email := range emails {
		b.login(email)
		b.do("POST", "/api/logout", "{}")
		if b.cookies["__Host-known"] == "" || strings.Contains(b.cookies["__Host-known"], "@") {
			t.Fatal(b.cookies)
		}
	}
	for i, email := range emails {
		if got := b.secrets.KnownMark(ed, email, b.cookies["__Host-known"]) != ""; got != (i > 0) {
			t.Errorf("%s is known: %t", email, got)
		}
	}
	a := b.do("POST", "/api/login-code-validation", `{"email":"`+jana+`","code":"`+b.mail(jana).code+`"}`)
	for _, c := range a.Result().Cookies() {
		if c.Name == "__Host-known" && (!c.HttpOnly || !c.Secure || len(c.Value) > 300) {
			t.Error(c)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
