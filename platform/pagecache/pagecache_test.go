package pagecache

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.org/broadsheet/platform/testkit/wait"
)

type fakeClock struct{ nanos atomic.Int64 }

func (c *fakeClock) now() time.Time          { return time.Unix(1_770_000_000, c.nanos.Load()) }
func (c *fakeClock) advance(d time.Duration) { c.nanos.Add(int64(d)) }

func newCache(t testing.TB, change func(*Config)) (*Cache, *fakeClock) {
	t.Helper()
	clock := &fakeClock{}
	cfg := Config{Now: clock.now, Log: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c, clock
}

func html(body string, tags ...string) *Entry {
	return &Entry{Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: []byte(body), Tags: tags}
}

// source is a page whose text changes and that counts its fills.
type source struct {
	text  atomic.Value
	err   atomic.Value
	fills atomic.Int64
	tags  []string
}

func newSource(text string, tags ...string) *source {
	s := &source{tags: tags}
	s.text.Store(text)
	return s
}

func (s *source) fill(context.Context) (*Entry, error) {
	s.fills.Add(1)
	if err, _ := s.err.Load().(error); err != nil {
		return nil, err
	}
	return html(s.text.Load().(string), s.tags...), nil
}

var front = Key{Edition: "north", Path: "/", Tier: Anonymous}

func want(t *testing.T, c *Cache, key Key, fill Fill, outcome Outcome, text string) {
	t.Helper()
	e, got, err := c.Fetch(t.Context(), key, fill)
	if err != nil {
		t.Fatal(err)
	}
	if got != outcome || string(e.Body) != text {
		t.Fatalf("got %v %q, want %v %q", got, e.Body, outcome, text)
	}
}

func TestAges(t *testing.T) {
	t.Parallel()
	c, clock := newCache(t, nil)
	s := newSource("one")
	want(t, c, front, s.fill, Miss, "one")
	s.text.Store("two")
	clock.advance(59 * time.Second)
	want(t, c, front, s.fill, Hit, "one")
	clock.advance(time.Second)
	want(t, c, front, s.fill, Stale, "one")
	wait.Until(t, "the background fill", func() bool {
		e, o, _ := c.Fetch(t.Context(), front, s.fill)
		return o == Hit && string(e.Body) == "two"
	})
	if n := s.fills.Load(); n != 2 {
		t.Errorf("%d fills, want 2", n)
	}
	s.text.Store("three")
	clock.advance(6 * time.Minute)
	want(t, c, front, s.fill, Miss, "three")
}

// What is known to be wrong is not given out for longer than a second, also where nobody has asked meanwhile, and also
// where one change has followed the other.
func TestAnInvalidatedPageIsNotServedLate(t *testing.T) {
	t.Parallel()
	c, clock := newCache(t, nil)
	s := newSource("old", "post:17", "front")
	want(t, c, front, s.fill, Miss, "old")
	s.text.Store("new")
	c.Invalidate("north", "post:17")
	clock.advance(time.Second)
	want(t, c, front, s.fill, Miss, "new")
	want(t, c, front, s.fill, Hit, "new")
	s.text.Store("newer")
	c.Invalidate("north", "front")
	clock.advance(700 * time.Millisecond)
	c.Invalidate("north", "front")
	clock.advance(700 * time.Millisecond)
	want(t, c, front, s.fill, Miss, "newer")
	s.text.Store("newest")
	c.InvalidateEdition("north")
	clock.advance(2 * time.Second)
	want(t, c, front, s.fill, Miss, "newest")
	clock.advance(time.Second)
	c.Invalidate("north", "front")
	clock.advance(999 * time.Millisecond)
	want(t, c, front, s.fill, Stale, "newest")
}

func TestKeysDoNotMix(t *testing.T) {
	t.Parallel()
	c, _ := newCache(t, nil)
	keys := []Key{
		front,
		{Edition: "south", Path: "/", Tier: Anonymous},
		{Edition: "north", Path: "/a", Tier: Anonymous},
		{Edition: "north", Path: "/", Query: "page=2", Tier: Anonymous},
		{Edition: "north", Path: "/", Tier: "member"},
		{Edition: "north", Path: "/", Tier: Anonymous, Variant: "json"},
		{Edition: "north", Path: `/" "`, Tier: Anonymous},
		{Edition: "north", Path: "/", Query: `" "`, Tier: Anonymous},
	}
	for round, outcome := range []Outcome{Miss, Hit} {
		for i, key := range keys {
			text := fmt.Sprint(i)
			e, got, err := c.Fetch(t.Context(), key, newSource(text).fill)
			if err != nil || got != outcome || string(e.Body) != text {
				t.Errorf("round %d, %v: %q %v %v", round, key, e.Body, got, err)
			}
		}
	}
}

func TestInvalidate(t *testing.T) {
	t.Parallel()
	c, _ := newCache(t, nil)
	s := newSource("old", "front", "post:17")
	other := newSource("other", "post:18")
	article := Key{Edition: "north", Path: "/a", Tier: Anonymous}
	want(t, c, front, s.fill, Miss, "old")
	want(t, c, article, other.fill, Miss, "other")
	s.text.Store("new")

	c.Invalidate("south", "post:17")
	c.Invalidate("north", "post:1", "post:171")
	c.Invalidate("north")
	want(t, c, front, s.fill, Hit, "old")

	c.Invalidate("north", "post:17")
	want(t, c, front, s.fill, Stale, "old")
	want(t, c, article, other.fill, Hit, "other")
	wait.Until(t, "the new front page", func() bool {
		e, o, _ := c.Fetch(t.Context(), front, s.fill)
		return o == Hit && string(e.Body) == "new"
	})
	c.InvalidateEdition("north")
	want(t, c, article, other.fill, Stale, "other")
}

func TestPurgedPageIsNeverServed(t *testing.T) {
	t.Parallel()
	for name, purge := range map[string]func(*Cache){
		"by tag":        func(c *Cache) { c.Purge("north", "post:17") },
		"whole edition": func(c *Cache) { c.PurgeEdition("north") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := newCache(t, nil)
			s := newSource("open", "post:17")
			want(t, c, front, s.fill, Miss, "open")
			s.text.Store("locked")
			purge(c)
			want(t, c, front, s.fill, Miss, "locked")

			// A fill that has read the old text must not answer who asks after the purge.
			reading, release := make(chan struct{}), make(chan struct{})
			slow := Fill(func(context.Context) (*Entry, error) {
				close(reading)
				<-release
				return html("read before", "post:17"), nil
			})
			key := Key{Edition: "north", Path: "/slow", Tier: Anonymous}
			first := make(chan string)
			go func() {
				e, _, _ := c.Fetch(context.Background(), key, slow)
				first <- string(e.Body)
			}()
			<-reading
			purge(c)
			want(t, c, key, s.fill, Miss, "locked")
			close(release)
			if got := <-first; got != "read before" {
				t.Errorf("who asked before the purge got %q", got)
			}
			want(t, c, key, s.fill, Hit, "locked")
		})
	}
}

