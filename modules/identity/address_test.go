package identity

import (
	"context"
	"net/url"
	"regexp"
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

const newJana = "jana.nova@example.org"

var addressToken = regexp.MustCompile(`/account/email\?token=([\w-]+)$`)

// changeMail is what one side of a change finds in its mailbox.
type changeMail struct{ kind, to, token, code string }

// change asks for another address through the door and returns the mails that went out.
func (b *browser) change(email string) (answer, map[string]changeMail) {
	b.t.Helper()
	before := len(b.emails)
	a := b.do("POST", "/fns/user-email", `{"email":"`+email+`"}`)
	b.work()
	mails := map[string]changeMail{}
	for _, l := range b.emails[before:] {
		m := changeMail{kind: l.Kind, to: l.To}
		for _, block := range l.Blocks {
			if found := addressToken.FindStringSubmatch(block.URL); found != nil {
				m.token = found[1]
			}
			if sixDigits.MatchString(block.Text) {
				m.code = block.Text
			}
		}
		mails[l.Kind] = m
	}
	return a, mails
}

func (b *browser) confirm(field, value string) answer {
	b.t.Helper()
	return b.do("POST", "/fns/user-email/confirm", `{"`+field+`":"`+value+`"}`)
}

func (b *browser) email() any { return b.do("GET", "/user/me/", "").at("email") }

func TestAddressChange(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	if a, _ := b.change(newJana); a.Code != 401 || a.at("error") != "INVALID_TOKEN" {
		t.Fatal("a visitor", a.Body)
	}
	b.login(jana)
	phone, stranger := b.another(), b.another()
	phone.login(jana)
	a, mails := b.change(" Jana.Nova@Example.org ")
	if a.Code != 200 || a.at("data.redirect") != "/account/profile" || len(mails) != 2 {
		t.Fatal(a.Body, mails)
	}
	old, fresh := mails["addressOld"], mails["addressNew"]
	if old.to != jana || fresh.to != newJana || old.token == fresh.token || old.code == fresh.code || old.token == "" ||
		fresh.code == "" {
		t.Fatalf("%+v", mails)
	}
	// Whoever opens the links changes nothing by that.
	for range 2 {
		for kind, from := range map[string]string{"addressOld": jana, "addressNew": "j•••@example.org"} {
			if d := stranger.addressPageOf(mails[kind].token); d.Step != "confirm" || d.From != from || d.To != newJana ||
				d.Until.Sub(b.db.Now()) < addressTTL-time.Minute {
				t.Errorf("%+v", d)
			}
		}
	}
	if pending, _ := b.profileOf()["login"].(map[string]any)["change"].(map[string]any); pending["email"] != newJana ||
		pending["oldConfirmed"] != false {
		t.Errorf("%v", pending)
	}
	if a := b.form("/fns/user-email/confirm", "token", fresh.token); a.Code != 303 ||
		a.Header().Get("Location") != "/account/email?token="+fresh.token || b.email() != jana {
		t.Fatal("one side alone", a.Header(), b.email())
	}
	if d := stranger.addressPageOf(fresh.token); d.Step != "waiting" || d.Side != newSide {
		t.Errorf("%+v", d)
	}
	if a := b.confirm("token", fresh.token); a.Code != 410 || a.at("error") != "TOKEN_USED" || b.email() != jana {
		t.Error("one side twice", a.Body)
	}
	opened := b.mail(jana) // a login mail of the old address, not used yet
	if a := stranger.confirm("token", old.token); a.Code != 200 || a.at("data.done") != true {
		t.Fatal(a.Body)
	}
	if b.email() != newJana {
		t.Error("the address has not changed", b.email())
	}
	if a := phone.do("GET", "/user/sessions", ""); a.Code != 401 {
		t.Error("another session lives on", a.Body)
	}
	for _, token := range []string{old.token, fresh.token} {
		if d := stranger.addressPageOf(token); d.Step != "done" {
			t.Errorf("%+v", d)
		}
		if a := stranger.confirm("token", token); a.at("error") != "TOKEN_USED" {
			t.Error(a.Body)
		}
	}
	before := len(b.emails)
	b.work()
	b.work()
	if !slices.Equal(b.moved, []string{"1 " + jana + " " + newJana}) {
		t.Error("told", b.moved)
	}
	if l := b.emails[before:]; len(l) != 1 || l[0].Kind != "addressChanged" || l[0].To != jana {
		t.Errorf("%+v", l)
	}
	if a := stranger.do("POST", "/api/login-code-validation",
		`{"email":"`+jana+`","code":"`+opened.code+`"}`); a.at("error") != "NOT_LAST_TOKEN" &&
		a.at("error") != "INVALID_CODE" {
		t.Error("a mail of the old address still logs in", a.Body)
	}
	if a := stranger.do("POST", "/api/security-login",
		`{"user_hash":"`+opened.link+`","confirm":true}`); a.at("error") != "NOT_LAST_TOKEN" {
		t.Error("a link of the old address still logs in", a.Body)
	}
	b.wait(2 * time.Minute)
	phone.login(newJana)
	if n := b.count("SELECT count(*) FROM identity_readers"); n != 1 {
		t.Errorf("%d readers", n)
	}
}

func (b *browser) addressPageOf(token string) addressData {
	b.t.Helper()
	p, err := b.Pages()[edition.EmailChange].Load(b.ctx,
		&page.Request{
			Edition: testkit.EditionOf(b.ctx, b.t), Route: edition.EmailChange, Path: "/account/email",
			Query: url.Values{"token": {token}},
		})
	if err != nil {
		b.t.Fatal(err)
	}
	d, _ := p.Data.(addressData)
	return d
}

func TestAddressChangeByCode(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.login(jana)
	_, mails := b.change(newJana)
	old, fresh := mails["addressOld"], mails["addressNew"]
	if a := b.another().confirm("code", old.code); a.Code != 401 {
		t.Error("a code without a session", a.Body)
	}
	boris := b.another()
	boris.login("boris@example.org")
	if a := boris.confirm("code", old.code); a.at("error") != "EMAIL_NOT_CHANGED" {
		t.Error("a code of somebody else's", a.Body)
	}
	if a := b.confirm("code", "12 34"); a.at("error") != "INVALID_CODE" {
		t.Error(a.Body)
	}
	if a := b.form("/fns/user-email/confirm", "code", " "+old.code[:3]+" "+old.code[3:]); a.Header().
		Get("Location") != "/account/profile" {
		t.Error(a.Header())
	}
	if a := b.confirm("code", old.code); a.at("error") != "TOKEN_USED" {
		t.Error(a.Body)
	}
	if a := b.form("/fns/user-email/confirm", "code", fresh.code); a.Header().
		Get("Location") != "/account/profile?status=EMAIL_CHANGED" || b.email() != newJana {
		t.Error(a.Header(), b.email())
	}
}

func TestAddressCodesAreCounted(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.login(jana)
	_, mails := b.change(newJana)
	for i := range addressTries {
		if a := b.confirm("code", wrong(wrong(mails["addressOld"].code))); a.Code != 422 || a.at("error") != "INVALID_CODE" {
			t.Fatal(i, a.Body)
		}
	}
	if a := b.confirm("code", mails["addressOld"].code); a.Code != 429 || a.at("error") != "TOO_MANY_ATTEMPTS" {
		t.Error("the right code after too many wrong ones", a.Body)
	}
}

// Who asks for an address that is another reader's is answered as for any other; that reader is told, and cannot be
// moved out.
func TestTakenAddressIsNotTold(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	boris := b.another()
	boris.login("boris@example.org")
	b.login(jana)
	free, _ := b.change(newJana)
	b.wait(2 * time.Minute)
	taken, mails := b.change("boris@example.org")
	if taken.Code != free.Code || taken.Body.String() != free.Body.String() {
		t.Errorf("%s, not %s", taken.Body, free.Body)
	}
	payload := mails["addressTaken"]
	if len(mails) != 2 || payload.to != "boris@example.org" || payload.token != "" || payload.code != "" {
		t.Fatalf("%+v", mails)
	}
	if a := b.confirm("token", mails["addressOld"].token); a.Code != 200 || a.at("data.done") != false {
		t.Error(a.Body)
	}
	pending, _ := b.profileOf()["login"].(map[string]any)["change"].(map[string]any)
	if pending["email"] != "boris@example.org" || pending["newConfirmed"] != false {
		t.Errorf("%v", pending)
	}
	// Nor does the code that was never sent.
	k := b.env
	var change *addressChange
	if err := k.db.Run(k.ctx, func(ctx context.Context, tx db.Tx) (err error) {
		change, err = findChange(ctx, tx, 2)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	ed, _ := edition.From(k.ctx)
	if a := b.confirm("code", addressCode(k.secrets, ed.ID, change.Nonce, newSide)); a.at("error") != "INVALID_CODE" {
		t.Error(a.Body)
	}
	if a := b.confirm("token", addressLink(k.secrets, ed.ID, change.Nonce, newSide)); a.at("error") != "EMAIL_TAKEN" {
		t.Error(a.Body)
	}
	if b.email() != jana || boris.email() != "boris@example.org" {
		t.Error("an address has moved")
	}
}

func TestAddressIsTakenMeanwhile(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.login(jana)
	_, mails := b.change(newJana)
	b.another().login(newJana)
	b.confirm("token", mails["addressOld"].token)
	if a := b.confirm("token", mails["addressNew"].token); a.Code != 409 ||
		a.at("error") != "EMAIL_TAKEN" || b.email() != jana {
		t.Error(a.Body, b.email())
	}
	if d := b.addressPageOf(mails["addressOld"].token); d.Step != "broken" {
		t.Errorf("%+v", d)
	}
}

func TestAddressChangeEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end        func(b *browser, mails map[string]changeMail)
		want, code string // of the links, and of a code where it is typed in
	}{
		"out of date": {
			func(b *browser, _ map[string]changeMail) { b.wait(addressTTL) },
			"EMAIL_NOT_CHANGED", "EMAIL_NOT_CHANGED",
		},
		"another": {func(b *browser, _ map[string]changeMail) {
			b.wait(2 * time.Minute)
			b.change("third@example.org")
		}, "EMAIL_NOT_CHANGED", "INVALID_CODE"},
		"by the reader": {func(b *browser, _ map[string]changeMail) {
			if a := b.form("/fns/user-email/cancel"); a.Header().Get("Location") != "/account/profile" {
				b.t.Error(a.Header())
			}
		}, "EMAIL_NOT_CHANGED", "EMAIL_NOT_CHANGED"},
		"from the old mailbox": {func(b *browser, mails map[string]changeMail) {
			a := b.another().form("/fns/user-email/cancel", "token", mails["addressOld"].token)
			if !strings.HasPrefix(a.Header().Get("Location"), "/account/email?token=") ||
				strings.Contains(a.Header().Get("Location"), "status") {
				b.t.Error(a.Header())
			}
		}, "EMAIL_NOT_CHANGED", "EMAIL_NOT_CHANGED"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBrowser(newEnv(t))
			b.t = t
			b.login(jana)
			_, mails := b.change(newJana)
			c.end(b, mails)
			for _, kind := range []string{"addressOld", "addressNew"} {
				if a := b.another().confirm("token", mails[kind].token); a.Code != 410 || a.at("error") != c.want {
					t.Errorf("%s: %s", kind, a.Body)
				}
				if a := b.confirm("code", mails[kind].code); a.at("error") != c.code {
					t.Errorf("the code of %s: %s", kind, a.Body)
				}
				// What came too late can be asked for again; what was cancelled is not offered.
				step, to := "broken", ""
				if name == "out of date" {
					step, to = "late", newJana
				}
				if d := b.addressPageOf(mails[kind].token); d.Step != step || d.To != to {
					t.Errorf("%s: got %+v, want step %s", kind, d, step)
				}
			}
			if a := b.form("/fns/user-email", "email", newJana, "user_id", "1"); name == "out of date" &&
				a.Header().Get("Location") != "/account/profile" {
				t.Errorf("asking again: got %v", a.Header())
			}
		})
	}
}

