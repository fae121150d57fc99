// Package pages answers the pages of an edition: it finds the route, asks which tier the
// visitor is of, and serves the cached document of that tier, rendered once.
package pages

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/time/rate"

	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// Renderer makes the HTML of #app from a page's JSON.
type Renderer interface {
	Page(ctx context.Context, editionID string, pageJSON []byte) ([]byte, error)
}

// Server serves pages. All fields are required, but for Video and Subscribed.
type Server struct {
	// Subscribed reports whether a reader may read all that the edition has; nil: nobody may.
	Subscribed func(ctx context.Context, readerID int64) (bool, error)
	// Video finds the video that ?video-komentar= names, nil for none.
	Video    func(ctx context.Context, id int64) (*page.Video, error)
	Sources  page.Sources
	Cache    *pagecache.Cache
	Renderer Renderer
	Assets   *Assets
	Log      *slog.Logger
	Now      func() time.Time

	renders renders
}

// Variants of a cached page: the document, and what the browser asks for on navigation.
const (
	document = "html"
	data     = "json"
)

// visit is one request for a page, resolved.
type visit struct {
	ed     *edition.Edition
	source page.Source
	req    *page.Request
	query  string   // allow-listed, in one fixed form
	asks   []string // the names in it that are allowed
	video  *page.Video
}

// Document answers a GET or HEAD of a page's address with HTML. It is asked for all that no other route answers.
func (s *Server) Document(c *gin.Context) error {
	r := c.Request
	ed, err := edition.From(r.Context())
	if err != nil {
		return err
	}
	if err := answerable(c, ed); err != nil {
		return err
	}
	a, err := s.find(r, ed, r.URL, document, s.renders.limiter(r.Context(), ed.ID, c.ClientIP()))
	if err != nil {
		return s.apologise(c, ed, err)
	}
	switch {
	case a.to == "":
		s.serve(c, a.entry, a.outcome)
		return nil
	case a.entry == nil:
		c.Header("Cache-Control", "public, max-age=3600")
	default:
		// The answer is shared by all who ask; what this visitor had in the query goes along.
		c.Header("Cache-Control", "private, no-store")
	}
	c.Redirect(a.status, a.to)
	return nil
}

// answerable refuses what is no request for a page: an unknown call, or a method that a page does not have. The router
// has set Allow where it knows the address with other methods.
func answerable(c *gin.Context, ed *edition.Edition) error {
	r := c.Request
	looks := r.Method == http.MethodGet || r.Method == http.MethodHead
	path := tidy(ed, r.URL.EscapedPath())
	allowed := c.Writer.Header().Get("Allow")
	_, _, known := ed.Routes.Match(path)
	switch {
	case web.IsCall(r.URL.Path):
		if looks && allowed == "" && path != r.URL.EscapedPath() {
			return nil // it is sent to the address without the slash
		}
	case looks && (known || allowed == ""):
		c.Writer.Header().Del("Allow")
		return nil
	case known:
		allowed = strings.Join(append([]string{http.MethodGet, http.MethodHead}, strings.FieldsFunc(allowed, isComma)...),
			", ")
	}
	if allowed == "" {
		return web.ErrNotFound
	}
	c.Header("Allow", allowed)
	return web.ErrMethod
}

func isComma(r rune) bool { return r == ',' || r == ' ' }

// answer is what stands at an address, or where that leads. entry is nil for an address that was only put in order.
type answer struct {
	entry   *pagecache.Entry
	outcome pagecache.Outcome
	to      string
	status  int
}

