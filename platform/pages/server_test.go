package pages

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/testkit"
)

// What differs by browser must not get into a page that is kept: only pages of one reader are told the app.
func TestOnlyPersonalPagesLearnTheApp(t *testing.T) {
	t.Parallel()
	ctx, _ := testkit.Edition(t)
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatal(err)
	}
	path := ed.Href(edition.Login)
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("User-Agent", "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram "+
		"357.1.0")
	for name, c := range map[string]struct {
		source page.Source
		want   string
	}{
		"personal":            {page.Source{Personal: true}, "Instagram"},
		"shared":              {page.Source{}, ""},
		"personal to readers": {page.Source{PersonalToReaders: true}, ""},
	} {
		s := &Server{Sources: page.Sources{edition.Login: c.source}}
		if got := s.visit(ed, path, r, r.URL).req.InApp; got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Who has a subscription gets the page of those who have one, where nothing is locked too; where that cannot be
// learned, that of all readers.
func TestTiers(t *testing.T) {
	t.Parallel()
	failed := errors.New("no answer")
	member := func(context.Context, *page.Request) (page.Tier, error) { return page.Member, nil }
	for name, c := range map[string]struct {
		reader     int64
		own        func(context.Context, *page.Request) (page.Tier, error)
		subscribed func(context.Context, int64) (bool, error)
		want       page.Tier
	}{
		"a visitor": {0, nil, func(context.Context, int64) (bool, error) {
			return true, nil
		}, page.Anonymous},
		"a reader": {7, nil, func(context.Context, int64) (bool, error) {
			return false, nil
		}, page.Member},
		"a subscriber": {7, nil, func(_ context.Context, id int64) (bool, error) {
			return id == 7, nil
		}, page.Entitled},
		"a subscriber, of an open article": {7, member, func(context.Context, int64) (bool, error) {
			return true, nil
		}, page.Entitled},
		"a reader of whom nothing is known": {7, nil, func(context.Context, int64) (bool, error) {
			return true, failed
		}, page.Member},
		"a reader, while nobody answers": {7, nil, func(ctx context.Context, _ int64) (bool, error) {
			<-ctx.Done()
			return false, ctx.Err()
		}, page.Member},
		"a reader, where nobody is asked": {7, nil, nil, page.Member},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &Server{Subscribed: c.subscribed}
			ctx := t.Context()
			if c.reader != 0 {
				ctx = session.With(ctx, session.Session{ReaderID: c.reader})
			}
			if got, err := s.tier(ctx, visit{source: page.Source{Tier: c.own}, req: &page.Request{}}); got != c.want ||
				err != nil {
				t.Errorf("%s %v, want %s", got, err, c.want)
			}
		})
	}
}

// An address has a page of its own in memory only by values that change the page, however many others are tried.
func TestQueryValues(t *testing.T) {
	t.Parallel()
	ctx, _ := testkit.Edition(t)
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatal(err)
	}
	cache, err := pagecache.New(pagecache.Config{})
	if err != nil {
		t.Fatal(err)
	}
	loads := 0
	s := &Server{Cache: cache, Now: time.Now, Sources: page.Sources{edition.Front: {
		Query: []string{"kind", "offset"},
		Value: func(_ *edition.Edition, name, value string) bool { return name != "kind" || value == "minutes" },
		Load:  func(context.Context, *page.Request) (*page.Page, error) { loads++; return &page.Page{}, nil },
	}}, Video: func(context.Context, int64) (*page.Video, error) { return &page.Video{}, nil }}
	for _, c := range []struct {
		query, want string
		loads       int
	}{
		{"", "", 1},
		{"kind=x", "", 1},
		{"kind=", "", 1},
		{"kind=Minutes", "", 1},
		{"kind=x&kind=minutes", "", 1},
		{"other=minutes", "", 1},
		{"kind=minutes", "kind=minutes", 2},
		{"kind=minutes&kind=x", "kind=minutes", 2},
		{"kind=y&offset=7", "offset=7", 3},
		{"offset=7&offset=8&kind=", "offset=7", 3},
		{"video-komentar=5", "video-komentar=5", 4},
		{"video-komentar=05&kind=z", "video-komentar=5", 4},
		{"video-komentar=%2B5&video-komentar=6", "video-komentar=5", 4},
	} {
		r := httptest.NewRequest(http.MethodGet, "/?"+c.query, nil).WithContext(ctx)
		a, err := s.find(r, ed, r.URL, data, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.entry.Key().Query; got != c.want || loads != c.loads {
			t.Errorf("%s: got the key %q after %d loads, want %q after %d", c.query, got, loads, c.want, c.loads)
		}
	}
}

