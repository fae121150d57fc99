package web

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxLocalPath bounds what is kept of an address that somebody came from.
const maxLocalPath = 2048

// callPrefixes are addresses of calls, not of pages: a GET there is no place to send a reader to.
var callPrefixes = []string{"/api/", "/content/", "/fns/", "/wp-json/", "/user/", "/_dev/"}

// IsCall reports whether a path is where calls are, and no page.
func IsCall(path string) bool {
	return slices.ContainsFunc(callPrefixes, func(prefix string) bool { return strings.HasPrefix(path+"/", prefix) })
}

// LocalPath returns s as a path with query on the own host, without its fragment, or "/" for anything that a
// browser could read as another site's address, as a script or as a call.
func LocalPath(s string) string {
	const home = "/"
	if !strings.HasPrefix(s, "/") || strings.HasPrefix(s, "//") || len(s) > maxLocalPath || !utf8.ValidString(s) {
		return home
	}
	s, _, _ = strings.Cut(s, "#")
	// Browsers read a backslash as a slash, and drop tabs and line breaks from an address.
	if strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r == '\\' || r == 0x7f || (r >= 0x80 && r < 0xa0)
	}) {
		return home
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" {
		return home
	}
	// u.Path is decoded once; what is still encoded then is decoded again by a careless proxy.
	for p, rounds := u.Path, 0; ; rounds++ {
		if !plainPath(p) || rounds == 3 {
			return home
		}
		next, err := url.PathUnescape(p)
		if err != nil || next == p {
			break
		}
		p = next
	}
	if IsCall(u.Path) {
		return home
	}
	return u.EscapedPath() + query(u)
}

func query(u *url.URL) string {
	if u.RawQuery == "" {
		return ""
	}
	return "?" + u.RawQuery
}

// plainPath wants no empty or dotted segment, no backslash and no control character.
func plainPath(p string) bool {
	if strings.Contains(p, "//") || strings.ContainsFunc(p, func(r rune) bool {
		return r < ' ' || r == '\\' || r == 0x7f || (r >= 0x80 && r < 0xa0)
	}) {
		return false
	}
	for s := range strings.SplitSeq(p, "/") {
		if s == "." || s == ".." {
			return false
		}
	}
	return true
}

// WithStatus puts ?status=CODE, and further pairs of name and value, onto a local path.
func WithStatus(path, code string, pairs ...string) string {
	base, rest, _ := strings.Cut(path, "?")
	q, err := url.ParseQuery(rest)
	if err != nil {
		q = url.Values{}
	}
	q.Set("status", code)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	return base + "?" + q.Encode()
}