// find looks for the page of an address. One that has to be put in order, and whose page has moved, leads there at
// once.
func (s *Server) find(r *http.Request, ed *edition.Edition, u *url.URL, variant string,
	budget *rate.Limiter,
) (a answer, err error) {
	path := u.EscapedPath()
	home := tidy(ed, path)
	moved := answer{to: withQuery(home, u.RawQuery), status: http.StatusMovedPermanently}
	asked := r.Clone(r.Context())
	asked.URL = u
	v := s.visit(ed, home, asked)
	if home != path {
		if v.source.Personal || v.source.PersonalToReaders || strings.ContainsAny(home, "?#") || web.IsCall(home) {
			return moved, nil
		}
		v.req.Speculative = true // the reader comes again, to the page itself
	}
	if v.video, err = s.videoOf(r.Context(), v, u); err != nil {
		return a, err
	}
	if v.video != nil {
		if v.video.Locked {
			return answer{entry: &pagecache.Entry{}, to: v.video.URL, status: http.StatusFound}, nil
		}
		v.query = pagecache.Query(u.RawQuery, append(v.asks, videoMark)...)
	}
	e, outcome, err := s.fetch(r.Context(), v, variant, budget)
	if err != nil {
		return a, err
	}
	a = answer{entry: e, outcome: outcome}
	if to := e.Header.Get("Location"); to != "" {
		a.to, a.status = withQuery(to, u.RawQuery, v.source.Spent...), e.Status
		return a, nil
	}
	if home != path && (e.Status != http.StatusNotFound || path != home+"/") {
		return moved, nil
	}
	return a, nil
}

// DataPath is where Data is.
const DataPath = "/api/page"

// Data answers GET /api/page?url= with the JSON of the same page.
func (s *Server) Data(c *gin.Context) error {
	ed, err := edition.From(c.Request.Context())
	if err != nil {
		return err
	}
	u, err := url.Parse(c.Query("url"))
	if err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(u.Path, "/") || strings.HasPrefix(u.Path, "//") {
		return web.ErrInvalidArgs.On("url").Becausef("%q is not a local address", c.Query("url"))
	}
	a, err := s.find(c.Request, ed, u, data, nil)
	if err != nil {
		return err
	}
	if a.to != "" {
		return web.OK(c, gin.H{"redirect": a.to, "status": a.status})
	}
	s.serve(c, a.entry, a.outcome)
	return nil
}

func (s *Server) serve(c *gin.Context, e *pagecache.Entry, outcome pagecache.Outcome) {
	c.Writer.Header()["X-Cache"] = outcomes[outcome]
	if web.SessionToken(c.Request) != "" {
		pagecache.ServePrivate(c.Writer, c.Request, e)
	} else {
		pagecache.Serve(c.Writer, c.Request, e)
	}
	c.Writer.WriteHeaderNow() // also without a body, or the router would put its own words in the place of a missing page
}

var outcomes = map[pagecache.Outcome][]string{
	pagecache.Hit: {"hit"}, pagecache.Miss: {"miss"}, pagecache.Stale: {"stale"},
}

// videoMark names the video that an address lays over its page.
const videoMark = "video-komentar"

// videoOf finds the video that an address lays over a page, nil for none and for what is no video. A page that is not
// there leads to what the number is, and has nothing laid over it.
func (s *Server) videoOf(ctx context.Context, v visit, u *url.URL) (*page.Video, error) {
	id, err := strconv.ParseInt(u.Query().Get(videoMark), 10, 64)
	if err != nil || id <= 0 || s.Video == nil || v.req.Route == edition.NotFound {
		return nil, nil //nolint:nilnil,nilerr // no number names no video
	}
	return s.Video(ctx, id)
}

func (s *Server) visit(ed *edition.Edition, path string, r *http.Request) visit {
	route, params, ok := ed.Routes.Match(path)
	source, known := s.Sources[route]
	if !ok || !known {
		route, params, source = edition.NotFound, nil, s.Sources[edition.NotFound]
	}
	allowed := source.Query
	if _, known := i18n.Status(ed, r.URL.Query().Get("status")); known {
		allowed = append(allowed[:len(allowed):len(allowed)], "status") // the message shows without scripts too
	}
	query := pagecache.Query(r.URL.RawQuery, allowed...)
	values, err := url.ParseQuery(query)
	if err != nil {
		values = url.Values{}
	}
	if params == nil {
		params = map[string]string{}
	}
	req := &page.Request{
		Route: route, Path: path, Params: params, Query: values, Speculative: web.IsPrefetch(r),
		Automated: web.IsAutomated(r),
	}
	if source.Personal {
		req.InApp, req.RawQuery = web.InApp(r), r.URL.RawQuery
	}
	return visit{ed: ed, source: source, query: query, asks: slices.Clone(allowed), req: req}
}

