package identity

import (
	"net/http"
	"testing"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

// A session that cannot be looked up is not one that is over: nothing says so, and nothing is done as a visitor.
func TestASessionThatCanNotBeLookedUp(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.profile = b.Profile
	b.engine.GET("/profile", web.Do(func(c *gin.Context) error {
		p, err := b.Pages()[edition.Profile].Load(c.Request.Context(),
			&page.Request{Edition: testkit.EditionOf(b.ctx, b.t), Route: edition.Profile, Path: "/account/profile"})
		if err != nil {
			return err
		}
		return web.OK(c, gin.H{"to": p.Redirect})
	}))
	b.login(jana)
	visitor := b.another()
	b.Sessions.ForgetAll()
	b.alter("ALTER TABLE identity_sessions RENAME COLUMN token_hash TO hidden")
	handle := b.cookies["logged_user"]
	for _, call := range [][3]string{
		{"GET", "/user/me/", ""},
		{"GET", "/user/me/?user_hash=" + handle, ""},
		{"GET", "/user/sessions", ""},
		{"GET", "/profile", ""},
		{"GET", "/wp-json/standard/v1/remove-user-subscription-cookie/?is_logout=true", ""},
		{"POST", "/api/logout", "{}"},
		{"POST", "/fns/passkeys/decline", "{}"},
		{"POST", "/fns/user-login", `{"email":"boris@example.org"}`},
	} {
		a := b.do(call[0], call[1], call[2])
		if a.Code != http.StatusServiceUnavailable || a.at("error") != "OVERLOADED" || a.Header().Get("Retry-After") == "" ||
			len(a.Result().Cookies()) != 0 {
			t.Errorf("%v: %d %s", call, a.Code, a.Body)
		}
	}
	if a := visitor.do("GET", "/user/sessions", ""); a.Code != http.StatusUnauthorized {
		t.Error("a visitor", a.Code, a.Body)
	}
	if a := visitor.do("GET", "/user/me/", ""); a.Code != http.StatusOK || a.at("description") != "" {
		t.Error("a visitor", a.Code, a.Body)
	}
	b.alter("ALTER TABLE identity_sessions RENAME COLUMN hidden TO token_hash")
	if b.email() != jana {
		t.Error("the session is lost")
	}
}

// That a session is used cannot be written down: it is used all the same.
func TestASessionWhoseUseCanNotBeNoted(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.login(jana)
	mend := b.breaks("UPDATE ON identity_sessions")
	b.wait(2 * sessions.SeenEvery)
	if b.email() != jana {
		t.Error("the session is lost")
	}
	mend()
	b.Sessions.ForgetAll()
	if b.email() != jana || b.count("SELECT count(*) FROM identity_sessions WHERE seen_at > created_at") != 1 {
		t.Error("it is not noted afterwards")
	}
}

// Another host of the domain, or an answer by plain http, can set a cookie without the prefix: on https it is nobody's,
// and on http, where browsers take no prefix, only the bare one is a session's.
func TestOnlyTheSchemesOwnCookieCounts(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.login(jana)
	token := b.cookies["__Host-session"]
	other := b.another()
	other.login("boris@example.org")
	other.cookies["session"] = token
	if other.email() != "boris@example.org" {
		t.Error("a planted cookie stands before the reader's own")
	}
	for _, c := range []struct {
		name   string
		secure bool
		cookie string
		want   any
	}{
		{"https", true, "__Host-session", jana},
		{"https, planted", true, "session", nil},
		{"http", false, "session", jana},
		{"http, with the prefix", false, "__Host-session", nil},
	} {
		b.cookies = map[string]string{c.cookie: token}
		b.engine = gin.New()
		ed, _ := edition.From(b.ctx)
		b.engine.Use(web.Editions(func(string) (*edition.Edition, bool) {
			return ed, true
		}), web.Cookies{Secure: c.secure}.Sessions(b.Sessions.Authenticate))
		b.Routes(b.engine)
		if got := b.email(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		if a := b.do("GET", "/user/me/", ""); a.at("description") == "EXPIRED_LOGIN" {
			t.Errorf("%s: %s", c.name, a.Body)
		}
	}
}