// What is made for one reader goes to no other, not even to one of the same tier who asks at the same moment.
func TestPersonalPagesAreSharedWithNobody(t *testing.T) {
	t.Parallel()
	ctx, _ := testkit.Edition(t)
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		source  page.Source
		readers [2]int64
		loads   int64
	}{
		"personal, of readers":             {page.Source{Personal: true}, [2]int64{7, 8}, 2},
		"personal, of visitors":            {page.Source{Personal: true}, [2]int64{0, 0}, 2},
		"personal to readers, of readers":  {page.Source{PersonalToReaders: true}, [2]int64{7, 8}, 2},
		"personal to readers, of visitors": {page.Source{PersonalToReaders: true}, [2]int64{0, 0}, 1},
		"shared, of readers":               {page.Source{}, [2]int64{7, 8}, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			cache, err := pagecache.New(pagecache.Config{})
			if err != nil {
				t.Fatal(err)
			}
			var loads atomic.Int64
			c.source.Load = func(context.Context, *page.Request) (*page.Page, error) {
				n := loads.Add(1)
				time.Sleep(time.Second) // the other asks meanwhile
				return &page.Page{Data: n}, nil
			}
			s := &Server{Cache: cache, Now: time.Now}
			var all sync.WaitGroup
			for _, reader := range c.readers {
				all.Go(func() {
					ctx := t.Context()
					if reader != 0 {
						ctx = session.With(ctx, session.Session{ReaderID: reader})
					}
					v := visit{ed: ed, source: c.source, req: &page.Request{Edition: ed, Route: edition.Login, Path: "/x"}}
					if _, _, err := s.fetch(ctx, v, data, nil); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				})
			}
			all.Wait()
			if got := loads.Load(); got != c.loads {
				t.Errorf("%s: got %d loads, want %d", name, got, c.loads)
			}
		})
	}
}

// The kind of a source decides alone whether its answers may be kept: a page of one that is personal is never kept,
// whatever it says itself, in any form of answer.
func TestPersonalPagesAreNeverKept(t *testing.T) {
	t.Parallel()
	ctx, _ := testkit.Edition(t)
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]*page.Page{
		"a page":                         {Data: "x"},
		"a page that says to be kept":    {Data: "x", Tags: []string{"front"}, Until: time.Now().Add(time.Hour)},
		"a redirect":                     {Status: http.StatusFound, Redirect: "/y"},
		"a permanent redirect":           page.Redirect("/y"),
		"another route's page":           {Route: edition.Profile, Data: "x"},
		"a page with NoStore of its own": {Data: "x", NoStore: true},
	}
	for name, c := range map[string]struct {
		source page.Source
		reader int64
		kept   bool
	}{
		"personal, of a reader":             {page.Source{Personal: true}, 7, false},
		"personal, of a visitor":            {page.Source{Personal: true}, 0, false},
		"personal to readers, of a reader":  {page.Source{PersonalToReaders: true}, 7, false},
		"personal to readers, of a visitor": {page.Source{PersonalToReaders: true}, 0, true},
		"shared, of a reader":               {page.Source{}, 7, true},
	} {
		for form, made := range answers {
			for _, variant := range []string{document, data} {
				t.Run(name+"/"+form+"/"+variant, func(t *testing.T) {
					t.Parallel()
					cache, err := pagecache.New(pagecache.Config{})
					if err != nil {
						t.Fatal(err)
					}
					c.source.Load = func(context.Context, *page.Request) (*page.Page, error) {
						p := *made
						return &p, nil
					}
					ctx := ctx
					if c.reader != 0 {
						ctx = session.With(ctx, session.Session{ReaderID: c.reader})
					}
					s := &Server{Cache: cache, Now: time.Now, Renderer: blank{}, Assets: &Assets{}}
					v := visit{ed: ed, source: c.source, req: &page.Request{Edition: ed, Route: edition.Login, Path: "/x"}}
					e, _, err := s.fetch(ctx, v, variant, nil)
					if err != nil {
						t.Fatal(err)
					}
					want := c.kept && !made.NoStore
					if e.NoStore == want {
						t.Errorf("got NoStore %v, want %v", e.NoStore, !want)
					}
					if got := cache.Stats().Entries; (got > 0) != want {
						t.Errorf("got %d entries in the cache, want kept: %v", got, want)
					}
				})
			}
		}
	}
}

// blank renders nothing.
type blank struct{}

func (blank) Page(context.Context, string, []byte) ([]byte, error) {
	return []byte("<main></main>"), nil
}
