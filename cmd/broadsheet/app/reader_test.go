package app

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/sandbox/mailbox"
)

// video publishes a video comment and returns its id.
func (p *testApp) video(editionID, slug string) int64 {
	p.t.Helper()
	ed, _ := p.app.registry.Get(editionID)
	saved, err := p.app.content.SavePosts(edition.With(p.t.Context(), ed), []content.Draft{{
		Source: "test", SourceID: slug, Type: post.TypeVideo, Status: post.StatusPublished, Slug: slug,
		Title: "A comment", Excerpt: "On what happened.",
		Body: "<p>On what happened.</p>", Categories: []string{ed.Categories[0].Slug}, Published: time.Now().
			Add(-time.Minute),
		Video: content.Video{URL: "https://youtu.be/abcdefghijk", Seconds: 95},
	}})
	if err != nil || len(saved) != 1 {
		p.t.Fatal(saved, err)
	}
	return saved[0].ID
}

// A video that the address of a page names is in its reader's record, and an article that it names as well is not.
func TestVideoInTheAddress(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(1, false)
	id := p.video("standard", "komentar")
	b := p.browser("standard")
	p.signIn(b, "viewer@example.org")
	opened := func() (ids []int64) {
		var record struct {
			Data struct {
				Videos []int64 `json:"videos_opened"`
			} `json:"data"`
		}
		b.get("/fns/user-can-read-article").json(t, &record)
		return record.Data.Videos
	}
	if r := b.get("/?video-komentar=1"); r.Status != http.StatusOK || len(opened()) != 0 {
		t.Errorf("an article: %d, recorded %v", r.Status, opened())
	}
	if r := b.get(fmt.Sprintf("/?video-komentar=%d&data=2026-11-21", id)); r.Status != http.StatusOK {
		t.Errorf("%d", r.Status)
	}
	visitor := p.browser("standard")
	own := fmt.Sprintf(`<noscript><p><a href="/%d/`, id)
	for _, path := range []string{"/", "/minuta", "/category/politika", "/1/article-false-0"} {
		r := visitor.get(fmt.Sprintf("%s?video-komentar=%d&data=2026-11-21", path, id))
		if r.Status != http.StatusOK || !strings.Contains(r.Body, own) ||
			!strings.Contains(r.Body, fmt.Sprintf(`"video":{"id":%d`, id)) {
			t.Errorf("%s: %d, and no way to the video", path, r.Status)
		}
		for _, other := range []string{
			"", "?video-komentar=1", "?video-komentar=99999", "?video-komentar=x",
			"?video-komentar=-1",
		} {
			if r := visitor.get(path + other); r.Status != http.StatusOK || strings.Contains(r.Body, "<noscript><p><a") ||
				strings.Contains(r.Body, `"video":{"id"`) {
				t.Errorf("%s%s: %d, or something laid over it", path, other, r.Status)
			}
		}
	}
	ed, _ := p.app.registry.Get("standard")
	if _, _, err := p.app.content.SavePost(edition.With(t.Context(), ed), content.Draft{
		ID: id, Type: post.TypeVideo, Status: post.StatusPublished, Title: "A comment",
		Body: "<p>On what happened.</p>", Locked: true,
		Video: content.Video{URL: "https://youtu.be/abcdefghijk", Seconds: 95},
	}); err != nil {
		t.Fatal(err)
	}
	until(t, "a locked video is shown on its own page", func() bool {
		r := visitor.get(fmt.Sprintf("/minuta?video-komentar=%d", id))
		return r.Status == http.StatusFound && strings.HasPrefix(r.Header.Get("Location"), fmt.Sprintf("/%d/", id))
	})
	if got := opened(); len(got) != 1 || got[0] != id {
		t.Errorf("recorded %v, not %d", got, id)
	}
}

