// Package pagecache keeps complete answers in this process, rendered once,
// compressed once, and served stale while they are rendered anew.
//
// A page is fresh for a minute. After that, or for a second once a tag of it
// has been invalidated, the next requests still get the old page while one fill
// in the background makes the new one. Purge is for what must not be seen again.
//
// While the database is away, a page that is only old is given out for hours.
package pagecache

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/singleflight"
)

// Anonymous is the tier whose pages shared caches may keep.
const Anonymous = "anonymous"

// Outage is how long after its fill an answer is given out while the database is away.
const Outage = 12 * time.Hour

// Key names one answer. Whatever an answer depends on is in its key.
type Key struct {
	Edition string
	Path    string
	Query   string // allow-listed, see Query
	Tier    string // Anonymous, or what the reader may read
	Variant string // whatever else, such as the format
}

// Config bounds a cache; zero values mean the defaults.
type Config struct {
	MaxBytes    int           // of all answers, default 48 MiB
	Fresh       time.Duration // default 60 s
	Stale       time.Duration // after Fresh, while the page is rendered anew, default 300 s
	FillTimeout time.Duration // of one fill, default 10 s
	Retry       time.Duration // pause after a background fill that failed, default 5 s
	Log         *slog.Logger
	Now         func() time.Time

	// Away reports whether a fill failed because the database is away: then an answer that is too old, but was neither
	// invalidated nor purged, is given out until Outage. nil: never.
	Away func(error) bool
}

// Outcome is how Fetch came by its answer.
type Outcome int

// The outcomes.
const (
	Miss  Outcome = iota // filled for this request, or together with others
	Hit                  // fresh
	Stale                // old, and being filled in the background or while the database is away
)

func (o Outcome) String() string { return [...]string{"miss", "hit", "stale"}[o] }

// Fill makes the answer of a key. It runs without the requester's cancellation
// but with the values of its context; requests for the same key share the
// result, so it may depend on nothing but the key.
type Fill func(ctx context.Context) (*Entry, error)

// Cache holds the answers of all editions; safe for concurrent use.
type Cache struct {
	cfg      Config
	store    *otter.Cache[Key, *Entry]
	flights  singleflight.Group
	editions sync.Map // edition id -> *tagIndex
	count    struct{ hits, stale, misses, fills, errors atomic.Uint64 }
}

// New makes an empty cache.
func New(cfg Config) (*Cache, error) {
	orElse(&cfg.MaxBytes, 48<<20)
	orElse(&cfg.Fresh, time.Minute)
	orElse(&cfg.Stale, 5*time.Minute)
	orElse(&cfg.FillTimeout, 10*time.Second)
	orElse(&cfg.Retry, 5*time.Second)
	orElse(&cfg.Log, slog.Default())
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Away == nil {
		cfg.Away = func(error) bool { return false }
	}
	if cfg.MaxBytes < 0 {
		return nil, fmt.Errorf("pagecache: a size of %d bytes", cfg.MaxBytes)
	}
	store, err := otter.New(&otter.Options[Key, *Entry]{
		MaximumWeight: uint64(cfg.MaxBytes),
		Weigher: func(_ Key, e *Entry) uint32 {
			return uint32(min(e.weight(), math.MaxUint32))
		},
	})
	if err != nil {
		return nil, fmt.Errorf("pagecache: %w", err)
	}
	return &Cache{cfg: cfg, store: store}, nil
}