func TestFillThatBeganBeforeAnInvalidationIsNotFresh(t *testing.T) {
	t.Parallel()
	c, _ := newCache(t, nil)
	s := newSource("new", "post:17")
	e, _, err := c.Fetch(t.Context(), front, func(context.Context) (*Entry, error) {
		c.Invalidate("north", "post:17") // the editor saves while the old text is being rendered
		return html("old", "post:17"), nil
	})
	if err != nil || string(e.Body) != "old" {
		t.Fatal(e, err)
	}
	want(t, c, front, s.fill, Stale, "old")
	wait.Until(t, "the new text", func() bool {
		e, o, _ := c.Fetch(t.Context(), front, s.fill)
		return o == Hit && string(e.Body) == "new"
	})
}

func TestSingleFlight(t *testing.T) {
	t.Parallel()
	c, clock := newCache(t, nil)
	s := newSource("page")
	release := make(chan struct{})
	slow := func(ctx context.Context) (*Entry, error) {
		<-release
		return s.fill(ctx)
	}
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if e, o, err := c.Fetch(t.Context(), front, slow); err != nil || o != Miss || string(e.Body) != "page" {
				t.Error(e, o, err)
			}
		})
	}
	wait.Until(t, "fifty are waiting", func() bool { return c.Stats().Misses == 50 })
	close(release)
	wg.Wait()
	if n := s.fills.Load(); n != 1 {
		t.Fatalf("%d fills for one page", n)
	}

	// Nor do many readers of an old page start many fills.
	clock.advance(2 * time.Minute)
	release = make(chan struct{})
	for range 50 {
		want(t, c, front, slow, Stale, "page")
	}
	close(release)
	wait.Until(t, "the background fill", func() bool { return s.fills.Load() == 2 })
	if n := c.Stats().Fills; n != 2 {
		t.Errorf("%d fills in all", n)
	}
}

