package pages

import (
	"context"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/time/rate"

	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/session"
)

// How many pages one network, or one reader, may have rendered: so many at once, and so many a second from then on.
// What is kept in memory costs nothing and is not counted, so a carrier that has thousands behind one address stays far
// below it.
const (
	rendersAtOnce  = 240
	rendersASecond = 4
	rendersKnown   = 50_000 // networks and readers that are remembered
)

// renders counts what was rendered for whom. A process has its own: what it protects is this process's one engine.
type renders struct {
	once sync.Once
	of   *otter.Cache[string, *rate.Limiter]
}

// limiter is the budget of whoever asks; nil for this machine itself, which is also what a proxy looks like that
// nothing is known of.
func (r *renders) limiter(ctx context.Context, editionID, ip string) *rate.Limiter {
	key := limit.Network(ip)
	if id := session.ReaderID(ctx); id != 0 {
		key = "reader " + editionID + " " + strconv.FormatInt(id, 10)
	} else if a, err := netip.ParseAddr(ip); err != nil || a.Unmap().IsLoopback() {
		return nil
	}
	r.once.Do(func() {
		r.of = otter.Must(&otter.Options[string, *rate.Limiter]{
			MaximumSize:      rendersKnown,
			ExpiryCalculator: otter.ExpiryAccessing[string, *rate.Limiter](rendersAtOnce / rendersASecond * time.Second),
		})
	})
	l, _ := r.of.ComputeIfAbsent(key, func() (*rate.Limiter, bool) {
		return rate.NewLimiter(rendersASecond, rendersAtOnce), false
	})
	return l
}