// Ready reports whether a request of a visitor can be answered from memory: for a page that is there, by an address
// that says no more than which page. Whatever else a visitor's address or cookies ask for needs more than that.
func (s *Server) Ready(c *gin.Context) bool {
	r := c.Request
	ed, err := edition.From(r.Context())
	if err != nil || (r.Method != http.MethodGet && r.Method != http.MethodHead) {
		return false
	}
	u, variant := r.URL, document
	if c.FullPath() != "" { // a route of the API, which Data may be
		if u, err = url.Parse(c.Query("url")); err != nil || c.FullPath() != DataPath {
			return false
		}
		variant = data
	}
	asked := r.Clone(r.Context())
	asked.URL = u
	v := s.visit(ed, u.EscapedPath(), asked)
	return !v.source.Personal && v.query == u.RawQuery && s.Cache.Has(v.key(page.Anonymous, variant))
}

func (v visit) key(tier page.Tier, variant string) pagecache.Key {
	return pagecache.Key{Edition: v.ed.ID, Path: v.req.Path, Query: v.query, Tier: string(tier), Variant: variant}
}

// tier says which tier the visitor gets. Whoever has a subscription gets the page of those who have one, also where
// nothing on it is locked: it offers no subscription and marks nothing as locked.
func (s *Server) tier(ctx context.Context, v visit) (tier page.Tier, err error) {
	reader := session.ReaderID(ctx)
	switch {
	case v.source.Tier != nil:
		tier, err = v.source.Tier(ctx, v.req)
		if err != nil && reader == 0 {
			return page.Anonymous, nil // there is no lower one: what everybody may see is shown while it is there
		}
	case reader != 0:
		tier = page.Member
	default:
		tier = page.Anonymous
	}
	if err == nil && tier == page.Member && s.subscribed(ctx, reader) {
		tier = page.Entitled
	}
	return tier, err
}

// subscribedPatience is how long it is waited for whether a reader has a subscription. Where that cannot be learned,
// the page of all readers goes out, and the browser asks again.
const subscribedPatience = 250 * time.Millisecond

func (s *Server) subscribed(ctx context.Context, reader int64) bool {
	if s.Subscribed == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, subscribedPatience)
	defer cancel()
	ok, err := s.Subscribed(ctx, reader)
	return ok && err == nil
}

// fetch answers a visit from memory, or has its page made. A page that is rendered is taken from the budget, nil for
// none; who has used that up does not even begin to make one, which others who ask at the same moment would wait for.
func (s *Server) fetch(ctx context.Context, v visit, variant string,
	budget *rate.Limiter,
) (*pagecache.Entry, pagecache.Outcome, error) {
	tier, err := s.tier(ctx, v)
	if err != nil {
		return nil, pagecache.Miss, err
	}
	v.req.Tier = tier
	e, outcome, err := s.cached(ctx, v, variant, budget)
	if err == nil && lost(e) {
		return s.cached(ctx, s.notFound(v), variant, budget)
	}
	return e, outcome, err
}

