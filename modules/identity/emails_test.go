package identity

import (
	"strings"
	"testing"

	"example.org/broadsheet/modules/identity/secret"
)

// The mail goes to whoever may have one, and nothing of the body stands in it.
func TestMailsOnceMore(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	send := func(b *browser, email, kind string) answer {
		return b.do("POST", "/fns/emails", `{"email":"`+email+`","type":"`+kind+`","reference":"REFERENCE",`+
			`"user_data":{"name":"NAME","referrer":"//evil.example"}}`)
	}
	if a := send(b, jana, "login"); a.Code != 400 || a.at("error") != "INVALID_REQUIREMENT" {
		t.Error("who has asked for nothing", a.Body)
	}
	first := b.mail(jana)
	for name, c := range map[string]struct {
		from              *browser
		email, kind, want string
	}{
		"another browser":        {b.another(), jana, "login", "INVALID_REQUIREMENT"},
		"another address":        {b, "boris@example.org", "login", "INVALID_REQUIREMENT"},
		"no address":             {b, "", "login", "INVALID_EMAIL"},
		"a kind that is none":    {b, jana, "thankyou", "INVALID_ARGS"},
		"no kind":                {b, jana, "", "INVALID_ARGS"},
		"a kind that opens none": {b, jana, "uninvited", "INVALID_ARGS"},
	} {
		if a := send(c.from, c.email, c.kind); a.at("error") != c.want {
			t.Errorf("%s: %s", name, a.Body)
		}
	}
	if b.work(); len(b.emails) != 1 {
		t.Fatalf("%d emails", len(b.emails))
	}
	if a := send(b, jana, "login"); a.Code != 200 || a.at("status") != "sent" {
		t.Error(a.Body)
	}
	if b.work(); len(b.emails) != 1 {
		t.Error("twice within a minute")
	}
	b.wait(secret.ResendAfter)
	if a := send(b, "JANA@example.org",
		"registration"); a.at("data.redirect") != "/account/sent?type=thankyou-registration&email=jana%40example.org&"+
		"referrer=%2F1%2Fclanok" {
		t.Error(a.Body)
	}
	b.work()
	if len(b.emails) != 2 || b.emails[1].To != jana {
		t.Fatalf("%+v", b.emails)
	}
	for _, block := range b.emails[1].Blocks {
		for _, word := range []string{"REFERENCE", "NAME", "evil"} {
			if strings.Contains(block.Text+block.URL, word) {
				t.Errorf("%q stands in the mail", word)
			}
		}
	}
	if a := b.another().do("POST", "/api/security-login",
		`{"user_hash":"`+first.link+`","confirm":true}`); a.at("error") != "NOT_LAST_TOKEN" {
		t.Error("the mail before still opens", a.Body)
	}
	second := read(b.emails[1])
	if a := b.do("POST", "/api/security-login", `{"user_hash":"`+second.link+`"}`); a.at("data.redirect") != "/1/clanok" {
		t.Fatal(a.Body)
	}
	if a := send(b, "boris@example.org", "login"); a.Code != 403 || a.at("error") != "FOREIGN_USER" {
		t.Error("a reader has somebody else written to", a.Body)
	}
	b.wait(secret.ResendAfter)
	if a := send(b, jana, "login"); a.Code != 200 {
		t.Error("the own address", a.Body)
	}
	if a := b.do("POST", "/fns/emails", "x", "Content-Type", "text/plain"); a.Code != 415 {
		t.Error(a.Body)
	}
}
