package pagecache

import (
	"sync"
	"sync/atomic"
	"time"
)

// tagIndex remembers which tags of an edition were invalidated when. Time is
// counted in invalidations: an entry remembers how many there had been before
// its fill read anything, so one that began too early is never taken for
// fresh, and a hit costs one comparison as long as nothing has happened since.
type tagIndex struct {
	last   atomic.Uint64 // the latest invalidation
	purged atomic.Uint64 // the latest of these that was a purge

	forgotten atomic.Uint64 // the latest of a tag that is remembered no longer
	awayUntil atomic.Int64  // Unix nanoseconds until which the database is taken to be away; 0: it is not

	mu   sync.RWMutex
	tags map[string]tagVersion
	all  tagVersion
}

// tagVersion holds the latest invalidation and purge of one tag.
type tagVersion struct {
	outdated, dead uint64
	at             time.Time
	since          time.Time // the first of the invalidations that followed each other within lag
}

// lag is how long an answer that is known to be wrong may be given out while it is made anew.
const lag = time.Second

// invalidate sets the version to the n-th invalidation.
func (m *tagVersion) invalidate(n uint64, now time.Time) {
	if m.at.IsZero() || now.Sub(m.at) >= lag {
		m.since = now
	}
	m.outdated, m.at = n, now
}

// state is how fresh an entry is, in the order in which it can only get worse.
type state = int32

const (
	fresh    state = iota
	aged           // older than Config.Fresh
	outdated       // a tag was invalidated
	old            // older than Config.Stale too, or past Entry.Until; no tag was invalidated
	dead           // a tag was purged, or invalidated for longer than lag, or older than Outage
)

// pruneAt is the number of remembered tags at which those are dropped that only entries can carry that are old. Whether
// such an entry was invalidated is not known from then on.
const pruneAt = 4096

func (c *Cache) tagIndex(edition string) *tagIndex {
	if l, ok := c.editions.Load(edition); ok {
		return l.(*tagIndex)
	}
	l, _ := c.editions.LoadOrStore(edition, &tagIndex{tags: map[string]tagVersion{}})
	return l.(*tagIndex)
}

// Invalidate makes every answer with one of the tags old: for a second it is still served while it is made anew, and
// who asks later waits for the new one.
func (c *Cache) Invalidate(edition string, tags ...string) {
	c.invalidate(edition, tags, false)
}

// InvalidateEdition makes all answers of an edition old.
func (c *Cache) InvalidateEdition(edition string) {
	l := c.tagIndex(edition)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all.invalidate(l.last.Load()+1, c.cfg.Now())
	l.last.Store(l.all.outdated)
}

// Purge removes every answer with one of the tags: nobody who asks afterwards
// gets it, not even while it is made anew. It is for text that was withdrawn or locked.
func (c *Cache) Purge(edition string, tags ...string) {
	c.invalidate(edition, tags, true)
}

// PurgeEdition removes all answers of an edition.
func (c *Cache) PurgeEdition(edition string) {
	l := c.tagIndex(edition)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all.dead = l.last.Load() + 1
	l.purged.Store(l.all.dead)
	l.last.Store(l.all.dead)
}

func (c *Cache) invalidate(edition string, tags []string, purge bool) {
	if len(tags) == 0 {
		return
	}
	now := c.cfg.Now()
	l := c.tagIndex(edition)
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.last.Load() + 1
	for _, tag := range tags {
		m := l.tags[tag]
		if purge {
			m.dead, m.at = n, now
		} else {
			m.invalidate(n, now)
		}
		l.tags[tag] = m
	}
	if purge {
		l.purged.Store(n)
	}
	if len(l.tags) > pruneAt {
		oldest := now.Add(-c.cfg.Fresh - c.cfg.Stale)
		for tag, m := range l.tags {
			if m.at.Before(oldest) {
				l.forgotten.Store(max(l.forgotten.Load(), m.outdated, m.dead))
				delete(l.tags, tag)
			}
		}
	}
	// Last, so that whoever sees the number finds the versions.
	l.last.Store(n)
}

// freshness says what may be done with a stored entry.
func (c *Cache) freshness(e *Entry) state {
	now := c.cfg.Now()
	age := now.Sub(e.CreatedAt)
	late := age >= c.cfg.Fresh+c.cfg.Stale || e.expired(now)
	switch v := e.tagIndex.freshness(e); {
	case v == fresh && !late && age < c.cfg.Fresh:
		return fresh
	case v == fresh && !late:
		return aged
	case v == fresh && age < Outage && e.asOf >= e.tagIndex.forgotten.Load():
		return old
	case v == outdated && !late && now.UnixNano()-e.since.Load() < int64(lag):
		return outdated
	default:
		return dead
	}
}

func (l *tagIndex) freshness(e *Entry) state {
	last := l.last.Load()
	if e.checked.Load() == last+1 {
		return e.worst.Load()
	}
	l.mu.RLock()
	v := l.all.freshness(e)
	for _, tag := range e.Tags {
		v = max(v, l.tags[tag].freshness(e))
	}
	l.mu.RUnlock()
	// States only get worse, also where two requests look at once.
	for {
		was := e.worst.Load()
		if v <= was || e.worst.CompareAndSwap(was, v) {
			break
		}
	}
	e.checked.Store(last + 1)
	return e.worst.Load()
}

func (m tagVersion) freshness(e *Entry) state {
	switch {
	case m.dead > e.asOf:
		return dead
	case m.outdated > e.asOf:
		for since := m.since.UnixNano(); ; {
			was := e.since.Load()
			if (was != 0 && was <= since) || e.since.CompareAndSwap(was, since) {
				break
			}
		}
		return outdated
	default:
		return fresh
	}
}
