package app

import (
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
)

// operatorHosts are the names by which operators reach their listener. A request by any other name may come from a page
// in an operator's browser whose own name was made to lead here (DNS rebinding): such a page could read the answers.
type operatorHosts []string

func newOperatorHosts(address string, named []string) operatorHosts {
	names := operatorHosts{"localhost"}
	if host, _, err := net.SplitHostPort(address); err == nil {
		names = append(names, host)
	}
	if machine, err := os.Hostname(); err == nil {
		names = append(names, machine)
	}
	for _, n := range named {
		names = append(names, strings.ToLower(strings.TrimSuffix(n, ".")))
	}
	return names
}

// allows reports whether the Host of a request is one of the names, a name of this machine, or an IP address, which no
// other name can be made to look like.
func (o operatorHosts) allows(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	return slices.Contains(o, host) || strings.HasSuffix(host, ".localhost")
}

// guard answers 421 to requests by other names, except those that ask how the process is: a balancer may ask by any.
func (o operatorHosts) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if health := r.URL.Path == "/livez" || r.URL.Path == "/readyz"; !health && !o.allows(r.Host) {
			http.Error(w, "this listener has no such host; BROADSHEET_WEB_ADMIN_HOSTS names more", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}