func (s *Server) cached(ctx context.Context, v visit, variant string,
	budget *rate.Limiter,
) (*pagecache.Entry, pagecache.Outcome, error) {
	key := v.key(v.req.Tier, variant)
	alone := v.source.Personal || (v.source.PersonalToReaders && v.req.Tier != page.Anonymous)
	if alone {
		key.Variant += ":" + rand.Text()
	}
	if budget != nil && s.Cache.Has(key) {
		budget = nil
	}
	if budget != nil && budget.TokensAt(s.Now()) < 1 {
		return nil, pagecache.Miss, web.ErrTooMany
	}
	return s.Cache.Fetch(ctx, key, func(ctx context.Context) (*pagecache.Entry, error) {
		p, err := s.load(ctx, v)
		if err != nil {
			return nil, err
		}
		switch {
		case p.Redirect != "":
			return &pagecache.Entry{
				Status: p.Status, Header: http.Header{"Location": {p.Redirect}}, Tags: p.Tags,
				NoStore: p.NoStore,
			}, nil
		case variant == data:
			return dataEntry(v.ed, p)
		case p.Route == edition.NotFound && v.req.Path != v.ed.Href(edition.NotFound):
			return &pagecache.Entry{Status: p.Status, Tags: p.Tags, NoStore: p.NoStore || alone}, nil
		}
		if budget != nil {
			budget.AllowN(s.Now(), 1)
		}
		return s.documentEntry(ctx, v.ed, p)
	})
}

// lost reports whether an answer says no more than that nothing is at its address: the document of that is kept once
// for all of an edition's addresses, however many are tried.
func lost(e *pagecache.Entry) bool { return e.Status == http.StatusNotFound && e.Body == nil }

// notFound is the visit of the page that answers for every address with nothing.
func (s *Server) notFound(v visit) visit {
	r := &page.Request{
		Route: edition.NotFound, Path: v.ed.Href(edition.NotFound), Params: map[string]string{},
		Query: url.Values{}, Tier: v.req.Tier,
	}
	if v.req.Query.Has("status") {
		r.Query.Set("status", v.req.Query.Get("status"))
	}
	return visit{ed: v.ed, source: s.Sources[edition.NotFound], req: r, query: r.Query.Encode()}
}

// load asks the source; a page that is not there becomes the edition's not-found page at the same address.
func (s *Server) load(ctx context.Context, v visit) (*page.Page, error) {
	p, err := v.source.Load(ctx, v.req)
	if errors.Is(err, web.ErrNotFound) || (err != nil && fault.From(err).Kind == fault.NotFound) {
		lost := *v.req
		lost.Route, lost.Params = edition.NotFound, map[string]string{}
		if p, err = s.Sources[edition.NotFound].Load(ctx, &lost); err == nil {
			p.Route, p.Params = edition.NotFound, lost.Params
		}
	}
	if err != nil {
		return nil, err
	}
	if p.Route == "" {
		p.Route = v.req.Route
	}
	if p.Params == nil {
		p.Params = v.req.Params
	}
	if p.Route == edition.NotFound && p.Redirect == "" {
		p.Status = http.StatusNotFound
	}
	if p.Status == 0 {
		p.Status = http.StatusOK
	}
	p.URL = v.req.Path
	if v.query != "" {
		p.URL += "?" + v.query
	}
	p.Tier = v.req.Tier
	if v.video != nil {
		p.Video, p.Tags = v.video.Card, append(p.Tags[:len(p.Tags):len(p.Tags)], v.video.Tag)
	}
	p.Today = s.Now().In(v.ed.Location).Format(time.DateOnly)
	if p.Meta.Canonical == "" && p.Status == http.StatusOK {
		p.Meta.Canonical = v.ed.URL(v.req.Path) // what a query changes is said by those who know
	}
	return p, nil
}

// midnight is the end of the day that a page calls today.
func midnight(ed *edition.Edition, p *page.Page) time.Time {
	day, err := time.ParseInLocation(time.DateOnly, p.Today, ed.Location)
	if err != nil {
		return time.Time{}
	}
	return time.Date(day.Year(), day.Month(), day.Day()+1, 0, 0, 0, 0, ed.Location)
}

func dataEntry(ed *edition.Edition, p *page.Page) (*pagecache.Entry, error) {
	b, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	// The page's own status stands in the JSON: for the call itself, a missing page is an answer.
	return &pagecache.Entry{
		Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}},
		Body: b, Tags: p.Tags, NoStore: p.NoStore, VaryCookie: true, Until: midnight(ed, p),
	}, nil
}
