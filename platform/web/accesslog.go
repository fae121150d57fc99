package web

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/paper/edition"
)

// secret names query parameters whose values never reach a log.
var secret = map[string]bool{
	"user_hash": true, "hash": true, "code": true, "email": true, "token": true, "session_id": true, "user_token": true,
	"card": true, "wish": true, "statement": true, "document_key": true, "slip": true,
}

// AccessMessage is the message of the lines that AccessLog writes.
const AccessMessage = "request"

// sampleOf is how many requests there are to one that a sampled log shows.
const sampleOf = 100

// LogPath is an address without its secrets and without addresses of people. Mail gateways mangle login links in many
// ways, so of an address that begins as those of the edition of ctx nothing else is kept.
func LogPath(ctx context.Context, u *url.URL) string {
	p := u.Path
	if ed, err := edition.From(ctx); err == nil {
		p = cutAfter(p, ed.Href(edition.SecurityCheck))
	}
	p = strings.ReplaceAll(p, "%23", "#")
	// Mail gateways turn the fragment of a login link into a path, encoded once or twice.
	if i := strings.Index(p, "#"); i >= 0 {
		p = p[:i] + "#-"
	}
	if u.RawQuery != "" {
		q := u.Query()
		for name, values := range q {
			if !secret[strings.ToLower(name)] && !strings.EqualFold(name, "url") && !strings.EqualFold(name, "referrer") {
				continue
			}
			for i := range values {
				values[i] = "-"
			}
		}
		p += "?" + q.Encode()
	}
	return Redact(p)
}

// cutAfter keeps of a path that begins with page, and goes on, no more than page.
func cutAfter(p, page string) string {
	if len(p) > len(page) && strings.EqualFold(p[:len(page)], page) && p[len(page):] != "/" {
		return page + "#-"
	}
	return p
}

// ClientIP finds the address of who sent a request, as far as trusted proxies name it. Where none does, it is that of
// the connection, and gin need not be asked. A request without an address gives the zero Addr.
func ClientIP(e *gin.Engine) func(*http.Request) netip.Addr {
	return func(r *http.Request) netip.Addr {
		if ap, err := netip.ParseAddrPort(r.RemoteAddr); err == nil && !namesClient(e, r) {
			return ap.Addr()
		}
		c := gin.CreateTestContextOnly(nil, e)
		c.Request = r
		ip, _ := netip.ParseAddr(c.ClientIP())
		return ip
	}
}

// namesClient reports whether a request says who sent it to a proxy.
func namesClient(e *gin.Engine, r *http.Request) bool {
	return e.TrustedPlatform != "" ||
		slices.ContainsFunc(e.RemoteIPHeaders, func(name string) bool { return r.Header.Get(name) != "" })
}

// TrustsProxy reports whether a request comes from an address that may name its client.
func TrustsProxy(e *gin.Engine, trusted []string) func(*http.Request) bool {
	if len(trusted) == 0 {
		return func(*http.Request) bool { return false }
	}
	return func(r *http.Request) bool {
		c := gin.CreateTestContextOnly(nil, e)
		c.Request = r
		return c.ClientIP() != c.RemoteIP()
	}
}