func TestAddressesThatAreRefused(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t, func(d *edition.Document) {
		d.Identity.Domains, d.Identity.DomainList = "block", []string{"blocked.example"}
	}))
	b.login(jana)
	for email, want := range map[string]string{
		"": "INVALID_EMAIL", "x": "INVALID_EMAIL", jana: "EMAIL_UNCHANGED",
		"A@blocked.example": "FORBIDDEN_DOMAIN",
	} {
		if a, mails := b.change(email); a.Code != 422 || a.at("error") != want || len(mails) != 0 {
			t.Errorf("%q: %s", email, a.Body)
		}
	}
	for _, token := range []string{"x", secret.New()} {
		if a := b.confirm("token", token); a.at("error") != "INVALID_HASH" {
			t.Error(a.Body)
		}
		if a := b.do("POST", "/fns/user-email/cancel", `{"token":"`+token+`"}`); a.at("error") != "INVALID_HASH" {
			t.Error(a.Body)
		}
	}
	a := b.another().form("/fns/user-email/cancel")
	if a.Header().Get("Location") != "/account/login?referrer=%2Faccount%2Fprofile&status=INVALID_TOKEN" {
		t.Error(a.Header())
	}
	// Asked twice in a row one mail goes out; five changes a day are enough.
	for i := range 7 {
		a, mails := b.change(newJana)
		if sent := len(mails) == 2; sent != (i < 5) || (a.Code == 429) != (i >= 5) {
			t.Errorf("change %d: %s, %d mails", i+1, a.Body, len(mails))
		}
		if again, more := b.change(newJana); i < 5 && (len(more) != 0 || again.Code != 200) {
			t.Error("sent twice within a minute", again.Body)
		}
		b.wait(70 * time.Minute / 6)
	}
}