// A plain form that is refused comes back as it was left: the address that was typed, and the way back.
func TestRefusedFormKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	p := sharedApp(t)
	b := p.browser("standard")
	const way = "/account?product_type=product_yearly"
	r := b.form("/fns/user-login", url.Values{"email": {"jana at example"}, "type": {"registration"}, "referrer": {way}})
	to := r.Header.Get("Location")
	if r.Status != http.StatusSeeOther || strings.Contains(to, "jana") {
		t.Fatalf("%d %s", r.Status, to)
	}
	again := b.get(to)
	for _, want := range []string{`value="jana at example"`, `name="referrer" value="` + way + `"`} {
		if again.Status != http.StatusOK || !strings.Contains(again.Body, want) {
			t.Errorf("%d, without %s", again.Status, want)
		}
	}
	if !strings.Contains(again.Header.Get("Cache-Control"), "no-store") {
		t.Error("a page with what somebody has typed may be kept: " + again.Header.Get("Cache-Control"))
	}
	if other := p.browser("standard").get(to); strings.Contains(other.Body, "jana") {
		t.Error("another browser sees what was typed")
	}
}

// An invited reader registers where nobody else can, and has the trial that the edition promises.
func TestInvitedReader(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	text := strings.NewReplacer("registration: open", "registration: invite", "for: campaign", "for: invited").
		Replace(string(mustRead(t, editedDocument(t, "amount: 8900", "amount: 8900"))))
	if _, err := p.app.registry.ApplyText(t.Context(), "standard.yaml", []byte(text)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		says string
		err  string
	}{
		{[]string{"--edition", "standard", "guest@example.org", "other@"}, "", `nobody was invited: "other@" is no address`},
		{[]string{"guest@example.org"}, "", "name the edition"},
		{[]string{"--edition", "nowhere", "guest@example.org"}, "", `no edition "nowhere"`},
		{[]string{"--edition", "standard"}, "", "requires at least 1 arg"},
		{[]string{"--edition", "standard", "Guest@Example.org"}, "guest@example.org is invited\n", ""},
		{[]string{"--edition", "standard", "guest@example.org"}, "guest@example.org is already invited\n", ""},
		{[]string{"--edition", "standard_at", "guest@example.org"}, "lets everybody register", ""},
	} {
		out, err := p.command(append([]string{"reader", "invite"}, c.args...)...)
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) ||
			!strings.Contains(out, c.says) {
			t.Errorf("%v: %q, %v", c.args, out, err)
		}
	}
	b := p.browser("standard")
	p.signIn(b, "guest@example.org")
	var me struct {
		Trial      bool  `json:"has_trial"`
		Expiration int64 `json:"expiration"`
	}
	if b.get("/user/me/").json(t, &me); !me.Trial || me.Expiration <= time.Now().Unix() {
		t.Errorf("%+v", me)
	}
}

