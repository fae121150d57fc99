package identity

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/paper/edition"
)

// The log names the mail, the way and the limit of a login, nobody's address, and no mail that was not sent.
func TestLoginsAreLogged(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t, func(d *edition.Document) { d.Identity.SessionVersion = 2 }))
	out := &bytes.Buffer{}
	b.log = slog.New(slog.NewTextHandler(out, nil))
	var said []string
	logged := func(want string) {
		t.Helper()
		text := out.String()
		out.Reset()
		said = append(said, text)
		if want == "" && text != "" ||
			want != "" && (strings.Count(text, want) != 1 || !strings.Contains(text, "security=true")) {
			t.Errorf("not %q but %q", want, text)
		}
	}
	first := b.mail(jana)
	logged(`msg="login email requested" security=true attempt=1`)
	b.do("POST", "/fns/user-login", `{"email":"`+jana+`"}`)
	logged("") // within a minute nothing is sent
	code := func(typed string) {
		b.do("POST", "/api/login-code-validation", fmt.Sprintf(`{"email":%q,"code":%q}`, jana, typed))
	}
	code(wrong(first.code))
	logged(`msg="login refused" security=true way=code error=INVALID_CODE attempt=1`)
	b.do("POST", "/api/security-login", `{"user_hash":"`+first.link+`"}`)
	logged(`msg="session opened" security=true way=link reader=1 attempt=1`)
	b.outdate()
	offer, _ := b.do("GET", "/user/me/", "").at("login_cookie").(string)
	logged("")
	b.do("POST", "/api/security-login", `{"user_hash":"`+offer+`"}`)
	logged(`msg="session opened" security=true way=exchange reader=1`)
	second := b.mail(jana)
	logged("attempt=2")
	for range secret.MaxTries {
		code(wrong(second.code))
	}
	out.Reset()
	code(second.code)
	logged(`way=code error=TOO_MANY_ATTEMPTS attempt=2 cause=mail`)
	b.wait(secret.ResendAfter)
	third := b.mail(jana)
	for range secret.MaxTries {
		code(wrong(third.code))
	}
	out.Reset()
	code(third.code)
	logged(`way=code error=TOO_MANY_ATTEMPTS attempt=3 cause=address`)
	for range 30 {
		b.do("POST", "/api/security-login", `{"user_hash":"`+secret.New()+`"}`)
	}
	out.Reset()
	b.do("POST", "/api/security-login", `{"user_hash":"`+third.link+`"}`)
	logged(`way=link error=TOO_MANY_ATTEMPTS cause=network`)
	for range 5 {
		b.wait(secret.ResendAfter)
		b.do("POST", "/fns/user-login", `{"email":"`+jana+`"}`)
	}
	out.Reset()
	b.wait(secret.ResendAfter)
	b.do("POST", "/fns/user-login", `{"email":"`+jana+`"}`)
	logged(`msg="login email refused" security=true error=TOO_MANY_REQUESTS`)
	for _, text := range said {
		for _, part := range []string{jana, first.code, first.link, second.code, third.link, offer} {
			if strings.Contains(text, part) {
				t.Errorf("the log has %q", part)
			}
		}
	}
}
