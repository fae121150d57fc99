package pagecache

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

var errAway = errors.New("the database is away")

// newAwayCache returns a cache that knows errAway.
func newAwayCache(t *testing.T) (*Cache, *fakeClock) {
	t.Helper()
	isAway := func(err error) bool { return errors.Is(err, errAway) }
	return newCache(t, func(cfg *Config) { cfg.Away = isAway })
}

// While the database is away, an answer is given out until Outage if it is only old: neither invalidated nor purged.
func TestOutage(t *testing.T) {
	t.Parallel()
	away := fmt.Errorf("front: %w", errAway)
	for name, c := range map[string]struct {
		age    time.Duration
		err    error
		change func(*Cache)
		until  time.Duration // of the entry, after its fill
		given  bool
	}{
		"an hour old":                  {age: time.Hour, err: away, given: true},
		"of yesterday":                 {age: time.Hour, err: away, until: time.Minute, given: true},
		"just before the bound":        {age: Outage - time.Second, err: away, given: true},
		"at the bound":                 {age: Outage, err: away},
		"another error":                {age: time.Hour, err: errors.New("a bug")},
		"another error, of yesterday":  {age: time.Minute, err: errors.New("a bug"), until: time.Minute},
		"another tag is invalidated":   {age: time.Hour, err: away, change: invalidate("post:1"), given: true},
		"another tag is purged":        {age: time.Hour, err: away, change: purge("post:1"), given: true},
		"its tag is invalidated":       {age: time.Hour, err: away, change: invalidate("front")},
		"its tag is purged":            {age: time.Hour, err: away, change: purge("front")},
		"its edition is invalidated":   {age: time.Hour, err: away, change: invalidateNorth},
		"its edition is purged":        {age: time.Hour, err: away, change: purgeNorth},
		"another edition is purged":    {age: time.Hour, err: away, change: purgeSouth, given: true},
		"purged and old for a moment":  {age: 6 * time.Minute, err: away, change: purge("front")},
		"invalidated and of yesterday": {age: time.Minute, err: away, until: time.Minute, change: invalidate("front")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cache, clock := newAwayCache(t)
			s := newSource("one", "front")
			fill := func(ctx context.Context) (*Entry, error) {
				e, err := s.fill(ctx)
				if err == nil && c.until != 0 {
					e.Until = clock.now().Add(c.until)
				}
				return e, err
			}
			want(t, cache, front, fill, Miss, "one")
			s.err.Store(c.err)
			if c.change != nil {
				c.change(cache)
			}
			clock.advance(c.age)
			for range 2 { // it is tried, and then it is known
				e, outcome, err := cache.Fetch(t.Context(), front, fill)
				if c.given && (err != nil || outcome != Stale || string(e.Body) != "one") {
					t.Fatalf("got %v, %v, want the old answer", outcome, err)
				}
				if !c.given && !errors.Is(err, c.err) {
					t.Fatalf("got %v, %v, want %v", outcome, err, c.err)
				}
			}
			if got := cache.Has(front); got != c.given {
				t.Errorf("Has returns %v, want %v", got, c.given)
			}
		})
	}
}

func invalidateNorth(c *Cache) { c.InvalidateEdition("north") }

func purgeNorth(c *Cache) { c.PurgeEdition("north") }

func purgeSouth(c *Cache) { c.PurgeEdition("south") }

func invalidate(tag string) func(*Cache) { return func(c *Cache) { c.Invalidate("north", tag) } }

func purge(tag string) func(*Cache) { return func(c *Cache) { c.Purge("north", tag) } }

// A change that comes during an outage ends what was given out in it.
func TestOutage_ChangedMeanwhile(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Cache){"invalidated": invalidate("front"), "purged": purge("front")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cache, clock := newAwayCache(t)
			s := newSource("one", "front")
			want(t, cache, front, s.fill, Miss, "one")
			s.err.Store(errAway)
			clock.advance(time.Hour)
			want(t, cache, front, s.fill, Stale, "one")
			change(cache)
			if _, outcome, err := cache.Fetch(t.Context(), front, s.fill); !errors.Is(err, errAway) {
				t.Errorf("got %v, %v, want %v", outcome, err, errAway)
			}
			_, _, err := cache.Fetch(t.Context(), front, func(ctx context.Context) (*Entry, error) {
				change(cache) // before the fill fails
				return s.fill(ctx)
			})
			if !errors.Is(err, errAway) {
				t.Errorf("changed during the fill: got %v, want %v", err, errAway)
			}
		})
	}
}

// A change whose tag the cache has forgotten counts as one of all answers that are older.
func TestOutage_ForgottenTags(t *testing.T) {
	t.Parallel()
	cache, clock := newAwayCache(t)
	s := newSource("one", "front")
	want(t, cache, front, s.fill, Miss, "one")
	cache.Purge("north", "front")
	clock.advance(time.Hour)
	later := Key{Edition: "north", Path: "/later", Tier: Anonymous}
	want(t, cache, later, s.fill, Miss, "one")
	for i := range pruneAt + 1 {
		cache.Invalidate("north", fmt.Sprint("post:", i))
	}
	clock.advance(time.Hour)
	cache.Invalidate("north", "post:0")
	s.err.Store(errAway)
	if _, _, err := cache.Fetch(t.Context(), front, s.fill); !errors.Is(err, errAway) {
		t.Errorf("purged and forgotten: got %v, want %v", err, errAway)
	}
	if _, _, err := cache.Fetch(t.Context(), later, s.fill); !errors.Is(err, errAway) {
		t.Errorf("older than what is forgotten: got %v, want %v", err, errAway)
	}
	newest := Key{Edition: "north", Path: "/newest", Tier: Anonymous}
	want(t, cache, newest, newSource("two", "front").fill, Miss, "two")
	clock.advance(time.Hour)
	want(t, cache, newest, s.fill, Stale, "two")
}

// A database that is silent holds up one requester of an edition, for half the time of a fill. Once it answers, the
// next requester gets the answer of now.
func TestOutage_Silence(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cache, err := New(Config{Away: func(err error) bool { return errors.Is(err, context.DeadlineExceeded) }})
		if err != nil {
			t.Fatal(err)
		}
		other := Key{Edition: "north", Path: "/other", Tier: Anonymous}
		one := newSource("one", "front").fill
		want(t, cache, front, one, Miss, "one")
		want(t, cache, other, one, Miss, "one")
		time.Sleep(time.Hour)
		silent := func(ctx context.Context) (*Entry, error) { <-ctx.Done(); return nil, ctx.Err() }
		for _, c := range []struct {
			key  Key
			took time.Duration
		}{{front, 5 * time.Second}, {front, 0}, {other, 0}, {other, 0}} {
			began := time.Now()
			want(t, cache, c.key, silent, Stale, "one")
			if took := time.Since(began); took != c.took {
				t.Errorf("%s: got an answer after %s, want %s", c.key, took, c.took)
			}
		}
		time.Sleep(awayFor - time.Second)
		two := newSource("two", "front").fill
		want(t, cache, front, two, Stale, "one") // it is found out with this one
		synctest.Wait()
		want(t, cache, front, two, Hit, "two")
		want(t, cache, other, two, Miss, "two")
	})
}
