package web_test

import (
	"net/url"
	"testing"

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
		if got := web.LogPath(u); got != want {
			t.Errorf("%s is logged as %s, want %s", address, got, want)
		}
	}
}

func TestTruncateIP(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"192.0.2.77": "192.0.2.0/24", "::ffff:192.0.2.77": "192.0.2.0/24", "2001:db8:1:2::3": "2001:db8:1::/48", "": "", "x": "",
	} {
		if got := web.TruncateIP(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
