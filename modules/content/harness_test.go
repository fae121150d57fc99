package content

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// Readers of the tests.
const (
	visitor    int64 = 0
	poor       int64 = 1 // signed in, no credit left
	frugal     int64 = 2 // has one credit
	subscriber int64 = 3
)

// meter is a paywall that keeps the contract: four paragraphs of preview, one credit for the frugal.
type meter struct {
	mu     sync.Mutex
	opened map[int64]bool // by the frugal
	spent  int
}

func (w *meter) Decide(_ context.Context, reader, post int64, kind string,
	locked bool,
) (access, reason string, left int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !locked:
		return "open", "free", 0, nil
	case reader == visitor:
		return "locked", "login", 0, nil
	case reader == subscriber:
		return "open", "subscription", 0, nil
	case kind == "video":
		return "open", "video", 0, nil
	case reader == frugal && (w.opened[post] || w.spent == 0):
		return "credit", "credit", 1 - w.spent, nil
	}
	return "locked", "limit", 0, nil
}

func (w *meter) Open(ctx context.Context, reader, post int64, kind string,
	locked bool,
) (access, reason string, left int, err error) {
	access, reason, left, err = w.Decide(ctx, reader, post, kind, locked)
	w.mu.Lock()
	defer w.mu.Unlock()
	if access == "credit" && !w.opened[post] {
		if w.opened == nil {
			w.opened = map[int64]bool{}
		}
		w.opened[post] = true
		w.spent++
	}
	return access, reason, left, err
}

func (w *meter) Preview(body string) (preview string, shown, withheld int) {
	parts := strings.SplitAfter(body, "</p>")
	total := strings.Count(body, "</p>")
	keep := min(4, total-1)
	if keep <= 0 {
		return "", 0, max(total, 1)
	}
	return strings.Join(parts[:keep], ""), keep, total - keep
}

func as(ctx context.Context, reader int64) context.Context {
	if reader == visitor {
		return ctx
	}
	return session.With(ctx, session.Session{ID: reader, ReaderID: reader})
}

func paper(t testing.TB, ctx context.Context) *edition.Edition {
	t.Helper()
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return ed
}

// visit asks for a page as the page server does.
func visit(t testing.TB, ctx context.Context, m *Module, path string,
	speculative bool,
) *page.Page {
	t.Helper()
	sources := m.Pages()
	bare, query, _ := strings.Cut(path, "?")
	req := &page.Request{Edition: paper(t, ctx), Path: bare, Speculative: speculative, Query: map[string][]string{}}
	req.Route, req.Params, _ = paper(t, ctx).Routes.Match(bare)
	source, known := sources[req.Route]
	if !known {
		req.Route, source = edition.NotFound, sources[edition.NotFound]
	}
	all, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range source.Query {
		if all.Has(name) {
			req.Query.Set(name, all.Get(name))
		}
	}
	req.Tier = page.Anonymous
	if session.ReaderID(ctx) != 0 {
		req.Tier = page.Member
	}
	if source.Tier != nil {
		tier, err := source.Tier(ctx, req)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		req.Tier = tier
	}
	p, err := source.Load(ctx, req)
	if errors.Is(err, web.ErrNotFound) {
		p, err = sources[edition.NotFound].Load(ctx, req)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	p.Tier = req.Tier
	if p.Status == 0 {
		p.Status = http.StatusOK
	}
	return p
}

// wire is all that leaves the process of a page.
func wire(t testing.TB, p *page.Page) string {
	t.Helper()
	b, err := json.Marshal([]any{p, p.Meta.JSONLD, p.Preload, p.Redirect})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// call asks a JSON endpoint.
func call(t testing.TB, ctx context.Context, m *Module, path string,
	header ...string,
) *httptest.ResponseRecorder {
	t.Helper()
	gin.SetMode(gin.TestMode)
	r := gin.New()
	r.Use(web.Cookies{}.Sessions(func(ctx context.Context, _ string) (session.Session, bool, error) {
		s, ok := session.From(ctx)
		return s, ok, nil
	}))
	m.Routes(r)
	req := httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil)
	if session.ReaderID(ctx) != 0 {
		req.AddCookie(&http.Cookie{
			Name: "session", Value: "token", Secure: true, HttpOnly: true,
			SameSite: http.SameSiteLaxMode,
		})
	}
	req.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	r.ServeHTTP(w, req)
	return w
}

var document = sync.OnceValues(func() (*openapi3.T, error) {
	return openapi3.NewLoader().LoadFromFile("../../platform/web/openapi.yaml")
})

// conforms checks JSON against a schema of the contract.
func conforms(t testing.TB, schema string, v any) {
	t.Helper()
	doc, err := document()
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var plain any
	if err := json.Unmarshal(b, &plain); err != nil {
		t.Fatal(err)
	}
	if err := doc.Components.Schemas[schema].Value.VisitJSON(plain, openapi3.MultiErrors()); err != nil {
		t.Errorf("%s: %v", schema, err)
	}
	if object, ok := plain.(map[string]any); ok && len(doc.Components.Schemas[schema].Value.AllOf) == 0 {
		for name := range object {
			if doc.Components.Schemas[schema].Value.Properties[name] == nil {
				t.Errorf("%s: %q is not in the contract", schema, name)
			}
		}
	}
}