func orElse[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Query returns the allowed parameters of a raw query in one fixed form, so
// that neither order nor foreign parameters make another key.
func Query(raw string, allowed ...string) string {
	if raw == "" || len(allowed) == 0 {
		return ""
	}
	values, _ := url.ParseQuery(raw) // what cannot be read is not allowed either
	for name := range values {
		if !slices.Contains(allowed, name) {
			delete(values, name)
		}
	}
	return values.Encode()
}

// Fetch returns the answer of key, filling it where there is none. Errors are
// those of fill, or the context's; neither errors nor NoStore entries are kept.
func (c *Cache) Fetch(ctx context.Context, key Key, fill Fill) (*Entry, Outcome, error) {
	e, ok := c.store.GetIfPresent(key)
	within := c.cfg.FillTimeout
	if ok {
		switch s := c.freshness(e); {
		case s == fresh:
			c.count.hits.Add(1)
			return e, Hit, nil
		case c.atHand(e, s):
			c.count.stale.Add(1)
			c.refresh(ctx, key, e, fill)
			return e, Stale, nil
		case s == old:
			within /= 2 // the requester still waits when a silent database is given up
		}
	}
	c.count.misses.Add(1)
	select {
	case got := <-c.singleFlight(ctx, key, within, fill):
		if ok && got.Err != nil && c.cfg.Away(got.Err) && c.freshness(e) == old {
			return e, Stale, nil
		}
		if got.Err != nil {
			return nil, Miss, got.Err
		}
		return got.Val.(*Entry), Miss, nil
	case <-ctx.Done():
		return nil, Miss, ctx.Err()
	}
}

// atHand reports whether an entry in a state is given out without waiting for a fill.
func (c *Cache) atHand(e *Entry, s state) bool {
	return s < old || s == old && c.cfg.Now().UnixNano() < e.tagIndex.awayUntil.Load()
}

// Fresh returns the answer of key where Fetch would give it without filling anything, and counts it as Fetch does.
func (c *Cache) Fresh(key Key) (*Entry, bool) {
	e, ok := c.store.GetIfPresent(key)
	if !ok || c.freshness(e) != fresh {
		return nil, false
	}
	c.count.hits.Add(1)
	return e, true
}

// Has reports whether Fetch would answer key from memory.
func (c *Cache) Has(key Key) bool {
	e, ok := c.store.GetIfPresent(key)
	return ok && c.atHand(e, c.freshness(e))
}

// singleFlight runs one fill per key at a time. A purge starts a new flight, so that
// nobody who asks after it gets what an earlier fill has read.
func (c *Cache) singleFlight(ctx context.Context, key Key, within time.Duration,
	fill Fill,
) <-chan singleflight.Result {
	l := c.tagIndex(key.Edition)
	id := fmt.Sprintf("%q %d", []string{key.Edition, key.Path, key.Query, key.Tier, key.Variant}, l.purged.Load())
	return c.flights.DoChan(id, func() (any, error) {
		if e, ok := c.store.GetIfPresent(key); ok && c.freshness(e) == fresh {
			return e, nil // filled between the look-up and now
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
		defer cancel()
		e, err := c.fill(ctx, key, l, fill)
		c.noteAway(l, err)
		return e, err
	})
}

// awayFor is how long the database is taken to be away after a fill that failed for that.
const awayFor = 30 * time.Second

// noteAway notes whether the database of an edition is away, as a fill has found it.
func (c *Cache) noteAway(l *tagIndex, err error) {
	switch {
	case err == nil:
		l.awayUntil.Store(0)
	case c.cfg.Away(err):
		l.awayUntil.Store(c.cfg.Now().Add(awayFor).UnixNano())
	}
}

func (c *Cache) fill(ctx context.Context, key Key, l *tagIndex, fill Fill) (_ *Entry, err error) {
	defer func() {
		// A panic here would end the process: nobody's handler is above it.
		if p := recover(); p != nil {
			err = fmt.Errorf("pagecache: filling %s panicked: %v\n%s", key.Path, p, debug.Stack())
		}
		if err != nil {
			c.count.errors.Add(1)
		}
	}()
	c.count.fills.Add(1)
	asOf, began := l.last.Load(), c.cfg.Now()
	e, err := fill(ctx)
	if err != nil {
		return nil, err
	}
	if e == nil {
		return nil, errors.New("pagecache: a fill gave neither an entry nor an error")
	}
	if e.Header.Get("Set-Cookie") != "" {
		return nil, errors.New("pagecache: an entry with a cookie would give it to everybody")
	}
	e.CreatedAt, e.asOf, e.tagIndex, e.key = began, asOf, l, key
	// The last copy that goes out lasts until then in caches elsewhere.
	if last := began.Add(c.cfg.Fresh + c.cfg.Stale + outside); e.expired(last) && e.CacheControl == "" &&
		key.Tier == Anonymous && !e.NoStore {
		e.CacheControl = Checked
	}
	e.seal(key.Tier)
	if !e.NoStore {
		c.store.Compute(key, func(old *Entry, found bool) (*Entry, otter.ComputeOp) {
			if found && old.asOf > asOf {
				return old, otter.CancelOp // filled after a later invalidation
			}
			if e.Dated {
				e.date(old)
			}
			return e, otter.WriteOp
		})
	}
	return e, nil
}

// refresh fills an old entry anew in the background, unless that is under way or has just failed.
func (c *Cache) refresh(ctx context.Context, key Key, old *Entry, fill Fill) {
	now := c.cfg.Now().UnixNano()
	next := old.nextFill.Load()
	if now < next || !old.nextFill.CompareAndSwap(next, math.MaxInt64) {
		return
	}
	wasOutdated := c.freshness(old) == outdated
	flight := c.singleFlight(ctx, key, c.cfg.FillTimeout, fill)
	go func() {
		got := <-flight
		if got.Err != nil {
			c.cfg.Log.WarnContext(ctx, "page not rendered anew", "edition", key.Edition, "path", key.Path, "err", got.Err)
		} else if !got.Val.(*Entry).NoStore {
			return
		}
		// The old page is better than none while it is merely old. Once it
		// is known to be wrong, the next request gets the answer of now.
		if wasOutdated || got.Err == nil && !got.Val.(*Entry).transient() {
			c.drop(key, old)
		}
		old.nextFill.Store(c.cfg.Now().Add(c.cfg.Retry).UnixNano())
	}()
}

func (c *Cache) drop(key Key, e *Entry) {
	c.store.ComputeIfPresent(key, func(now *Entry) (*Entry, otter.ComputeOp) {
		if now == e {
			return nil, otter.InvalidateOp
		}
		return now, otter.CancelOp
	})
}

// Stats counts since the start, except for Entries and Bytes, which are of now.
type Stats struct {
	Hits, Stale, Misses uint64
	Fills, Errors       uint64
	Entries             int
	Bytes               uint64
}

// Stats returns the counters.
func (c *Cache) Stats() Stats {
	return Stats{
		Hits: c.count.hits.Load(), Stale: c.count.stale.Load(), Misses: c.count.misses.Load(),
		Fills: c.count.fills.Load(), Errors: c.count.errors.Load(),
		Entries: c.store.EstimatedSize(), Bytes: c.store.WeightedSize(),
	}
}

// String is for logs.
func (k Key) String() string {
	return strings.Join([]string{k.Edition, k.Path, k.Query, k.Tier, k.Variant}, " ")
}
