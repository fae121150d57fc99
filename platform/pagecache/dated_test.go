package pagecache

import (
	"context"
	"net/http"
	"testing"
	"time"
)

// A feed reader that sends back the date it was given gets the feed again when it has changed, however soon, and only
// then.
func TestDatedEntries(t *testing.T) {
	t.Parallel()
	c, clock := newCache(t, nil)
	body := "one"
	fetch := func() *Entry {
		t.Helper()
		e, _, err := c.Fetch(t.Context(), Key{Edition: "north", Path: "/rss", Tier: Anonymous},
			func(context.Context) (*Entry, error) {
				e := html(body, "front")
				e.Dated = true
				return e, nil
			})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	first := get(fetch()).Header().Get("Last-Modified")
	if at, err := http.ParseTime(first); err != nil || at.Unix() != clock.now().Unix() {
		t.Fatalf("%q: %v", first, err)
	}
	if w := get(fetch(), "If-Modified-Since", first); w.Code != http.StatusNotModified || w.Body.Len() != 0 {
		t.Errorf("nothing has changed: %d", w.Code)
	}
	clock.advance(10 * time.Second)
	c.Purge("north", "front")
	if again := get(fetch()).Header().Get("Last-Modified"); again != first {
		t.Errorf("made anew and the same: %s, it was %s", again, first)
	}
	for _, body = range []string{"two", "three", "one"} { // all in the second of the fill
		c.Purge("north", "front")
		e := fetch()
		if w := get(e, "If-Modified-Since", first); w.Code != http.StatusOK || w.Body.String() != body {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
		first = get(e).Header().Get("Last-Modified")
	}
	e := fetch()
	for name, header := range map[string][]string{
		"a date and another tag":   {"If-Modified-Since", first, "If-None-Match", `"other"`},
		"a date that is none":      {"If-Modified-Since", "yesterday"},
		"a date before the change": {"If-Modified-Since", clock.now().Add(-time.Hour).UTC().Format(http.TimeFormat)},
	} {
		if w := get(e, header...); w.Code != http.StatusOK {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	page := sealed(t, Anonymous, html("page"))
	if w := get(page, "If-Modified-Since", time.Now().UTC().Format(http.TimeFormat)); w.Code != http.StatusOK ||
		w.Header().Get("Last-Modified") != "" {
		t.Errorf("an answer without a date: %d %s", w.Code, w.Header().Get("Last-Modified"))
	}
}
