package sessions

import (
	"crypto/sha256"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"

	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/session"
)

// CacheTTL is how long a session that was looked up is remembered.
const (
	CacheTTL     = 5 * time.Second
	cacheEntries = 20_000
)

// cache spares the database a question per request. Entries live for seconds; sessions that end are told to
// all processes, so that logging out is heard at once.
type cache struct {
	clock   *clock.Clock
	entries *otter.Cache[cacheKey, cachedSession]
	round   atomic.Uint64 // of forgetting: an answer that was asked for before it is not kept
}

type cacheKey struct {
	edition string
	token   [sha256.Size]byte
}

type cachedSession struct {
	session.Session
	until time.Time
}

func newCache(c *clock.Clock) *cache {
	return &cache{
		clock:   c,
		entries: otter.Must(&otter.Options[cacheKey, cachedSession]{MaximumSize: cacheEntries}),
	}
}

func (c *cache) get(k cacheKey) (session.Session, bool) {
	e, ok := c.entries.GetIfPresent(k)
	if !ok || !c.clock.Now().Before(e.until) {
		return session.Session{}, false
	}
	return e.Session, true
}

func (c *cache) put(k cacheKey, s session.Session, round uint64) {
	c.entries.Set(k, cachedSession{s, c.clock.Now().Add(CacheTTL)})
	if c.round.Load() != round {
		c.entries.Invalidate(k)
	}
}

func (c *cache) forget(readers ...int64) {
	c.round.Add(1)
	for k, e := range c.entries.All() {
		for _, id := range readers {
			if e.ReaderID == id {
				c.entries.Invalidate(k)
			}
		}
	}
}

func (c *cache) forgetAll() {
	c.round.Add(1)
	c.entries.InvalidateAll()
}
