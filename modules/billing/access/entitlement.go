package access

import (
	"context"
	"sync"
	"time"

	"example.org/broadsheet/platform/db"
)

// DismissReminder notes that a reader has closed the notice that access has ended; false takes it back. It counts for
// this end: after a further subscription there is a further notice.
func (s *Service) DismissReminder(ctx context.Context, readerID int64, dismissed bool) error {
	err := s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := putDismissed(ctx, tx, readerID, dismissed); err != nil {
			return err
		}
		return Changed(ctx, tx, readerID)
	})
	if err == nil {
		s.cache.forget(readerID) // the next answer here should know, before the notice has gone round
	}
	return err
}

// Forget drops what is remembered of readers, in every edition that has such an id.
func (s *Service) Forget(readerIDs ...int64) { s.cache.forget(readerIDs...) }

// ForgetAll drops all that is remembered.
func (s *Service) ForgetAll() { s.cache.forgetAll() }

const (
	maxCached = 50_000
	cacheTTL  = time.Minute // bounds what a lost notice can cost
)

type cacheKey struct {
	edition string
	reader  int64
}

type cacheEntry struct {
	Entitlement
	at time.Time
}

// cache remembers what was read, until it is told that it changed.
type cache struct {
	mu         sync.Mutex
	all        map[cacheKey]cacheEntry
	editions   map[string]bool
	generation uint64
}

func newCache() *cache {
	return &cache{all: map[cacheKey]cacheEntry{}, editions: map[string]bool{}}
}

func (c *cache) get(k cacheKey, now time.Time) (Entitlement, bool, uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.all[k]
	return r.Entitlement, ok && now.Sub(r.at) < cacheTTL, c.generation
}

// put remembers what was read, unless something was forgotten since: it may have been read before the change.
func (c *cache) put(k cacheKey, s Entitlement, now time.Time, generation uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.generation != generation {
		return
	}
	for old := range c.all {
		if len(c.all) < maxCached {
			break
		}
		delete(c.all, old)
	}
	c.editions[k.edition] = true
	c.all[k] = cacheEntry{s, now}
}

func (c *cache) forget(readers ...int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.generation++
	for _, id := range readers {
		for ed := range c.editions {
			delete(c.all, cacheKey{ed, id})
		}
	}
}

func (c *cache) forgetAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.generation++
	clear(c.all)
}
