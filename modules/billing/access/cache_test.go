package access

import (
	"reflect"
	"testing"
	"time"
)

// knows reads through a cache and reports whether the answer was kept.
func knows(c *cache, k cacheKey, now time.Time) bool {
	_, ok, _ := c.get(k, now)
	return ok
}

// called is what a reader has who has a product of a name.
func called(product string) Entitlement { return Entitlement{spans: []span{{product: product}}} }

func TestCache(t *testing.T) {
	t.Parallel()
	now := time.Now()
	const far = 1 + int64(len(generations{})) // shares the number of reader 1
	for name, c := range map[string]struct {
		key    cacheKey
		forget func(*cache)
		keeps  bool // the load that is under way, and what was kept before
	}{
		"nothing is forgotten":              {cacheKey{"a", 1}, func(*cache) {}, true},
		"the reader":                        {cacheKey{"a", 1}, func(c *cache) { c.forget("a", 1) }, false},
		"another reader":                    {cacheKey{"a", 1}, func(c *cache) { c.forget("a", 2) }, true},
		"the same number, another edition":  {cacheKey{"a", 1}, func(c *cache) { c.forget("b", 1) }, true},
		"an edition that was never read":    {cacheKey{"a", 1}, func(c *cache) { c.forget("z", 1) }, true},
		"the edition":                       {cacheKey{"a", 1}, func(c *cache) { c.forgetEdition("a") }, false},
		"another edition":                   {cacheKey{"a", 1}, func(c *cache) { c.forgetEdition("b") }, true},
		"all":                               {cacheKey{"b", 7}, func(c *cache) { c.forgetEdition("") }, false},
		"several readers, this one of them": {cacheKey{"b", 7}, func(c *cache) { c.forget("b", 5, 6, 7) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := newCache()
			for _, ed := range []string{"a", "b"} {
				_, _, g := all.get(cacheKey{ed, 1}, now)
				all.put(cacheKey{ed, 1}, called("x"), now, g)
			}
			_, _, before := all.get(c.key, now)
			all.put(c.key, called("x"), now, before)
			c.forget(all)
			if got := knows(all, c.key, now); got != c.keeps {
				t.Errorf("kept: got %v, want %v", got, c.keeps)
			}
			all.put(c.key, called("y"), now, before)
			if got, _, _ := all.get(c.key, now); reflect.DeepEqual(got, called("y")) != c.keeps {
				t.Errorf("a load under way: got %+v, want it kept: %v", got, c.keeps)
			}
		})
	}
	c := newCache()
	_, _, g := c.get(cacheKey{"a", 1}, now)
	c.put(cacheKey{"a", 1}, Entitlement{}, now, g)
	c.forget("a", far)
	if !knows(c, cacheKey{"a", 1}, now) {
		t.Error("a reader with the same generation was forgotten, too")
	}
	if knows(c, cacheKey{"a", 1}, now.Add(cacheTTL)) {
		t.Error("got an entry that is too old")
	}
}

func TestCache_Bounded(t *testing.T) {
	t.Parallel()
	now, c := time.Now(), newCache()
	often := cacheKey{"a", -1}
	_, _, g := c.get(often, now)
	c.put(often, Entitlement{}, now, g)
	for i := range int64(3 * maxCached) {
		k := cacheKey{"a", i}
		_, _, g := c.get(k, now)
		c.put(k, Entitlement{}, now, g)
		if i%1000 == 0 && !knows(c, often, now) {
			t.Fatalf("after %d others: got nothing of an entry that is read often", i)
		}
	}
	if got := len(c.young) + len(c.old); got > maxCached {
		t.Errorf("got %d entries, want %d at most", got, maxCached)
	}
	if !knows(c, cacheKey{"a", 3*maxCached - 1}, now) || knows(c, cacheKey{"a", 0}, now) {
		t.Error("want the newest kept and the oldest dropped")
	}
}
