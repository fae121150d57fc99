package config

import (
	"fmt"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
)

// LiveKey reports whether a key is of the real payment provider, where it moves money.
func LiveKey(key string) bool {
	return strings.HasPrefix(key, "sk_live_") || strings.HasPrefix(key, "rk_live_")
}

// adviseOnFile warns of a file with a secret that every user of the machine may read or change.
func adviseOnFile(name, file string) []string {
	found, err := os.Stat(file)
	if err != nil || found.Mode().Perm()&0o006 == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s: everybody on this machine may read or change %s (mode %04o): chmod 0600", name, file,
		found.Mode().Perm())}
}

// Simulated reports whether payments go elsewhere than to the provider's own address.
func (c *Config) Simulated() bool { return c.Stripe.APIBase != "" }

// Advice lists settings that are allowed and probably a mistake, and files of secrets that other users can read. It
// names no key.
func (c *Config) Advice() []string { return slices.Concat(c.openFiles, c.Dangers(), c.SharedKeys()) }

// Dangers lists settings that are allowed and probably a mistake.
func (c *Config) Dangers() (list []string) {
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if u, err := url.Parse(c.Stripe.APIBase); c.Simulated() && err == nil {
		add("stripe.api_base: payments go to %s and not to the provider; a simulator takes no money", u.Host)
	}
	for _, p := range c.Web.TrustedProxies {
		if n, err := netip.ParsePrefix(p); err == nil && isMostOfTheInternet(n) {
			add("web.trusted_proxies: %s is most of the internet, so every visitor can claim any address and has no limits; "+
				"name the proxies", p)
		}
	}
	if host, _, err := net.SplitHostPort(c.Web.Admin); err == nil && !isPrivate(host) {
		add("web.admin: %s can be reached from other networks, and asks for no password: it shows profiles and drops jobs",
			c.Web.Admin)
	}
	u, err := url.Parse(strings.ReplaceAll(c.Web.PublicURL, "{host}", "host"))
	if err == nil && u.Scheme == "http" && !strings.HasSuffix(u.Hostname(), ".localhost") && !isPrivate(u.Hostname()) {
		add("web.public_url: %s is not encrypted, and the cookies of sessions are sent without Secure", c.Web.PublicURL)
	}
	return list
}

// isMostOfTheInternet reports whether a network is wider than any that one operator has.
func isMostOfTheInternet(n netip.Prefix) bool {
	if a := n.Addr(); a.Is4In6() && n.Bits() >= 96 {
		n = netip.PrefixFrom(a.Unmap(), n.Bits()-96)
	}
	widest := 8
	if n.Addr().Is6() {
		widest = 7 // fc00::/7, all private networks
	}
	return n.Bits() < widest
}

// isPrivate reports whether an address is of this machine or of a private network. Names are, if they say so.
func isPrivate(host string) bool {
	a, err := netip.ParseAddr(host)
	if err != nil {
		return host == "localhost"
	}
	a = a.Unmap()
	return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast()
}

// SharedKeys names the editions that have a key at the payment provider in common: messages and money of one would be
// taken for the other's.
func (c *Config) SharedKeys() (list []string) {
	for _, kind := range []struct {
		name string
		of   func(Keys) string
	}{
		{"secret_key", func(k Keys) string { return k.SecretKey }},
		{"webhook_secret", func(k Keys) string { return k.WebhookSecret }},
	} {
		owners := map[string]string{}
		for _, id := range slices.Sorted(maps.Keys(c.Stripe.Keys)) {
			key := kind.of(c.Stripe.Keys[id])
			if first := owners[key]; first != "" && key != "" {
				list = append(list, fmt.Sprintf("stripe.keys: %s and %s have the same %s; give each the one of its own account",
					first, id, kind.name))
				continue
			}
			owners[key] = id
		}
	}
	return list
}
