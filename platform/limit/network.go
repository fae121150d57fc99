package limit

import "net/netip"

// A provider gives one customer an IPv6 /64 at least, and many a /56 or a /48, whose networks cost nothing to change
// between. So what a /48 does together is bounded too, by sitesWorth budgets of a network: there may be several
// customers in it.
const (
	networkBits = 64
	siteBits    = 48
	sitesWorth  = 5
)

// Network is the part of an address that one customer of a provider holds: an IPv4
// address, or an IPv6 /64.
func Network(ip string) string {
	a, err := netip.ParseAddr(ip)
	if err != nil {
		return ip
	}
	a = a.Unmap()
	if a.Is4() {
		return a.String()
	}
	p, err := a.Prefix(networkBits)
	if err != nil {
		return a.String()
	}
	return p.String()
}

// siteOf is the /48 that a Network of IPv6 lies in; false for every other key.
func siteOf(key string) (string, bool) {
	p, err := netip.ParsePrefix(key)
	if err != nil || p.Bits() != networkBits || p.Addr().Is4() {
		return "", false
	}
	site, err := p.Addr().Prefix(siteBits)
	return site.String(), err == nil
}