func TestRequesterLeaves(t *testing.T) {
	t.Parallel()
	c, _ := newCache(t, nil)
	type ctxKey struct{}
	reading, release, filled := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), ctxKey{}, "north"))
	gone := make(chan error)
	go func() {
		_, _, err := c.Fetch(ctx, front, func(ctx context.Context) (*Entry, error) {
			close(reading)
			<-release
			if ctx.Value(ctxKey{}) != "north" {
				filled <- errors.New("the context's values were lost")
			}
			filled <- ctx.Err()
			return html("kept"), nil
		})
		gone <- err
	}()
	<-reading
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("the requester got %v", err)
	}
	close(release)
	if err := <-filled; err != nil {
		t.Errorf("the fill's context: %v", err)
	}
	wait.Until(t, "the page is kept", func() bool {
		e, o, _ := c.Fetch(t.Context(), front, newSource("again").fill)
		return o == Hit && string(e.Body) == "kept"
	})
}

func TestWhatIsNotKept(t *testing.T) {
	t.Parallel()
	boom := errors.New("database away")
	for name, tc := range map[string]struct {
		fill Fill
		want string
	}{
		"errors":  {func(context.Context) (*Entry, error) { return nil, boom }, "database away"},
		"panics":  {func(context.Context) (*Entry, error) { panic("nil map") }, "nil map"},
		"nothing": {func(context.Context) (*Entry, error) { return nil, nil }, "neither"},
		"cookies": {func(context.Context) (*Entry, error) {
			e := html("x")
			e.Header.Set("Set-Cookie", "a=b")
			return e, nil
		}, "cookie"},
		"NoStore":       {func(context.Context) (*Entry, error) { e := html("x"); e.NoStore = true; return e, nil }, ""},
		"fill timeouts": {func(ctx context.Context) (*Entry, error) { <-ctx.Done(); return nil, ctx.Err() }, "deadline"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := newCache(t, func(c *Config) { c.FillTimeout = 20 * time.Millisecond })
			e, _, err := c.Fetch(t.Context(), front, tc.fill)
			if tc.want == "" && (err != nil || string(e.Body) != "x") ||
				tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
				t.Fatalf("got %v, %v", e, err)
			}
			want(t, c, front, newSource("next").fill, Miss, "next")
		})
	}
}

func TestBackgroundFillThatFails(t *testing.T) {
	t.Parallel()
	status := func(code int) *Entry { e := html("stand-in"); e.Status, e.NoStore = code, true; return e }
	for name, tc := range map[string]struct {
		invalidate bool
		entry      *Entry
		err        error
		kept       bool
	}{
		"aged, error":               {false, nil, errors.New("database away"), true},
		"aged, page not rendered":   {false, status(200), nil, true},
		"aged, server error":        {false, status(503), nil, true},
		"aged, page is gone":        {false, status(404), nil, false},
		"aged, page has moved":      {false, status(301), nil, false},
		"invalidated, error":        {true, nil, errors.New("not found"), false},
		"invalidated, not rendered": {true, status(200), nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, clock := newCache(t, nil)
			want(t, c, front, newSource("old", "post:17").fill, Miss, "old")
			clock.advance(2 * time.Minute)
			if tc.invalidate {
				c.Invalidate("north", "post:17")
			}
			var fills atomic.Int64
			failing := func(context.Context) (*Entry, error) { fills.Add(1); return tc.entry, tc.err }
			want(t, c, front, failing, Stale, "old")
			if !tc.kept {
				wait.Until(t, "the old page is dropped", func() bool { _, ok := c.store.GetIfPresent(front); return !ok })
				want(t, c, front, newSource("now").fill, Miss, "now")
				return
			}
			wait.Until(t, "the failed fill has ended", func() bool {
				e, ok := c.store.GetIfPresent(front)
				return ok && e.nextFill.Load() == clock.now().Add(5*time.Second).UnixNano()
			})
			before := c.Stats().Fills
			want(t, c, front, failing, Stale, "old")
			if e, _ := c.store.GetIfPresent(front); e.nextFill.Load() == math.MaxInt64 || c.Stats().Fills != before {
				t.Error("a fill began before the pause was over")
			}
			clock.advance(5 * time.Second)
			want(t, c, front, failing, Stale, "old")
			wait.Until(t, "another try after the pause", func() bool { return fills.Load() == 2 })
		})
	}
}

