package app

import (
	"net/url"
	"strings"
	"testing"

	"example.org/broadsheet/platform/testkit/wait"
)

// A reader who changes the address keeps the newsletters, and gets them there.
func TestNewslettersFollowAReader(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	ed := p.app.registry.All()[0]
	b := p.browser(ed.ID)
	p.signIn(b, "before@example.org")
	b.post("/fns/newsletters/settings", map[string]any{"lists": []string{"morning"}})
	b.post("/fns/user-email", map[string]any{"email": "after@example.org"})
	for _, address := range []string{"before@example.org", "after@example.org"} {
		m := p.from(ed.ID, address, "/account/email?token=")
		to, err := url.Parse(addressIn(t, b, m.Text, "/account/email"))
		if err != nil {
			t.Fatal(err)
		}
		if shown := p.browser(ed.ID).get(to.String()); shown.Status != 200 ||
			!strings.Contains(shown.Body, "/fns/user-email/confirm") {
			t.Fatal(address, shown.Status)
		}
		if r := p.browser(ed.ID).form("/fns/user-email/confirm",
			url.Values{"token": {to.Query().Get("token")}}); r.Status != 303 ||
			strings.Contains(r.Header.Get("Location"), "status") {
			t.Fatal(address, r.Status, r.Header)
		}
	}
	wait.Until(t, "the newsletters follow", func() bool {
		got := b.get("/fns/newsletters/settings").Body
		return strings.Contains(got, "after@example.org") && strings.Contains(got, `"chosen":true`)
	})
}
