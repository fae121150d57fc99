package web_test

import (
	"net/url"
	"strings"
	"testing"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

func TestLogPath(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"/":                                       "/",
		"/a?b=c":                                  "/a?b=c",
		"/user/me/?user_hash=abc":                 "/user/me/?user_hash=-",
		"/x?User_Hash=abc&page=2":                 "/x?User_Hash=-&page=2",
		"/api/page?url=/x?code=123456":            "/api/page?url=-",
		"/security-check%23hash=abc":              "/security-check#-",
		"/security-check%2523hash=abc":            "/security-check#-",
		"/account/gift?card=1.abc":                "/account/gift?card=-",
		"/account/coupon?wish=1.abc&done=1":       "/account/coupon?done=1&wish=-",
		"/account/withdrawal?statement=1.abc":     "/account/withdrawal?statement=-",
		"/search/eva@reader.test":                 "/search/-@-",
		"/search/eva%40reader.test":               "/search/-@-",
		"/search/eva%2540reader.test":             "/search/-@-",
		"/x?q=eva@reader.test&p=1":                "/x?p=1&q=-@-",
		"/x?q=eva%40reader.test":                  "/x?q=-@-",
		"/x?q=eva%2540reader.test":                "/x?q=-@-",
		"/x?next=/account/login?email=eva%40r.de": "/x?next=-@-",
		"/40/40-years@home":                       "/40/40-years@home",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := web.LogPath(t.Context(), u); got != want {
			t.Errorf("%s is logged as %s, want %s", address, got, want)
		}
	}
}

// A login link that a mail gateway has mangled is logged without its secret, in each edition's words for its page; so
// is a secret that nothing names.
func TestMangledLinksAreNotLogged(t *testing.T) {
	t.Parallel()
	const secret = "q7Zs0-PxVb_3fTgNw2mKcYhLdEaRj8uXo4iB6vQk1Ss"
	for n := range testkit.MaxEditions {
		doc := testkit.Document(n)
		if n == 1 {
			doc.Paths = map[string]string{"securityCheck": "/anmeldung-pruefen"}
		}
		ed, err := edition.New(doc, "https://{host}")
		if err != nil {
			t.Fatal(err)
		}
		ctx, page := edition.With(t.Context(), ed), ed.Href(edition.SecurityCheck)
		for _, mangled := range []string{
			"%23hash=", "%2523hash=", "%3Fhash=", "%253Fhash=", "?hash=", "&hash=", ";hash=", "/hash=", "/", ".", "=",
			"%20hash=", "%26hash%3D", "/?x=", "?",
		} {
			u, err := url.Parse(page + mangled + secret)
			if err != nil {
				t.Fatal(err)
			}
			if got := web.LogPath(ctx, u); strings.Contains(got, secret[:12]) || !strings.HasPrefix(got, page) {
				t.Errorf("%s is logged as %s", u, got)
			}
		}
		u := &url.URL{Path: strings.ToUpper(page) + "&hash=" + secret}
		if got := web.LogPath(ctx, u); got != page+"#-" {
			t.Errorf("%s is logged as %s", u, got)
		}
		for _, whole := range []string{page, page + "/"} {
			if got := web.LogPath(ctx, &url.URL{Path: whole}); got != whole {
				t.Errorf("%s is logged as %s", whole, got)
			}
		}
	}
	for text, want := range map[string]string{
		"TypeError at " + secret + ":1":                       "TypeError at -:1",
		"(" + secret + ")":                                    "(-)",
		"/17/a-long-name-of-an-article-in-small-letters-2026": "/17/a-long-name-of-an-article-in-small-letters-2026",
		"TOO_MANY_THINGS_WENT_WRONG_WITH_THIS_PAGE":           "TOO_MANY_THINGS_WENT_WRONG_WITH_THIS_PAGE",
		"index-Cx9_dQ2a.js":                                   "index-Cx9_dQ2a.js",
	} {
		if got := web.Redact(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestTruncateIP(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"192.0.2.77": "192.0.2.0/24", "::ffff:192.0.2.77": "192.0.2.0/24", "2001:db8:1:2::3": "2001:db8:1::/48",
		"": "", "x": "",
	} {
		if got := web.TruncateIP(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