func TestSizeIsBounded(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	c, _ := newCache(t, func(c *Config) { c.MaxBytes = limit })
	for i := range 200 {
		key := Key{Edition: "north", Path: fmt.Sprint("/", i), Tier: Anonymous}
		e := html(strings.Repeat(fmt.Sprint(i), 8<<10))
		e.Header.Set("Content-Type", "image/png") // kept as it is
		if _, _, err := c.Fetch(t.Context(), key, func(context.Context) (*Entry, error) { return e, nil }); err != nil {
			t.Fatal(err)
		}
	}
	c.store.CleanUp()
	if s := c.Stats(); s.Bytes > limit || s.Entries == 0 || s.Bytes < limit/2 {
		t.Errorf("%d bytes in %d entries, limit %d", s.Bytes, s.Entries, limit)
	}
}

func TestForgottenTagsAreThoseNoEntryCanCarry(t *testing.T) {
	t.Parallel()
	c, clock := newCache(t, nil)
	l := c.tagIndex("north")
	for i := range pruneAt {
		c.Invalidate("north", fmt.Sprint("post:", i))
	}
	clock.advance(5 * time.Minute)
	want(t, c, front, newSource("page", "late").fill, Miss, "page")
	c.Invalidate("north", "late")
	if len(l.tags) != pruneAt+1 {
		t.Fatalf("%d tags remembered; too early to forget", len(l.tags))
	}
	clock.advance(5 * time.Minute)
	c.Invalidate("north", "last")
	if len(l.tags) != 2 {
		t.Errorf("%d tags remembered, want 2", len(l.tags))
	}
	if e, ok := c.store.GetIfPresent(front); !ok || e.tagIndex.freshness(e) != outdated {
		t.Error("an invalidation was forgotten too early")
	}
}

func TestParallelUse(t *testing.T) {
	t.Parallel()
	c, clock := newCache(t, func(c *Config) { c.MaxBytes = 1 << 20 })
	var published atomic.Int64 // purged whenever it moves: nobody may see less than it
	var writer, readers sync.WaitGroup
	stop := make(chan struct{})
	writer.Go(func() {
		for i := int64(1); i <= 200; i++ {
			published.Store(i)
			c.Purge("north", "front")
			c.Invalidate("north", fmt.Sprint("post:", i%7))
			clock.advance(time.Second)
		}
		close(stop)
	})
	for g := range 4 {
		readers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				key := Key{Edition: "north", Path: fmt.Sprint("/", (g+i)%9), Tier: Anonymous}
				least := published.Load() - 1 // its purge may be on the way
				e, _, err := c.Fetch(t.Context(), key, func(context.Context) (*Entry, error) {
					return html(fmt.Sprint(published.Load()), "front", fmt.Sprint("post:", i%7)), nil
				})
				var got int64
				if err == nil {
					_, err = fmt.Sscan(string(e.Body), &got)
				}
				if err != nil || got < least {
					t.Errorf("got %d after %d was purged: %v", got, least, err)
					return
				}
			}
		})
	}
	writer.Wait()
	readers.Wait()
}

func TestQuery(t *testing.T) {
	t.Parallel()
	for raw, wanted := range map[string]string{
		"":                           "",
		"utm_source=x":               "",
		"offset=19&utm_source=x":     "offset=19",
		"q=b&offset=19":              "offset=19&q=b",
		"offset=19&q=b":              "offset=19&q=b",
		"q=%C5%A1+a":                 "q=%C5%A1+a",
		"q=a;b&offset=1":             "offset=1",
		"offset=1&bad=%zz&offset=%z": "offset=1",
	} {
		if got := Query(raw, "offset", "q"); got != wanted {
			t.Errorf("%q: got %q, want %q", raw, got, wanted)
		}
	}
}
