package identity

import (
	"context"
	"testing"

	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// outdate makes all sessions older than the edition asks for.
func (b *browser) outdate() {
	b.t.Helper()
	err := b.db.Run(b.ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw("UPDATE identity_sessions SET version = 0").Exec(ctx)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.Sessions.ForgetAll()
}

func TestOutdatedSessionsAreExchanged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		between func(b *browser)
		want    string // "" for a session
	}{
		"at once":                  {func(*browser) {}, ""},
		"too late":                 {func(b *browser) { b.wait(exchangeTTL) }, "INVALID_HASH"},
		"without the old cookie":   {func(b *browser) { delete(b.cookies, "__Host-session") }, "INVALID_HASH"},
		"with another old session": {func(b *browser) { b.cookies["__Host-session"] = secret.New() }, "INVALID_HASH"},
		"ended meanwhile": {func(b *browser) {
			_ = b.db.Run(b.ctx, func(ctx context.Context, tx db.Tx) error {
				_, err := sessions.EndOne(ctx, tx, 1, 1)
				return err
			})
		}, "INVALID_HASH"},
		"asked again": {func(b *browser) { b.do("GET", "/user/me/", "") }, "INVALID_HASH"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBrowser(newEnv(t, func(d *edition.Document) { d.Identity.SessionVersion = 2 }))
			b.t = t
			b.login(jana)
			if b.email() != jana {
				t.Fatal("a session of now is not outdated")
			}
			b.outdate()
			old := b.cookies["__Host-session"]
			if a := b.do("GET", "/user/sessions", ""); a.Code != 401 {
				t.Error("an outdated session opens something", a.Body)
			}
			a := b.do("GET", "/user/me/?user_hash="+b.cookies["logged_user"], "")
			offer, _ := a.at("login_cookie").(string)
			if a.at("description") != "OUTDATED_COOKIE_VERSION" || a.at("user_id") != nil || !secret.Valid(offer) {
				t.Fatal(a.Body)
			}
			c.between(b)
			a = b.do("POST", "/api/security-login", `{"user_hash":"`+offer+`"}`)
			if c.want != "" {
				if a.at("error") != c.want || b.cookies["__Host-session"] != "" && b.email() != nil {
					t.Errorf("%s, not %s", a.Body, c.want)
				}
				return
			}
			if a.Code != 200 || b.email() != jana || b.cookies["__Host-session"] == old {
				t.Fatal(a.Body)
			}
			b.cookies["__Host-session"] = old
			if a := b.do("POST", "/api/security-login", `{"user_hash":"`+offer+`"}`); a.at("error") != "INVALID_HASH" {
				t.Error("exchanged twice", a.Body)
			}
			if a := b.do("GET", "/user/me/", ""); a.at("description") != "EXPIRED_LOGIN" || a.at("login_cookie") != "" {
				t.Error("the old session lives", a.Body)
			}
		})
	}
}
