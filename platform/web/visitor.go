package web

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"net/http"
	"net/netip"
	"strings"
)

// visitor is a number for the network that asks, to count visitors by; 0 for machines. A browser can call itself what
// it likes, and has a whole IPv6 /48 at home.
func visitor(r *http.Request, ip string) uint64 {
	if IsBot(r) {
		return 0
	}
	if a, err := netip.ParseAddr(ip); err == nil {
		a = a.Unmap().WithZone("")
		ip = a.String()
		if p, err := a.Prefix(48); err == nil && a.Is6() {
			ip = p.String()
		}
	}
	sum := sha256.Sum256([]byte("visitor " + ip))
	return max(binary.BigEndian.Uint64(sum[:]), 1)
}

// Visitor is a number that tells networks apart, the same in every process: good for counting each so often and for
// nothing else, and kept nowhere. 0 is a machine, or nobody's request.
func Visitor(ctx context.Context) uint64 {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		return r.visitor
	}
	return 0
}

// WithVisitor returns a context in which that visitor asks.
func WithVisitor(ctx context.Context, n uint64) context.Context {
	return context.WithValue(ctx, requestKey{}, &request{visitor: n})
}

// machines are what programs that read pages by themselves call themselves.
var machines = []string{
	"bot", "crawl", "spider", "slurp", "preview", "fetch", "scan", "monitor", "headless", "lighthouse",
	"facebookexternalhit", "curl/", "wget/",
	"python", "go-http", "java/", "okhttp", "axios", "node", "ruby", "perl", "libwww", "apache-http", "feed",
	"scrapy", "phantom",
}

// IsBot reports whether a request comes from a program that reads pages by itself and says so.
func IsBot(r *http.Request) bool {
	agent := strings.ToLower(r.UserAgent())
	if agent == "" {
		return true
	}
	for _, m := range machines {
		if strings.Contains(agent, m) {
			return true
		}
	}
	return false
}
