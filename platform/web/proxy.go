package web

import (
	"log/slog"
	"net/netip"
	"slices"
	"sync"

	"github.com/gin-gonic/gin"
)

// untrustedMost bounds how many addresses are warned about: anybody may send the header.
const untrustedMost = 16

// UntrustedProxies warns, once for each address, when a request says whom it was passed on for and comes from an
// address that is not trusted to say so. Behind such a proxy all readers are one network, and share one budget of
// emails.
func UntrustedProxies(trusted []string, log *slog.Logger) gin.HandlerFunc {
	networks := make([]netip.Prefix, 0, len(trusted))
	for _, t := range trusted { // validated with the settings
		if n, err := netip.ParsePrefix(t); err == nil {
			networks = append(networks, n)
		} else if a, err := netip.ParseAddr(t); err == nil {
			networks = append(networks, netip.PrefixFrom(a, a.BitLen()))
		}
	}
	var mu sync.Mutex
	warned := map[netip.Addr]bool{}
	first := func(a netip.Addr) bool {
		mu.Lock()
		defer mu.Unlock()
		if warned[a] || len(warned) == untrustedMost {
			return false
		}
		warned[a] = true
		return true
	}
	return func(c *gin.Context) {
		if c.GetHeader("X-Forwarded-For") == "" {
			return
		}
		a, err := netip.ParseAddr(c.RemoteIP())
		if err != nil {
			return
		}
		a = a.Unmap()
		if !slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(a) }) && first(a) {
			log.Warn("X-Forwarded-For comes from an address that is not trusted, so all its readers count as one; "+
				"if it is your proxy, name it in BROADSHEET_WEB_TRUSTED_PROXIES", "address", a.String())
		}
	}
}
