package pages

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/time/rate"

	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// fetch answers a visit from memory, or has its page made. A page that is rendered is taken from the budget of whoever
// asks, nil for none; who has used that up does not even begin to make one, which others who ask at the same moment
// would wait for.
func (s *Server) fetch(ctx context.Context, v visit, variant string,
	budget func() *rate.Limiter,
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
	budget func() *rate.Limiter,
) (*pagecache.Entry, pagecache.Outcome, error) {
	key := v.key(v.req.Tier, variant)
	alone := v.source.Personal || (v.source.PersonalToReaders && v.req.Tier != page.Anonymous)
	if alone {
		key.Variant += ":" + rand.Text()
	}
	var spent *rate.Limiter
	if budget != nil && !s.Cache.Has(key) {
		spent = budget()
	}
	if spent != nil && spent.TokensAt(s.Now()) < 1 {
		return nil, pagecache.Miss, web.ErrTooMany
	}
	return s.Cache.Fetch(ctx, key, func(ctx context.Context) (*pagecache.Entry, error) {
		p, err := s.load(ctx, v)
		if err != nil {
			return nil, err
		}
		if alone {
			p.NoStore, p.Reader = true, session.ReaderID(ctx)
			if form := web.UnsentOf(ctx, p.Reader); form != nil {
				p.Unsent = form
			}
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
			return &pagecache.Entry{Status: p.Status, Tags: p.Tags, NoStore: p.NoStore}, nil
		}
		if spent != nil {
			spent.AllowN(s.Now(), 1)
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
		Edition: v.ed, Route: edition.NotFound, Path: v.ed.Href(edition.NotFound), Params: map[string]string{},
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

// until is when a page stops being right by itself: at the end of the day that it calls today, if it says no time
// before.
func until(ed *edition.Edition, p *page.Page) time.Time {
	day, err := time.ParseInLocation(time.DateOnly, p.Today, ed.Location)
	if err != nil {
		return p.Until
	}
	midnight := time.Date(day.Year(), day.Month(), day.Day()+1, 0, 0, 0, 0, ed.Location)
	if !p.Until.IsZero() && p.Until.Before(midnight) {
		return p.Until
	}
	return midnight
}

func dataEntry(ed *edition.Edition, p *page.Page) (*pagecache.Entry, error) {
	b, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	// The page's own status stands in the JSON: for the call itself, a missing page is an answer.
	return &pagecache.Entry{
		Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}},
		Body: b, Tags: p.Tags, NoStore: p.NoStore, VaryCookie: true, Until: until(ed, p),
	}, nil
}
