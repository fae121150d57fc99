// Package pages answers the pages of an edition: it finds the route, asks which tier the
// visitor is of, and serves the cached document of that tier, rendered once.
package pages

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/time/rate"

	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
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
	query  string // allow-listed, in one fixed form
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
	a, err := s.find(r, ed, r.URL, document, func() *rate.Limiter {
		return s.renders.limiter(r.Context(), ed.ID, c.ClientIP())
	})
	if err != nil {
		return s.errorPage(c, ed, err)
	}
	switch {
	case a.to == "":
		web.SendKept(c, a.entry, a.outcome, a.tier)
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
	tier    web.TierOf // of the next reader who asks for the same
}

// find looks for the page of an address. One that has to be put in order, and whose page has moved, leads there at
// once.
func (s *Server) find(r *http.Request, ed *edition.Edition, u *url.URL, variant string,
	budget func() *rate.Limiter,
) (a answer, err error) {
	path := u.EscapedPath()
	home := tidy(ed, path)
	moved := answer{to: withQuery(home, u.RawQuery), status: http.StatusMovedPermanently}
	v := s.visit(ed, home, r, u)
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
		values := maps.Clone(v.req.Query)
		values.Set(videoMark, strconv.FormatInt(videoNumber(u), 10))
		v.query = values.Encode()
	}
	e, outcome, err := s.fetch(r.Context(), v, variant, budget)
	if err != nil {
		return a, err
	}
	a = answer{entry: e, outcome: outcome}
	if !v.source.Personal && !v.source.PersonalToReaders && v.video == nil {
		a.tier = s.tierOf(v)
	}
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
	ed := web.Edition(c)
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
	web.SendKept(c, a.entry, a.outcome, a.tier)
	return nil
}

// videoMark names the video that an address lays over its page.
const videoMark = "video-komentar"

// videoOf finds the video that an address lays over a page, nil for none and for what is no video. A page that is not
// there leads to what the number is, and has nothing laid over it.
func (s *Server) videoOf(ctx context.Context, v visit, u *url.URL) (*page.Video, error) {
	id := videoNumber(u)
	if id <= 0 || s.Video == nil || v.req.Route == edition.NotFound {
		return nil, nil //nolint:nilnil // most addresses name none
	}
	return s.Video(ctx, id)
}

// videoNumber is the number of the video that an address names, or 0.
func videoNumber(u *url.URL) int64 {
	id, err := strconv.ParseInt(parameter(u, videoMark), 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// visit resolves a request for the page at a path; u is the address that it asks for, r's own or the one in a call.
func (s *Server) visit(ed *edition.Edition, path string, r *http.Request, u *url.URL) visit {
	route, params, ok := ed.Routes.Match(path)
	source, known := s.Sources[route]
	if !ok || !known {
		route, params, source = edition.NotFound, nil, s.Sources[edition.NotFound]
	}
	allowed := source.Query
	if _, known := i18n.Status(ed, parameter(u, "status")); known {
		allowed = append(allowed[:len(allowed):len(allowed)], "status") // the message shows without scripts too
	}
	values := meaning(ed, source, pagecache.Query(u.RawQuery, allowed...))
	if params == nil {
		params = map[string]string{}
	}
	req := &page.Request{
		Edition: ed, Route: route, Path: path, Params: params, Query: values, Speculative: web.IsPrefetch(r),
		Automated: web.IsAutomated(r),
	}
	if source.Personal {
		req.InApp, req.RawQuery = web.InApp(r), u.RawQuery
	}
	return visit{ed: ed, source: source, query: values.Encode(), req: req}
}

// meaning returns the parameters of a query that change the page of a source: the first value of each.
func meaning(ed *edition.Edition, source page.Source, query string) url.Values {
	values, err := url.ParseQuery(query)
	if err != nil {
		return url.Values{}
	}
	for name, all := range values {
		if slices.Contains(source.Query, name) && source.Value != nil && !source.Value(ed, name, all[0]) {
			delete(values, name)
			continue
		}
		values[name] = all[:1]
	}
	return values
}

// parameter is the first value of a parameter of an address; most addresses have none.
func parameter(u *url.URL, name string) string {
	if u.RawQuery == "" {
		return ""
	}
	return u.Query().Get(name)
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
	v := s.visit(ed, u.EscapedPath(), r, u)
	return !v.source.Personal && v.query == u.RawQuery && s.Cache.Has(v.key(page.Anonymous, variant))
}
