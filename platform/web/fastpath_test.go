package web

import (
	"bytes"
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// shortcut is a site with one page that is kept, for each address, and counts who comes the long way and who is
// counted as a reader.
type shortcut struct {
	http.Handler
	cache         *pagecache.Cache
	long, counted int
	log           bytes.Buffer
	numbers       *prometheus.Registry
	fast          *FastPath
	tier, cookie  string
	status        int
	edition, body string                     // the body is "a page" unless set
	sessions      map[string]session.Session // by token
	entitled      map[int64]bool             // readers
	decided       int                        // how often a reader's tier was found out
	undecided     error
	deciding      func() // while a tier is found out
}

func newShortcut(t *testing.T) *shortcut {
	t.Helper()
	ed, err := edition.New(testkit.Document(0), testkit.Origin)
	if err != nil {
		t.Fatal(err)
	}
	s := &shortcut{numbers: prometheus.NewRegistry(), tier: pagecache.Anonymous, status: http.StatusOK}
	s.sessions, s.entitled = map[string]session.Session{}, map[int64]bool{}
	if s.cache, err = pagecache.New(pagecache.Config{}); err != nil {
		t.Fatal(err)
	}
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	lookup := func(host string) (*edition.Edition, bool) { return ed, host == "sk.test" }
	never := func(*http.Request) bool { return false }
	policy := NewPolicy(true)
	record := NewRecord(s.numbers, slog.New(slog.NewTextHandler(&s.log, nil)), "all", nil)
	fast := NewFastPath(FastPathOptions{
		Lookup: lookup, Cache: s.cache, Record: record, TrustsProxy: never, ClientIP: ClientIP(e),
		InertCookies: []string{"choice"}, Cookies: Cookies{Remembered: s.remembered}, Running: NewRunning(1),
		Patience: time.Minute,
	})
	e.Use(Identify(never, ClientIP(e)), fast.Learn, record.Requests, policy.Security, Editions(lookup),
		Cookies{Remembered: s.remembered}.Sessions(nobody))
	e.NoRoute(Do(func(c *gin.Context) error {
		s.long++
		if s.cookie != "" {
			c.Header("Set-Cookie", s.cookie)
		}
		Each(c.Request.Context(), func(ctx context.Context) {
			if got, err := edition.From(ctx); err == nil && got == ed && Visitor(ctx) != 0 {
				s.counted++
			}
		})
		key := pagecache.Key{Edition: ed.ID, Path: c.Request.RequestURI, Tier: s.tier}
		if session.ReaderID(c.Request.Context()) != 0 {
			tier, found, err := DecidedTier(c.Request.Context(), key.Path, "")
			if !found {
				tier, err = s.tierOf(c.Request.Context())
			}
			if err != nil {
				return err
			}
			key.Tier = tier
		}
		e, outcome, err := s.cache.Fetch(c.Request.Context(), key, func(context.Context) (*pagecache.Entry, error) {
			return &pagecache.Entry{
				Status: s.status, Header: http.Header{"Content-Type": {"text/html"}},
				Body: []byte(cmp.Or(s.body, "a page") + strings.Repeat("!", len(key.Tier)-len(s.tier))), Tags: []string{"post:1"},
			}, nil
		})
		if err != nil {
			return err
		}
		tier := s.tierOf
		if c.Request.RequestURI == "/call" {
			tier = nil // as for what not all readers get
		}
		SendKept(c, e, outcome, tier)
		return nil
	}))
	s.fast, s.edition, s.Handler = fast, ed.ID, fast.Handler(e)
	return s
}

// get asks as a visitor's browser does, but for what change makes of the request.
func (s *shortcut) get(uri string, change func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, uri, nil)
	r.Host = "sk.test"
	r.Header.Set("User-Agent", "Mozilla/5.0")
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func (s *shortcut) remembered(_ context.Context, token string) (session.Session, bool) {
	found, ok := s.sessions[token]
	return found, ok
}

// tierOf is that of readers: with three letters more where they are entitled.
func (s *shortcut) tierOf(ctx context.Context) (string, error) {
	s.decided++
	if s.deciding != nil {
		s.deciding()
	}
	switch reader := session.ReaderID(ctx); {
	case s.entitled[reader]:
		return s.tier + "all", s.undecided
	case reader == visitorLike:
		return s.tier, s.undecided
	}
	return s.tier + "a", s.undecided
}

// visitorLike is a reader who gets what visitors get.
const visitorLike = 99

// nobody knows no session.
func nobody(context.Context, string) (s session.Session, ok bool, err error) { return s, false, nil }

// A page that was given from memory once is given again without the router, with the same header, and is counted and
// logged all the same.
func TestTheFastPathAnswersAsTheLongOne(t *testing.T) {
	t.Parallel()
	s := newShortcut(t)
	s.get("/page", nil) // is made
	long := s.get("/page", nil)
	fast := s.get("/page", func(r *http.Request) { r.Header.Set("Cookie", "choice=all; choice=none") })
	if s.long != 2 || s.counted != 3 {
		t.Fatalf("%d went the long way and %d were counted, want 2 and 3", s.long, s.counted)
	}
	const own = "X-Request-Id"
	if a, b := long.Header().Get(own), fast.Header().Get(own); a == "" || b == "" || a == b {
		t.Errorf("%s: got %q and %q, want one for each answer", own, a, b)
	}
	long.Header().Del(own)
	fast.Header().Del(own)
	if a, b := headerText(long.Header()), headerText(fast.Header()); a != b || long.Body.String() != fast.Body.String() {
		t.Errorf("the long way:\n%s\nthe fast one:\n%s", a, b)
	}
	if got := fast.Header().Get("Strict-Transport-Security"); got == "" {
		t.Error("the header lines of the site are missing")
	}
	tag := fast.Header().Get("Etag")
	again := s.get("/page", func(r *http.Request) { r.Header.Set("If-None-Match", tag) })
	if again.Code != http.StatusNotModified {
		t.Errorf("with its tag: got %d, want 304", again.Code)
	}
	if n := len(regexp.MustCompile(`path=/page .*status=200 bytes=6`).FindAllString(s.log.String(), -1)); n != 3 {
		t.Errorf("%d lines in the log, want 3:\n%s", n, &s.log)
	}
	families, err := s.numbers.Gather()
	if err != nil {
		t.Fatal(err)
	}
	n := uint64(0)
	for _, f := range families {
		for _, m := range f.GetMetric() {
			n += m.GetHistogram().GetSampleCount()
		}
	}
	if n != 4 {
		t.Errorf("%d requests were measured, want 4", n)
	}
}

func headerText(h http.Header) string {
	var b strings.Builder
	_ = h.Write(&b) // into memory
	return b.String()
}

// Whatever says more than an address goes the long way, and is not remembered from there.
func TestTheFastPathTakesOnlyVisitors(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*http.Request){
		"a session":          func(r *http.Request) { r.AddCookie(&http.Cookie{Name: Cookies{}.name(), Value: "x"}) },
		"an unknown cookie":  func(r *http.Request) { r.Header.Set("Cookie", "choice=all; login_request=1") },
		"a second line":      func(r *http.Request) { r.Header["Cookie"] = []string{"choice=all", "known=1"} },
		"another method":     func(r *http.Request) { r.Method = http.MethodPost },
		"a body":             func(r *http.Request) { r.ContentLength = 5 },
		"another host":       func(r *http.Request) { r.Host = "other.test" },
		"a crawler":          func(r *http.Request) { r.Header.Set("User-Agent", "Googlebot/2.1") },
		"no browser":         func(r *http.Request) { r.Header.Del("User-Agent") },
		"a prefetch":         func(r *http.Request) { r.Header.Set("Sec-Purpose", "prefetch") },
		"a parameter":        func(r *http.Request) { r.RequestURI += "?code=1" },
		"data of a question": func(r *http.Request) { r.RequestURI = "/api/page?url=/page%3Fcode=1" },
		"a long address":     func(r *http.Request) { r.RequestURI += strings.Repeat("x", longestTarget) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShortcut(t)
			for range 3 {
				s.get("/page", change)
			}
			want := 3
			if name == "another host" {
				want = 0
			}
			if s.long != want {
				t.Fatalf("%d of 3 went the long way", s.long)
			}
			for range 2 { // a visitor's browser has the address remembered
				s.get("/page", nil)
			}
			s.long = 0
			s.get("/page", change)
			if s.long != min(want, 1) {
				t.Error("it was answered in the fast way, because others had been")
			}
		})
	}
}

