package identity

import (
	"testing"
)

// Who fills in what people do not see gets the answer that everybody gets, and no mail.
func TestTheTrapOfLogins(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	for name, a := range map[string]answer{
		"login": b.form("/fns/user-login", "email", "Jana@example.org", "type", "login", "website",
			"https://spam.example"),
		"registration": b.form("/fns/user-login", "email", "Jana@example.org", "type", "registration", "website", "x"),
	} {
		if to := a.Header().Get("Location"); a.Code != 303 ||
			to != "/account/sent?type=thankyou-"+name+"&email=jana%40example.org" {
			t.Errorf("%s: %d %s", name, a.Code, to)
		}
	}
	for _, body := range []string{
		`{"email":"jana@example.org","website":"x"}`,
		`{"type":"login","payload":{"email":"jana@example.org","website":"x"}}`,
	} {
		if a := b.do("POST", "/fns/user-login", body); a.Code != 200 || a.at("status") != "sent" {
			t.Errorf("%s: %s", body, a.Body)
		}
	}
	if a := b.form("/fns/user-login", "email", "nobody", "website", "x"); a.Header().
		Get("Location") != "/account/login?status=INVALID_EMAIL" {
		t.Error(a.Header())
	}
	if b.work(); len(b.emails) != 0 || b.count("SELECT count(*) FROM identity_login_attempts") != 0 {
		t.Errorf("%d emails", len(b.emails))
	}
	if a := b.form("/fns/user-login", "email", jana, "website", ""); a.Code != 303 {
		t.Fatal(a.Body)
	}
	if b.work(); len(b.emails) != 1 {
		t.Error("an empty trap caught a reader")
	}
}
