package pages

import (
	"context"
	"time"

	"example.org/broadsheet/platform/lazytimeout"
	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

func (v visit) key(tier page.Tier, variant string) pagecache.Key {
	return pagecache.Key{Edition: v.ed.ID, Path: v.req.Path, Query: v.query, Tier: string(tier), Variant: variant}
}

// tier says which tier the visitor gets. Whoever has a subscription gets the page of those who have one, also where
// nothing on it is locked: it offers no subscription and marks nothing as locked.
func (s *Server) tier(ctx context.Context, v visit) (tier page.Tier, err error) {
	if decided, ok, err := web.DecidedTier(ctx, v.req.Path, v.query); ok {
		return page.Tier(decided), err
	}
	reader := session.ReaderID(ctx)
	switch {
	case v.source.Tier != nil:
		tier, err = v.source.Tier(ctx, v.req)
		if err != nil && reader == 0 {
			return page.Anonymous, nil // there is no lower one: what everybody may see is shown while it is there
		}
	case reader != 0:
		tier = page.Member
	default:
		tier = page.Anonymous
	}
	if err == nil && tier == page.Member && s.subscribed(ctx, reader) {
		tier = page.Entitled
	}
	return tier, err
}

// tierOf finds the tier of another who visits the same.
func (s *Server) tierOf(v visit) web.TierOf {
	return func(ctx context.Context) (string, error) {
		req := *v.req
		v := v
		v.req = &req
		tier, err := s.tier(ctx, v)
		return string(tier), err
	}
}

// subscribedPatience is how long it is waited for whether a reader has a subscription. Where that cannot be learned,
// the page of all readers goes out, and the browser asks again.
const subscribedPatience = 250 * time.Millisecond

func (s *Server) subscribed(ctx context.Context, reader int64) bool {
	if s.Subscribed == nil {
		return false
	}
	ctx, cancel := lazytimeout.New(ctx, subscribedPatience)
	defer cancel()
	ok, err := s.Subscribed(ctx, reader)
	return ok && err == nil
}
