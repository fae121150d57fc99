package web

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/maypok86/otter/v2"

	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/paper/edition"
)

// FastPath answers visitors out of the page cache without asking the router and its middleware again what they have
// found out for a visitor before: which answer the cache has for an address, with which header lines. It takes requests
// that say nothing but an address: of a browser, and without any cookie that the paper reads when it makes a page, but
// for a session that is in memory. Whatever is not fresh in the cache goes the long way.
type FastPath struct {
	FastPathOptions
	known *otter.Cache[target, *remembered]
}

// FastPathOptions are what the middleware of the long way has too.
type FastPathOptions struct {
	Lookup       Lookup
	Cache        *pagecache.Cache
	Record       *Record
	TrustsProxy  func(*http.Request) bool
	ClientIP     func(*http.Request) netip.Addr
	InertCookies []string // that change no page
	Cookies      Cookies
	Running      *Running      // a reader's tier may have to be looked up
	Patience     time.Duration // for that
}

// target is what a visitor asks for. The edition is one of the registry: changed, it is another one.
type target struct {
	ed       *edition.Edition
	uri      string
	signedIn bool
}

// remembered is how a target was answered.
type remembered struct {
	key   pagecache.Key
	head  *pagecache.Head // but for what is new each time
	log   slog.Handler    // for its lines
	route string          // as it is traced
	each  []func(context.Context)
	tier  TierOf // of a reader; nil for a visitor
}

// Bounds of what is remembered. Once a minute the long way is taken again.
const (
	fastTargets   = 5_000 // about ten megabytes
	longestTarget = 512
	fastLife      = time.Minute
)

// NewFastPath makes one that knows nothing yet.
func NewFastPath(o FastPathOptions) *FastPath {
	return &FastPath{o, otter.Must(&otter.Options[target, *remembered]{
		MaximumSize: fastTargets, ExpiryCalculator: otter.ExpiryWriting[target, *remembered](fastLife),
	})}
}

// Handler answers what it can, and gives the rest to next.
func (f *FastPath) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rest := f.serve(w, r); rest != nil {
			next.ServeHTTP(w, rest)
		}
	})
}

// Learn lets handlers of suitable requests remember their answers. It follows Identify.
func (f *FastPath) Learn(c *gin.Context) {
	if rq, ok := c.Request.Context().Value(requestKey{}).(*request); ok {
		if _, suits := f.suits(c.Request); suits {
			rq.fast = f
		}
	}
}

// suits reports whether a request says nothing but an address and perhaps whose session it is, and is none of a
// program: those are not counted among the readers of a page.
func (f *FastPath) suits(r *http.Request) (token string, ok bool) {
	if r.Method != http.MethodGet || r.ContentLength != 0 || len(r.RequestURI) > longestTarget {
		return "", false
	}
	if strings.ContainsRune(r.RequestURI, '?') && !plainDataCall(r.RequestURI) {
		return "", false
	}
	session, handle := f.Cookies.name(), false
	for _, line := range r.Header["Cookie"] {
		for line != "" {
			var pair string
			pair, line, _ = strings.Cut(line, ";")
			name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
			switch {
			case name == session && token == "" && value != "":
				token = value
			case name == handleCookie:
				handle = true
			case !slices.Contains(f.InertCookies, name):
				return "", false
			}
		}
	}
	if handle && token == "" {
		return "", false
	}
	return token, !IsPrefetch(r) && !IsAutomated(r)
}

// plainDataCall reports whether an address is that of a page's data, and the page's has no parameters.
func plainDataCall(uri string) bool {
	path, isData := strings.CutPrefix(uri, "/api/page?url=")
	return isData && !strings.ContainsAny(path, "?&;+#") && !strings.Contains(strings.ToLower(path), "%3f")
}

