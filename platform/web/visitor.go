package web

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
)

// networkOf is a number for the network of an address, to count visitors by. A browser has a whole IPv6 /48 at home.
func networkOf(ip string) uint64 {
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
	r, ok := ctx.Value(requestKey{}).(*request)
	switch {
	case !ok:
		return 0
	case r.visitor == 0 && r.ip != "" && !IsBot(r.agent):
		return networkOf(r.ip)
	}
	return r.visitor
}

// WithVisitor returns a context in which that visitor asks.
func WithVisitor(ctx context.Context, n uint64) context.Context {
	return context.WithValue(ctx, requestKey{}, &request{visitor: n})
}
