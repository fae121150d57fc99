package web

import (
	"context"
	"net/netip"

	"github.com/cespare/xxhash/v2"
)

// networkOf is a number for the network of an address, to count visitors by. A browser has a whole IPv6 /48 at home.
func networkOf(ip netip.Addr) uint64 {
	ip = ip.Unmap()
	if p, err := ip.Prefix(48); err == nil && ip.Is6() {
		ip = p.Addr()
	}
	bytes := ip.As16()
	return max(xxhash.Sum64(bytes[:]), 1)
}

// Visitor is a number that tells networks apart, the same in every process: good for counting each so often and for
// nothing else, and kept nowhere. 0 is a machine, or nobody's request.
func Visitor(ctx context.Context) uint64 {
	r, ok := ctx.Value(requestKey{}).(*request)
	switch {
	case !ok:
		return 0
	case r.from == nil:
		return r.visitor
	case IsBot(r.from.UserAgent()):
		return 0
	}
	ip := r.clientIP(r.from)
	if !ip.IsValid() {
		return 0
	}
	return networkOf(ip)
}

// WithVisitor returns a context in which that visitor asks.
func WithVisitor(ctx context.Context, n uint64) context.Context {
	return context.WithValue(ctx, requestKey{}, &request{visitor: n})
}
