package web

import (
	"context"
	"net/http"

	"example.org/broadsheet/platform/lazytimeout"
	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/session"
)

// TierOf finds the tier of the reader of ctx at one address, and does what opening it does: it counts, and spends a
// credit.
type TierOf func(ctx context.Context) (string, error)

// readersTier finds the tier that a token's reader has at a known target. Who is not known in memory, or finds no
// place, goes the long way.
func (f *FastPath) readersTier(r *http.Request, ed *edition.Edition, token string,
	known *remembered,
) (tier string, rest *http.Request) {
	ctx := f.asking(r.Context(), r, ed)
	s, ok := f.Cookies.remembered(ctx, token)
	if !ok || !f.Running.enter(ed.ID) {
		return "", r
	}
	defer f.Running.leave(ed.ID)
	ctx, cancel := lazytimeout.New(session.With(ctx, s), f.Patience)
	defer cancel()
	tier, err := known.tier(ctx)
	if err != nil {
		return "", r.WithContext(context.WithValue(r.Context(), decidedKey{}, decided{known.key, err}))
	}
	return tier, nil
}

// remembered finds the session of a token in memory.
func (k Cookies) remembered(ctx context.Context, token string) (session.Session, bool) {
	if k.Remembered == nil {
		return session.Session{}, false
	}
	return k.Remembered(ctx, token)
}

type decidedKey struct{}

// decided is what was found out about a reader's tier before a request went the long way.
type decided struct {
	key pagecache.Key
	err error
}

// withDecided notes the tier of a reader's key, for it is not to be found out, and counted, twice.
func withDecided(r *http.Request, token string, key pagecache.Key) *http.Request {
	if token == "" {
		return r
	}
	return r.WithContext(context.WithValue(r.Context(), decidedKey{}, decided{key: key}))
}

// DecidedTier is the tier of the reader of ctx at an address, where it was found out before.
func DecidedTier(ctx context.Context, path, query string) (tier string, ok bool, err error) {
	d, ok := ctx.Value(decidedKey{}).(decided)
	if !ok || d.key.Path != path || d.key.Query != query {
		return "", false, nil
	}
	return d.key.Tier, true, d.err
}