// Whoever was promised a trial by a command or asked for an offer of a campaign has it with the first login.
func TestPromisedReader(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	file := filepath.Join(t.TempDir(), "addresses.txt")
	if err := os.WriteFile(file, []byte("\ufeff# the fair\n\nFair@Example.org\r\nfair@example.org\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	why := []string{"--edition", "standard", "--reason", "the fair"}
	for _, c := range []struct {
		args []string
		says string
		err  string
	}{
		{[]string{"--edition", "standard", "fair@example.org"}, "", "say why"},
		{append(why, "fair@example.org", "other@"), "", `nobody was promised anything: "other@" is no address`},
		{append(why, "fair@example.org", "--file", file), "", "name addresses, or a file"},
		{why, "", "name addresses, or a file"},
		{append(why, "--file", os.DevNull), "", "holds no address"},
		{[]string{"--reason", "the fair", "fair@example.org"}, "", "name the edition"},
		{append(why, "--dry-run", "--file", file), "fair@example.org is promised a trial\n", ""},
		{append(why, "--file", file), "fair@example.org is promised a trial\n", ""},
		{append(why, "fair@example.org"), "fair@example.org is already promised a trial\n", ""},
	} {
		out, err := p.command(append([]string{"reader", "promise"}, c.args...)...)
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) ||
			!strings.Contains(out, c.says) {
			t.Errorf("%v: %q, %v", c.args, out, err)
		}
	}
	ed, _ := p.app.registry.Get("standard")
	if n := queryNumber(edition.With(t.Context(), ed), t, p.app.DB, "SELECT count(*) FROM identity_audit WHERE action = "+
		"'promise' AND reason = 'the fair' AND detail = '1 addresses'"); n != 2 {
		t.Errorf("%d rows in the audit log", n)
	}
	asks := p.browser("standard")
	if r := asks.post("/fns/stripe-quest-payment",
		map[string]any{"user_email": "campaign@example.org", "product_type": "product_yearly"}); r.Status != http.StatusOK {
		t.Fatal(r.Status, r.Body)
	}
	login, err := p.mail.Wait(t.Context(), func(m mailbox.Message) bool {
		return slices.Contains(m.To, "campaign@example.org") && m.Code != ""
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := asks.post("/api/login-code-validation",
		map[string]string{"email": "campaign@example.org", "code": login.Code}); r.Status != http.StatusOK {
		t.Fatal(r.Status, r.Body)
	}
	for address, want := range map[string]bool{
		"fair@example.org": true, "campaign@example.org": true,
		"nobody@example.org": false,
	} {
		b := asks
		if address != "campaign@example.org" {
			b = p.browser("standard")
			p.signIn(b, address)
		}
		var me struct {
			Trial bool `json:"has_trial"`
		}
		if b.get("/user/me/").json(t, &me); me.Trial != want {
			t.Errorf("%s: a trial: %t", address, me.Trial)
		}
	}
}

func mustRead(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// An edition speaks the language of its document, unless the environment names another one.
func TestLocaleOfTheEnvironment(t *testing.T) {
	for _, c := range []struct{ env, at, words string }{{"", "de", "Anmelden"}, {"sk", "sk", "Prihlásiť sa"}} {
		t.Run("ENV_LOCALE="+c.env, func(t *testing.T) {
			t.Setenv("ENV_LOCALE", c.env)
			b := startApp(t).browser("standard_at")
			var vars map[string]string
			if b.get("/api/env-vars").json(t, &vars); len(vars) != 2 || vars["ENV_HOST"] != "standard_at" ||
				vars["ENV_LOCALE"] != c.at {
				t.Errorf("%v", vars)
			}
			if r := b.get("/account/login"); !strings.Contains(r.Body, c.words) ||
				!strings.Contains(r.Body, `<html lang="`+c.at) {
				t.Errorf("%d, without %q: %.300s", r.Status, c.words, r.Body)
			}
		})
	}
	t.Setenv("ENV_LOCALE", "hu")
	if _, err := config.Load(""); err == nil || !strings.Contains(err.Error(), "ENV_LOCALE: locale: \"hu\" is none of") {
		t.Errorf("a language without words: %v", err)
	}
}

// A redirect keeps the query that the visitor came with, but for what has become part of the address it leads to.
func TestRedirectsKeepTheQuery(t *testing.T) {
	t.Parallel()
	p := sharedApp(t)
	reader := p.browser("standard")
	p.signIn(reader, "redirected@example.org")
	for path, want := range map[string]string{
		"/account/login?status=PAYMENT_SUCCESS&utm_source=letter&referrer=%2Fa": "/?status=PAYMENT_SUCCESS&" +
			"utm_source=letter&referrer=%2Fa",
		"/search?q=vl%C3%A1da":                              "/search/vl%C3%A1da",
		"/search?utm_source=letter&q=vl%C3%A1da&utm_term=q": "/search/vl%C3%A1da?utm_source=letter&utm_term=q",
		"/?s=vl%C3%A1da&utm_source=letter":                  "/search/vl%C3%A1da?utm_source=letter",
		"/account/login/?utm_source=letter":                 "/account/login?utm_source=letter",
	} {
		if r := reader.get(path); r.Header.Get("Location") != want {
			t.Errorf("%s: %d to %q, want %q", path, r.Status, r.Header.Get("Location"), want)
		}
		var data struct {
			Redirect string `json:"redirect"`
		}
		if reader.get("/api/page?url="+url.QueryEscape(path)).json(t, &data); data.Redirect != want {
			t.Errorf("the data of %s: to %q, want %q", path, data.Redirect, want)
		}
	}
}
