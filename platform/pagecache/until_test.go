package pagecache

import (
	"context"
	"testing"
	"time"
)

// An answer that says "today" is right until midnight: neither this cache nor one elsewhere gives it out after that.
func TestAnswersEnd(t *testing.T) {
	t.Parallel()
	c, clock := newCache(t, nil)
	midnight := clock.now().Add(time.Hour)
	fills := 0
	fetch := func(tier string) (*Entry, Outcome) {
		t.Helper()
		e, outcome, err := c.Fetch(t.Context(), Key{Edition: "north", Path: "/", Tier: tier},
			func(context.Context) (*Entry, error) {
				fills++
				e := html("today", "front")
				e.Until = midnight
				return e, nil
			})
		if err != nil {
			t.Fatal(err)
		}
		return e, outcome
	}
	if e, _ := fetch(Anonymous); get(e).Header().Get("Cache-Control") != Public {
		t.Errorf("an hour before: %s", get(e).Header().Get("Cache-Control"))
	}
	clock.advance(time.Hour - 20*time.Second)
	e, _ := fetch(Anonymous)
	if got := get(e).Header().Get("Cache-Control"); got != Checked {
		t.Errorf("20 seconds before, caches elsewhere are told %q", got)
	}
	if e, _ = fetch("member"); get(e).Header().Get("Cache-Control") != Private {
		t.Errorf("of a reader: %s", get(e).Header().Get("Cache-Control"))
	}
	clock.advance(19 * time.Second)
	if _, outcome := fetch(Anonymous); outcome != Hit {
		t.Errorf("a second before: %v", outcome)
	}
	midnight = midnight.Add(24 * time.Hour)
	clock.advance(time.Second)
	before := fills
	if _, outcome := fetch(Anonymous); outcome != Miss || fills != before+1 {
		t.Errorf("at midnight: %v, %d fills", outcome, fills-before)
	}
}