// What is not the same for all visitors, not a page, or no longer right, is asked for each time.
func TestTheFastPathKnowsOnlyWhatIsFresh(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*shortcut){
		"for subscribers": func(s *shortcut) { s.tier = "entitled" },
		"with a cookie":   func(s *shortcut) { s.cookie = "seen=1" },
		"not there":       func(s *shortcut) { s.status = http.StatusNotFound },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShortcut(t)
			change(s)
			for range 4 {
				s.get("/page", nil)
			}
			if s.long != 4 {
				t.Errorf("%d of 4 went the long way", s.long)
			}
		})
	}
	s := newShortcut(t)
	for range 3 {
		s.get("/page", nil)
	}
	for name, change := range map[string]func(){
		"invalidated": func() { s.cache.Invalidate("test_sk", "post:1") },
		"purged":      func() { s.cache.Purge("test_sk", "post:1") },
		"all purged":  func() { s.cache.PurgeEdition("test_sk") },
	} {
		change()
		s.long = 0
		if w := s.get("/page", nil); s.long != 1 || w.Header().Get("X-Cache") == "hit" {
			t.Errorf("%s: answered in the fast way, %q", name, w.Header().Get("X-Cache"))
		}
		wait.Until(t, "the page is made anew", func() bool { return s.get("/page", nil).Header().Get("X-Cache") == "hit" })
		s.get("/page", nil)
	}
}