// serve answers a request and returns nil, or what has to go the long way.
func (f *FastPath) serve(w http.ResponseWriter, r *http.Request) (rest *http.Request) {
	start := time.Now()
	token, ok := f.suits(r)
	if !ok {
		return r
	}
	ed, ok := f.Lookup(r.Host)
	if !ok {
		return r
	}
	known, ok := f.known.GetIfPresent(target{ed, r.RequestURI, token != ""})
	if !ok {
		return r
	}
	key := known.key
	if token != "" {
		if key.Tier, rest = f.readersTier(r, ed, token, known); rest != nil {
			return rest
		}
	}
	e, ok := f.Cache.Fresh(key)
	if !ok || e.Status != http.StatusOK {
		return withDecided(r, token, key)
	}
	id := requestID(r, f.TrustsProxy)
	w.Header()["X-Request-Id"] = []string{id}
	status, bytes := known.head.Serve(w, r, e)
	f.Record.add(r.Context(), answered{
		id: id, edition: ed.ID, method: r.Method, status: status, bytes: bytes, took: time.Since(start), cache: hit[0],
		route: known.route,
	}, func() slog.Handler { return known.log })
	if len(known.each) > 0 {
		ctx := f.asking(r.Context(), r, ed)
		for _, fn := range known.each {
			fn(ctx)
		}
	}
	return nil
}

// asking is a context with the edition and with who asks.
func (f *FastPath) asking(ctx context.Context, r *http.Request, ed *edition.Edition) context.Context {
	rq := &request{from: r, clientIP: f.ClientIP}
	return edition.With(context.WithValue(ctx, requestKey{}, rq), ed)
}

var hit = []string{pagecache.Hit.String()}

// Each does something for a request, such as counting it, and again for each that is answered like it. The context of
// fn has the edition and who asks.
func Each(ctx context.Context, fn func(context.Context)) {
	if rq, ok := ctx.Value(requestKey{}).(*request); ok && rq.fast != nil {
		rq.each = append(rq.each, fn)
	}
	fn(ctx)
}

// SendKept answers with what is the same for many, and remembers how for the next visitor; and for the next reader too
// where tier says of which tier one is. nil is for answers of which that cannot be said from the address alone.
func SendKept(c *gin.Context, e *pagecache.Entry, outcome pagecache.Outcome, tier TierOf) {
	h := c.Writer.Header()
	h["X-Cache"] = outcomes[outcome]
	if outcome == pagecache.Hit {
		remember(c, e, tier)
	}
	if SessionToken(c.Request) != "" {
		pagecache.ServePrivate(c.Writer, c.Request, e)
	} else {
		pagecache.Serve(c.Writer, c.Request, e)
	}
	c.Writer.WriteHeaderNow() // also without a body, or the router would put its own words in the place of a missing page
}

var outcomes = map[pagecache.Outcome][]string{
	pagecache.Hit: hit, pagecache.Miss: {pagecache.Miss.String()}, pagecache.Stale: {pagecache.Stale.String()},
}

// remember notes how a request is answered, before the lines of the answer itself are set.
func remember(c *gin.Context, e *pagecache.Entry, tier TierOf) {
	ctx := c.Request.Context()
	rq, ok := ctx.Value(requestKey{}).(*request)
	ed, err := edition.From(ctx)
	h := c.Writer.Header()
	if !ok || err != nil || rq.fast == nil || e.Status != http.StatusOK || len(h["Set-Cookie"]) > 0 {
		return
	}
	rec := rq.fast.Record
	like := answered{edition: ed.ID, method: c.Request.Method, cache: hit[0]}
	log := rec.handlerFor(like, LogPath(ctx, c.Request.URL))
	known := &remembered{key: e.Key(), log: log, route: rec.route(c)}
	signedIn := SessionToken(c.Request) != ""
	switch {
	case !signedIn && known.key.Tier == pagecache.Anonymous:
		known.each = rq.each
	case signedIn && tier != nil:
		known.tier = tier // which does what is done for each
	default:
		return
	}
	h = maps.Clone(h)
	delete(h, "X-Request-Id")
	delete(h, "Connection")
	known.head = pagecache.NewHead(h, signedIn)
	rq.fast.known.Set(target{ed, strings.Clone(c.Request.RequestURI), signedIn}, known)
}
