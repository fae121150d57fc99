package pages

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

// counter is a renderer that counts.
type counter struct{ n atomic.Int64 }

func (r *counter) Page(_ context.Context, _ string, pageJSON []byte) ([]byte, error) {
	r.n.Add(1)
	return append([]byte("<p>"), pageJSON...), nil
}

// paper is a server of an edition whose categories and searches are there, but for those that are called "none…".
func paper(t *testing.T) (*gin.Engine, *counter, *time.Time) {
	t.Helper()
	ed, err := edition.New(testkit.Document(0), testkit.Origin)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	cache, err := pagecache.New(pagecache.Config{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	load := func(_ context.Context, r *page.Request) (*page.Page, error) {
		if strings.HasPrefix(r.Params["categorySlug"], "none") {
			return nil, web.ErrNotFound
		}
		return &page.Page{Data: map[string]any{}}, nil
	}
	made := &counter{}
	s := &Server{
		Cache: cache, Renderer: made, Assets: &Assets{}, Now: clock,
		Sources: page.Sources{
			edition.CategoryPage: {Load: load},
			edition.NotFound: {Load: func(context.Context, *page.Request) (*page.Page, error) {
				return &page.Page{Data: map[string]any{}}, nil
			}},
		},
	}
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	if err := e.SetTrustedProxies(nil); err != nil {
		t.Fatal(err)
	}
	e.Use(web.Editions(func(string) (*edition.Edition, bool) { return ed, true }))
	e.NoRoute(web.Do(s.Document))
	return e, made, &now
}

func visitFrom(e *gin.Engine, ip, path string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Accept", "text/html")
	r.RemoteAddr = ip + ":4000"
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w
}

// However many addresses with nothing are tried, the page that says so is made once, and does not say which one it was.
func TestOneNotFoundPageForAllAddresses(t *testing.T) {
	t.Parallel()
	e, made, _ := paper(t)
	for i := range 30 {
		for _, path := range []string{"/nothing/at/all/%d", "/category/none-%d"} {
			path = fmt.Sprintf(path, i)
			w := visitFrom(e, "192.0.2.7", path)
			if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "<p>") ||
				strings.Contains(w.Body.String(), path) {
				t.Fatalf("%s: %d %s", path, w.Code, w.Body)
			}
		}
	}
	if n := made.n.Load(); n != 1 {
		t.Errorf("60 addresses with nothing were rendered %d times", n)
	}
	if w := visitFrom(e, "192.0.2.7", "/category/politics"); w.Code != http.StatusOK || made.n.Load() != 2 {
		t.Errorf("a page that is there: %d, %d renders", w.Code, made.n.Load())
	}
}

// Who has one page after the other rendered is asked to wait, and nobody else is: neither who reads what is kept, nor
// other networks, nor this machine.
func TestRendersHaveABudget(t *testing.T) {
	t.Parallel()
	e, made, now := paper(t)
	const greedy, other = "192.0.2.7", "198.51.100.8"
	for i := range rendersAtOnce {
		if w := visitFrom(e, greedy, fmt.Sprintf("/category/c%d", i)); w.Code != http.StatusOK {
			t.Fatalf("page %d: %d %s", i, w.Code, w.Body)
		}
	}
	w := visitFrom(e, greedy, "/category/one-more")
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" ||
		w.Header().Get("Cache-Control") != "private, no-store" ||
		!strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		t.Errorf("one more: %d %v %s", w.Code, w.Header(), w.Body)
	}
	if n := made.n.Load(); n != rendersAtOnce {
		t.Errorf("%d were rendered", n)
	}
	for range 2 * rendersAtOnce {
		if w := visitFrom(e, greedy, "/category/c1"); w.Code != http.StatusOK {
			t.Fatalf("what is kept: %d", w.Code)
		}
	}
	for _, ip := range []string{other, "127.0.0.1"} {
		if w := visitFrom(e, ip, "/category/of-"+ip); w.Code != http.StatusOK {
			t.Errorf("%s: %d", ip, w.Code)
		}
	}
	if w := visitFrom(e, greedy, "/category/of-"+other); w.Code != http.StatusOK {
		t.Errorf("what another network had made: %d", w.Code)
	}
	*now = now.Add(time.Second)
	for i := range rendersASecond + 1 {
		want := http.StatusOK
		if i == rendersASecond {
			want = http.StatusTooManyRequests
		}
		if w := visitFrom(e, greedy, fmt.Sprintf("/category/later-%d", i)); w.Code != want {
			t.Errorf("a second later, page %d: %d", i, w.Code)
		}
	}
	for i := range 3 * rendersAtOnce {
		if w := visitFrom(e, "127.0.0.1", fmt.Sprintf("/category/own-%d", i)); w.Code != http.StatusOK {
			t.Fatalf("this machine's page %d: %d", i, w.Code)
		}
	}
}

// A page that was made before midnight calls its day today: the edition's midnight ends it, however fresh it is.
func TestPagesEndWithTheirDay(t *testing.T) {
	t.Parallel()
	e, made, now := paper(t)
	zone := mustZone(t, testkit.Document(0).TimeZone)
	*now = time.Date(2026, 11, 22, 23, 59, 30, 0, zone)
	for _, step := range []struct {
		after time.Duration
		day   string
		made  int64
	}{{0, "2026-11-22", 1}, {29 * time.Second, "2026-11-22", 1}, {time.Second, "2026-11-23", 2}} {
		*now = now.Add(step.after)
		w := visitFrom(e, "192.0.2.7", "/category/politics")
		if !strings.Contains(w.Body.String(), `"today":"`+step.day+`"`) || made.n.Load() != step.made {
			t.Errorf("%s: %d renders, %s", now.Format(time.TimeOnly), made.n.Load(), w.Body)
		}
	}
}

func mustZone(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}
