package app

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// outage is a paper whose `serve` can be kept from its database, and whose clock can be moved.
type outage struct {
	*testApp
	paper *testApp // that stays with the database
	proxy *testkit.Proxy
	ed    *edition.Edition
	ahead time.Duration
}

func newOutage(t *testing.T) *outage {
	t.Helper()
	p := startApp(t)
	p.publish(3, false)
	p.publish(2, true)
	proxy := testkit.NewProxy(t, p.app.DB)
	c := p.app.DB.Config()
	t.Setenv("BROADSHEET_DATABASE_URL", proxy.DSN(c.User, c.Database))
	ed, _ := p.app.registry.Get("standard")
	t.Cleanup(func() { clock.Step(0) })
	return &outage{testApp: p.serve(t), paper: p, proxy: proxy, ed: ed}
}

func (o *outage) pass(d time.Duration) {
	o.ahead += d
	clock.Step(o.ahead)
}

// save changes one of the open articles.
func (o *outage) save(n int, change func(*content.Draft)) {
	o.t.Helper()
	d := o.paper.articles(o.ed, n+1, false)[n]
	change(&d)
	if _, err := o.paper.app.content.SavePosts(edition.With(context.Background(), o.ed), []content.Draft{d}); err != nil {
		o.t.Fatal(err)
	}
}

// withdraw takes one of the open articles out of the paper.
func (o *outage) withdraw(n int) {
	o.t.Helper()
	d := o.paper.articles(o.ed, n+1, false)[n]
	ctx := edition.With(context.Background(), o.ed)
	if _, err := o.paper.app.content.Withdraw(ctx, d.Source, []string{d.SourceID}); err != nil {
		o.t.Fatal(err)
	}
}

// settle waits until an address is answered with a status and a text by what `serve` has in memory.
func (o *outage) settle(b *browser, path string, status int, text string) {
	o.t.Helper()
	wait.Until(o.t, path+" has "+text, func() bool {
		r := b.get(path)
		return r.Status == status && strings.Contains(r.Body, text) && r.Header.Get("X-Cache") == "hit"
	})
}

// Addresses of the articles in an outage.
const (
	openArticle      = "/1/article-false-0"
	changedArticle   = "/2/article-false-1"
	withdrawnArticle = "/3/article-false-2"
	lockedArticle    = "/4/article-true-0"
)

// Postgres is away for an hour of the clock: pages that were asked for before are given as they were, to visitors and
// to readers as visitors get them; a page that was changed or withdrawn before is not given as it was. Once Postgres is
// back, all is new at once.
func TestPagesOutliveAnOutage(t *testing.T) {
	o := newOutage(t)
	visitor, reader := o.browser("standard"), o.browser("standard")
	visitor.header, reader.header = navigating, navigating
	o.signIn(reader, "reader@example.org")
	if r := reader.get(lockedArticle); r.Status != http.StatusOK || len(lockedTokens(r.Body)) == 0 {
		t.Fatalf("a reader with a free article is refused it: %d %.300s", r.Status, r.Body)
	}
	for name, away := range map[string]func(bool){"away": o.proxy.Refuse, "silent": o.proxy.Silence} {
		title := "Changed before it was " + name
		before := o.warm(visitor, title)
		away(true)
		o.pass(time.Hour)
		o.outlive(name, visitor, reader, before)
		o.keepChanged(name, visitor, title)

		title = "Changed while it was " + name
		o.save(0, func(d *content.Draft) { d.Title = title })
		if r := visitor.get(openArticle); r.Body != before[openArticle] {
			t.Errorf("%s: a change of which `serve` cannot know: %d %.300s", name, r.Status, r.Body)
		}
		o.pass(pagecache.Outage)
		if r := visitor.get("/"); r.Status != http.StatusServiceUnavailable {
			t.Errorf("%s, after %s: got %d, want 503", name, pagecache.Outage, r.Status)
		}

		away(false)
		o.proxy.Cut()
		back := time.Now()
		o.settle(visitor, openArticle, http.StatusOK, title)
		if took := time.Since(back); took > 15*time.Second {
			t.Errorf("%s: pages were old for %s", name, took)
		}
		o.save(2, func(*content.Draft) {})
	}
}

// warm has `serve` keep pages, and returns their bodies. One article is withdrawn and one changed, and their data is
// not asked for since.
func (o *outage) warm(visitor *browser, title string) (bodies map[string]string) {
	o.t.Helper()
	for _, path := range []string{withdrawnArticle, changedArticle} {
		o.settle(visitor, path, http.StatusOK, "")
		o.settle(visitor, dataOf(path), http.StatusOK, "")
	}
	o.withdraw(2)
	o.settle(visitor, withdrawnArticle, http.StatusNotFound, "")
	o.save(1, func(d *content.Draft) { d.Title = title })
	o.settle(visitor, changedArticle, http.StatusOK, title)
	bodies = map[string]string{}
	for _, path := range []string{
		"/", o.ed.Href(edition.CategoryPage, o.ed.Categories[0].Slug), openArticle, lockedArticle,
		dataOf("/"), dataOf(openArticle), dataOf(lockedArticle), o.ed.Href(edition.Minutes),
		o.ed.Href(edition.SearchTerm, "paragraph"), "/rss", "/sitemap.xml", "/content/carousel/index",
	} {
		o.settle(visitor, path, http.StatusOK, "")
		bodies[path] = visitor.get(path).Body
	}
	return bodies
}

// outlive asks for pages of before.
func (o *outage) outlive(name string, visitor, reader *browser, before map[string]string) {
	o.t.Helper()
	began := time.Now()
	for path, body := range before {
		for asks, b := range map[string]*browser{"a visitor": visitor, "a reader": reader} {
			r := b.get(path)
			if r.Status != http.StatusOK || r.Body != body {
				o.t.Errorf("%s: %s got %d for %s, or other bytes than before: %.300s", name, asks, r.Status, path, r.Body)
			}
			if found := lockedTokens(r.Body); path == lockedArticle && len(found) > 0 {
				o.t.Errorf("%s: %s got %v of %s", name, asks, found, path)
			}
		}
	}
	if took := time.Since(began); took > time.Minute {
		o.t.Errorf("%s: %d pages took %s", name, 2*len(before), took)
	}
}

// keepChanged asks for what was changed before.
func (o *outage) keepChanged(name string, visitor *browser, title string) {
	o.t.Helper()
	if r := visitor.get(changedArticle); r.Status != http.StatusOK || !strings.Contains(r.Body, title) {
		o.t.Errorf("%s: a page that was changed, and made since: %d %.300s", name, r.Status, r.Body)
	}
	for _, path := range []string{dataOf(changedArticle), dataOf(withdrawnArticle)} {
		if r := visitor.get(path); r.Status != http.StatusServiceUnavailable {
			o.t.Errorf("%s: got %d for %s, which was changed, want 503: %.300s", name, r.Status, path, r.Body)
		}
	}
	if r := visitor.get(withdrawnArticle); r.Status == http.StatusOK || strings.Contains(r.Body, token("standard", 2, 1)) {
		o.t.Errorf("%s: an article that was withdrawn: %d %.300s", name, r.Status, r.Body)
	}
}

// dataOf is the call for the data of a page.
func dataOf(path string) string { return "/api/page?url=" + strings.ReplaceAll(path, "/", "%2F") }
