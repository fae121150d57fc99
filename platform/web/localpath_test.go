package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"example.org/broadsheet/platform/web"
)

// elsewhere are addresses that have led browsers off a site, or into a script.
var elsewhere = []string{
	"", " ", "x", "//", "//?x", "//evil.example", "///evil.example", "////evil.example//", `/\evil.example`,
	`\/evil.example`, `\\evil.example`,
	"/%5cevil.example", "/%5Cevil.example", "/%255cevil.example", "/%2f/evil.example", "/%2Fevil.example",
	"/%252fevil.example",
	"/\t/evil.example", "/\n/evil.example", "/\r\n/evil.example", "/%09/evil.example", "/%0a/evil.example",
	"/%0d%0aLocation:x",
	"/a/..//evil.example", "/a/../..//evil.example", "/./evil.example", "/.//evil.example", "/..//evil.example",
	"/%2e%2e//evil.example",
	"/a/%2e%2e/%2fevil.example", "javascript:alert(1)", "/javascript:alert(1)\n", "JaVaScRiPt:alert(1)",
	"data:text/html,x",
	"https://evil.example", "http:evil.example", "https:/evil.example", "https:evil.example", "//evil.example@sk.test/",
	"/\x00/evil.example",
	"/ /evil.example", "/\u2028\n", "/%00", "/%7f", "?x", "#x", "@evil.example", ".evil.example", "/%zz",
	"/wp-json/standard/v1/remove-user-subscription-cookie/?is_logout=true", "/api/logout", "/fns/user-login",
	"/user/me/", "/_dev/mail",
	"/" + strings.Repeat("a", 2100),
}

func TestLocalPathLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	for _, s := range elsewhere {
		if got := web.LocalPath(s); got != "/" {
			t.Errorf("LocalPath(%q) = %q", s, got)
		}
	}
}

func TestLocalPathKeepsPages(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"/": "/", "/1234/clanok": "/1234/clanok", "/category/politika?x=1&y=a%26b": "/category/politika?x=1&y=a%26b",
		"/search/%C4%8Daj": "/search/%C4%8Daj", "/search/čaj": "/search/%C4%8Daj", "/a#b": "/a",
		"/a?next=https://x.example": "/a?next=https://x.example",
		"/100%25":                   "/100%25", "/usermanual": "/usermanual",
	} {
		if got := web.LocalPath(s); got != want {
			t.Errorf("LocalPath(%q) = %q, want %q", s, got, want)
		}
	}
}

func FuzzLocalPath(f *testing.F) {
	for _, s := range append(elsewhere, "/a/b?c=d#e", "/search/%C4%8Daj") {
		f.Add(s)
	}
	origin := &url.URL{Scheme: "https", Host: "sk.test", Path: "/account/login"}
	f.Fuzz(func(t *testing.T, s string) {
		got := web.LocalPath(s)
		if !strings.HasPrefix(got, "/") || strings.HasPrefix(got, "//") || strings.ContainsAny(got, "\\\r\n\t#") {
			t.Fatalf("LocalPath(%q) = %q", s, got)
		}
		u, err := url.Parse(got)
		if err != nil {
			t.Fatalf("LocalPath(%q) = %q: %v", s, got, err)
		}
		if to := origin.ResolveReference(u); to.Host != origin.Host || to.Scheme != origin.Scheme {
			t.Fatalf("LocalPath(%q) leads to %s", s, to)
		}
		if again := web.LocalPath(got); again != got {
			t.Fatalf("LocalPath(%q) = %q, and again %q", s, got, again)
		}
	})
}

func TestWithStatus(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, want string }{
		{"/", "/?email=a%40b.example&status=INVALID_CODE"},
		{"/account/sent?type=x&status=OLD", "/account/sent?email=a%40b.example&status=INVALID_CODE&type=x"},
	} {
		if got := web.WithStatus(c.path, "INVALID_CODE", "email", "a@b.example", "empty", ""); got != c.want {
			t.Errorf("%s: %s", c.path, got)
		}
	}
}

func TestAgentNamesFamiliesAlone(t *testing.T) {
	t.Parallel()
	for ua, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0": "Firefox, Linux",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 " +
			"Edg/140.0.0": "Edge, Windows",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 " +
			"Mobile Safari": "Safari, iOS",
		"Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36": "Chrome, Android",
		"curl/8.0": "", "": "",
	} {
		if got := web.Agent(&http.Request{Header: http.Header{"User-Agent": {ua}}}); got != want {
			t.Errorf("%q: %q, want %q", ua, got, want)
		}
	}
}
