package access

import (
	"maps"
	"sync"
	"time"
)

const (
	maxCached = 50_000
	cacheTTL  = time.Minute // bounds the harm of a lost notice
)

type cacheKey struct {
	edition string
	reader  int64
}

type cacheEntry struct {
	Entitlement
	at time.Time
}

// generations count how often readers of an edition were forgotten. Readers share a number, so that there are few.
type generations [256]uint64

func (g *generations) of(reader int64) *uint64 { return &g[uint64(reader)%uint64(len(g))] }

// cache keeps what was read until it is forgotten. Entries that were used last are in young; when that is full it
// becomes old, and what was in old, not used since, is dropped.
type cache struct {
	mu         sync.Mutex
	young, old map[cacheKey]cacheEntry
	editions   map[string]*generations
}

func newCache() *cache {
	return &cache{young: map[cacheKey]cacheEntry{}, editions: map[string]*generations{}}
}

// get returns what is known, and the generation that put asks for.
func (c *cache) get(k cacheKey, now time.Time) (Entitlement, bool, uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	g := c.editions[k.edition]
	if g == nil {
		g = new(generations)
		c.editions[k.edition] = g
	}
	r, ok := c.young[k]
	if !ok {
		if r, ok = c.old[k]; ok {
			delete(c.old, k)
			c.keep(k, r)
		}
	}
	return r.Entitlement, ok && now.Sub(r.at) < cacheTTL, *g.of(k.reader)
}

// put keeps what was read, unless the reader was forgotten since get: it may have been read before the change.
func (c *cache) put(k cacheKey, s Entitlement, now time.Time, generation uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if g := c.editions[k.edition]; g == nil || *g.of(k.reader) != generation {
		return
	}
	delete(c.old, k)
	c.keep(k, cacheEntry{s, now})
}

func (c *cache) keep(k cacheKey, e cacheEntry) {
	if len(c.young) >= maxCached/2 {
		c.old, c.young = c.young, map[cacheKey]cacheEntry{}
	}
	c.young[k] = e
}

func (c *cache) forget(edition string, readers ...int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	g := c.editions[edition]
	if g == nil { // nothing was ever read
		return
	}
	for _, id := range readers {
		*g.of(id)++
		delete(c.young, cacheKey{edition, id})
		delete(c.old, cacheKey{edition, id})
	}
}

// forgetEdition drops what is known of an edition's readers; "" names all editions.
func (c *cache) forgetEdition(edition string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, g := range c.editions {
		if edition != "" && id != edition {
			continue
		}
		for i := range g {
			g[i]++
		}
	}
	of := func(k cacheKey, _ cacheEntry) bool { return edition == "" || k.edition == edition }
	maps.DeleteFunc(c.young, of)
	maps.DeleteFunc(c.old, of)
}
