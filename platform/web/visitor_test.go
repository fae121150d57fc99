package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

// Visitors are counted by their network: neither another browser nor another address of the same line is another one.
func TestVisitorsAreNetworks(t *testing.T) {
	t.Parallel()
	of := func(ip, agent string) uint64 {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("User-Agent", agent)
		clientIP := func(*http.Request) netip.Addr { return netip.MustParseAddr(ip) }
		return Visitor(context.WithValue(t.Context(), requestKey{}, &request{from: r, clientIP: clientIP}))
	}
	const one, two = "Mozilla/5.0 (X11; Linux)", "Mozilla/5.0 (iPhone)"
	if of("192.0.2.1", one) != of("192.0.2.1", two) || of("192.0.2.1", one) != of("::ffff:192.0.2.1", one) {
		t.Error("a network is counted by what its browser calls itself")
	}
	if of("2001:db8:1:2::3", one) != of("2001:db8:1:ffff::9", two) {
		t.Error("a line is counted by its /64")
	}
	for _, other := range []string{"192.0.2.2", "2001:db8:2::1"} {
		if of("192.0.2.1", one) == of(other, one) || of("2001:db8:1::1", one) == of(other, one) {
			t.Errorf("%s is no other network", other)
		}
	}
	if of("192.0.2.1", "curl/8") != 0 || of("192.0.2.1", "") != 0 {
		t.Error("a program is counted")
	}
}
