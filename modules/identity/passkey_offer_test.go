package identity

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/identity/passkey"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

func (b *browser) offered() bool { return b.cookies[offerCookie] == "1" }

func TestTheOfferOfAPasskey(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.login(jana)
	if b.offered() {
		t.Error("offered to a new reader, who is greeted")
	}
	b.wait(time.Hour)
	b.login(jana)
	if !b.offered() {
		t.Fatal("not offered after a login by code")
	}
	link := b.another()
	b.wait(time.Hour)
	if a := link.do("POST", "/api/security-login",
		fmt.Sprintf(`{"user_hash":%q,"confirm":true}`, link.mail(jana).link)); a.Code != 200 || !link.offered() {
		t.Error("not offered after a login by link", a.Body)
	}
	if a := link.another().do("POST", "/fns/passkeys/decline", "{}"); a.Code != 401 || a.at("error") != "INVALID_TOKEN" {
		t.Error("a visitor declines", a.Body)
	}
	if a := b.do("POST", "/fns/passkeys/decline", "{}"); a.Code != 200 || b.offered() {
		t.Error(a.Body, b.cookies)
	}
	for _, c := range []struct {
		after time.Duration
		want  bool
	}{{time.Hour, false}, {passkey.OfferAgain, true}} {
		home := b.another()
		b.wait(c.after)
		if home.login(jana); home.offered() != c.want {
			t.Errorf("%s after a no: %v", c.after, home.offered())
		}
	}
}

func TestNoOfferOfAPasskey(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	d := newDevice(b)
	b.login(jana)
	b.wait(time.Hour)
	b.login(jana)
	if a := b.add(d.create(b.newPasskey())); a.Code != 200 || b.offered() {
		t.Error("offered to who has just made one", a.Body)
	}
	b.wait(time.Hour)
	if b.login(jana); b.offered() {
		t.Error("offered to who has one")
	}
	if a := b.form("/fns/passkeys/remove", "id", "1"); a.Code != 303 {
		t.Fatal(a.Body)
	}
	home := b.another()
	home.cookies[offerCookie] = "1" // of whoever used this browser before
	home.login("boris@example.org")
	if home.offered() {
		t.Error("somebody else's offer was left to a new reader")
	}
	// Who has allowed it on another device, or has a passkey, has not come by a mail.
	waiting := b.another()
	b.wait(time.Hour)
	waiting.mail(jana)
	id := b.count("SELECT max(id) FROM identity_login_attempts")
	if a := b.answerLogin(id, true); a.Code != 200 {
		t.Fatal(a.Body)
	}
	if a := waiting.do("POST", "/api/login-approval", "{}"); a.Code != 200 || waiting.cookies["__Host-session"] == "" ||
		waiting.offered() {
		t.Error(a.Body, waiting.cookies)
	}
	if a := b.form("/fns/passkeys/decline"); a.Code != 303 || a.Header().Get("Location") != "/account/profile" {
		t.Error(a.Code, a.Header())
	}
}

func TestEmailsAboutPasskeys(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	d := newDevice(b)
	b.login(jana)
	b.work()
	before := len(b.emails)
	emails := func(n int) []mail.Message {
		t.Helper()
		if b.work(); len(b.emails) != before+n {
			t.Fatalf("%d emails, not %d", len(b.emails)-before, n)
		}
		return b.emails[before:]
	}
	body := d.create(b.newPasskey())
	if a := b.do("POST", "/fns/passkeys/add", body, "User-Agent",
		"Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0"); a.Code != 200 {
		t.Fatal(a.Body)
	}
	b.add(body) // refused, so nobody is told
	ed, _ := edition.From(b.ctx)
	added := emails(1)[0]
	if text := mail.Text(ed, &added); added.To != jana || added.Key != "passkey:1:passkeyAdded" ||
		!strings.Contains(text, "Firefox, Linux") || !strings.Contains(text, "/account/email?passkey=") {
		t.Errorf("%+v\n%s", added, text)
	}
	boris := b.another()
	boris.login("boris@example.org")
	b.work()
	before = len(b.emails) - 1
	if a := boris.do("POST", "/fns/passkeys/remove", `{"id":1}`); a.Code != 400 {
		t.Fatal(a.Body)
	}
	emails(1)
	if a := b.do("POST", "/fns/passkeys/remove", `{"id":1}`); a.Code != 200 {
		t.Fatal(a.Body)
	}
	removed := emails(2)[1]
	if text := mail.Text(ed, &removed); removed.To != jana || removed.Key != "passkey:1:passkeyRemoved" ||
		!strings.Contains(text, "Firefox, Linux") {
		t.Errorf("%+v\n%s", removed, text)
	}
}

// An email to an account that is gone by then would have nowhere to go.
func TestNoEmailAboutPasskeysOfAnErasedAccount(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.keep()
	d := newDevice(b)
	b.login(jana)
	if a := b.add(d.create(b.newPasskey())); a.Code != 200 {
		t.Fatal(a.Body)
	}
	err := b.db.InTx(b.ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := b.Data.Begin(ctx, tx, 1)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	b.work()
	for _, l := range b.emails {
		if strings.HasPrefix(l.Key, "passkey:") {
			t.Errorf("%+v", l)
		}
	}
}
