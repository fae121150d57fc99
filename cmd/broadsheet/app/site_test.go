package app

import (
	"bytes"
	"fmt"
	"image/png"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/catalog"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/paper/edition"
)

// until asks again and again, until an answer is right. A notice announces what is waited for; without one it would
// take the minute for which a copy counts as fresh, and that fails.
func until(t *testing.T, what string, right func() bool) {
	t.Helper()
	began := time.Now()
	for !right() {
		if time.Since(began) > 50*time.Second {
			t.Fatalf("%s: not in 50 s", what)
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Logf("%s: %v", what, time.Since(began).Round(time.Millisecond))
}

// A story shows in every feed and map that carries it as soon as it is out, changed or locked, and in no other is
// anything made anew.
func TestFeedsFollowTheirStories(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	const id = "standard"
	ed, _ := p.app.registry.Get(id)
	ctx := edition.With(t.Context(), ed)
	if err := p.app.content.SyncCategories(ctx); err != nil {
		t.Fatal(err)
	}
	for _, slug := range []string{"eva-prva", "adam-druhy"} {
		if _, err := p.app.content.SaveAuthor(ctx, catalog.Author{Slug: slug, Name: slug}); err != nil {
			t.Fatal(err)
		}
	}
	story := content.Draft{
		Source: "test", SourceID: "1", Type: post.TypeArticle, Status: post.StatusPublished, Slug: "first",
		Title: "The first story", Excerpt: "What it is about.",
		Body: strings.Repeat("<p>A paragraph.</p>", 8), Categories: []string{ed.Categories[0].Slug},
		Authors: []string{"eva-prva"}, Published: time.Now().Add(-time.Minute),
	}
	save := func() {
		t.Helper()
		if _, err := p.app.content.SavePosts(ctx, []content.Draft{story}); err != nil {
			t.Fatal(err)
		}
	}
	b := p.browser(id)
	carrying := []string{"/rss", "/rss/category/" + ed.Categories[0].Slug, "/rss/author/eva-prva", "/sitemap-news.xml"}
	others := []string{"/rss/category/" + ed.Categories[1].Slug, "/rss/author/adam-druhy"}
	for _, path := range append(carrying, others...) {
		until(t, path+" is kept", func() bool { return b.get(path).Header.Get("X-Cache") == "hit" })
	}
	for _, c := range []struct {
		name   string
		change func()
		shown  string
	}{
		{"published", func() {}, "The first story"},
		{"another title", func() { story.Title = "It was different" }, "It was different"},
		{"a second time", func() { story.Title = "It was different again" }, "It was different again"},
	} {
		c.change()
		save()
		for _, path := range carrying {
			until(t, c.name+" in "+path, func() bool { return strings.Contains(b.get(path).Body, c.shown) })
		}
		for _, path := range others {
			if r := b.get(path); r.Header.Get("X-Cache") != "hit" {
				t.Errorf("%s: %s is made anew: %s", c.name, path, r.Header.Get("X-Cache"))
			}
		}
	}
	if r := b.get("/sitemap/articles-1.xml"); !strings.Contains(r.Body, "/first</loc>") {
		t.Errorf("the map: %d %s", r.Status, r.Body)
	}
	story.Status = post.StatusWithdrawn
	save()
	for _, path := range carrying {
		until(t, "withdrawn from "+path, func() bool { return !strings.Contains(b.get(path).Body, "It was different") })
	}
	until(t, "withdrawn from the map", func() bool {
		return b.get("/sitemap/articles-1.xml").Status == http.StatusNotFound
	})
}

// A reader of feeds that has the feed is told so, by tag or by date, and gets it compressed otherwise.
func TestFeedsAreAskedForOften(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(6, true)
	b := p.browser("standard")
	first := b.get("/rss")
	if first.Status != http.StatusOK ||
		first.Header.Get("Cache-Control") != pagecache.Public ||
		first.Header.Get("Set-Cookie") != "" {
		t.Fatalf("%d %v", first.Status, first.Header)
	}
	for header, value := range map[string]string{
		"If-None-Match":     first.Header.Get("Etag"),
		"If-Modified-Since": first.Header.Get("Last-Modified"),
	} {
		b.header = http.Header{header: {value}}
		if r := b.get("/rss"); value == "" || r.Status != http.StatusNotModified || r.Body != "" {
			t.Errorf("%s %q: %d", header, value, r.Status)
		}
	}
	b.header = http.Header{"Accept-Encoding": {"gzip"}}
	if r := b.get("/rss"); r.Header.Get("Content-Encoding") != "gzip" || len(r.Body) >= len(first.Body) {
		t.Errorf("compressed: %v", r.Header)
	}
	b.header = http.Header{}
	if r := b.do(http.MethodHead, "/rss", "", ""); r.Status != http.StatusOK || r.Body != "" {
		t.Errorf("HEAD: %d", r.Status)
	}
	for path, want := range map[string]int{
		"/rss/category/nothing": http.StatusNotFound, "/rss/author/nobody": http.StatusNotFound,
		"/sitemap/articles-99.xml": http.StatusNotFound,
		"/sitemap/x":               http.StatusNotFound, "/feed": http.StatusMovedPermanently,
		"/rss/": http.StatusMovedPermanently,
	} {
		if r := b.get(path); r.Status != want {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
}

// Every edition speaks for itself: to crawlers, phones, and who has found a weakness.
func TestEveryEditionHasItsOwnFiles(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	seen := map[string]string{}
	for _, ed := range p.app.registry.All() {
		b := p.browser(ed.ID)
		robots := b.get("/robots.txt").Body
		for _, want := range []string{
			"Sitemap: " + ed.URL("/sitemap.xml"), "Sitemap: " + ed.URL("/sitemap-news.xml"),
			"Disallow: " + ed.Href(edition.Account),
		} {
			if !strings.Contains(robots, want+"\n") {
				t.Errorf("%s: robots.txt lacks %q: %s", ed.ID, want, robots)
			}
		}
		fields := map[string]string{}
		for line := range strings.Lines(b.get("/.well-known/security.txt").Body) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			fields[name] = value
		}
		until, err := time.Parse(time.RFC3339, fields["Expires"])
		if left := time.Until(until); err != nil || left < 330*24*time.Hour || left > 366*24*time.Hour ||
			fields["Contact"] != "mailto:"+ed.SupportEmail ||
			fields["Canonical"] != ed.URL("/.well-known/security.txt") {
			t.Errorf("%s: %v %v", ed.ID, fields, err)
		}
		var manifest struct {
			Name  string `json:"name"`
			Lang  string `json:"lang"`
			Theme string `json:"theme_color"`
			Icons []struct {
				Source  string `json:"src"`
				Sizes   string `json:"sizes"`
				Type    string `json:"type"`
				Purpose string `json:"purpose"`
			} `json:"icons"`
		}
		b.get("/manifest.webmanifest").json(t, &manifest)
		if manifest.Name != ed.Name || manifest.Lang != ed.IntlLocale || seen[manifest.Theme] != "" {
			t.Errorf("%s: %+v", ed.ID, manifest)
		}
		seen[manifest.Theme] = ed.ID
		for _, i := range manifest.Icons {
			r := b.get(i.Source)
			if r.Status != http.StatusOK || r.Header.Get("Content-Type") != i.Type {
				t.Errorf("%s: %s is %d %s", ed.ID, i.Source, r.Status, r.Header.Get("Content-Type"))
			}
			if i.Type == "image/png" {
				picture(t, r, i.Sizes)
			}
		}
		picture(t, b.get("/apple-touch-icon.png"), "180x180")
		picture(t, b.get("/card.png"), "1200x630")
		front := b.get("/")
		for _, want := range []string{
			`<link rel="manifest" href="/manifest.webmanifest">`, `<link rel="alternate" type="application/rss+xml"`, `href="` +
				ed.URL("/rss") + `"`,
			`<meta property="og:image" content="` + ed.URL("/card.png") + `">`,
			`<meta name="robots" content="max-image-preview:large">`,
		} {
			if !strings.Contains(front.Body, want) {
				t.Errorf("%s: the front page lacks %s", ed.ID, want)
			}
		}
		for _, path := range []string{
			"/?status=LOGGED_OUT&utm_source=x",
			"/category/" + ed.Categories[0].Slug + "?utm_source=x",
		} {
			u, err := url.Parse(path)
			if err != nil {
				t.Fatal(err)
			}
			if r := b.get(path); !strings.Contains(r.Body, `<link rel="canonical" href="`+ed.URL(u.Path)+`">`) {
				t.Errorf("%s: %s has another canonical address", ed.ID, path)
			}
		}
	}
	old := p.app.clock.Now()
	p.app.clock.Advance(400 * 24 * time.Hour)
	p.app.cache.PurgeEdition("standard")
	if r := p.browser("standard").get("/.well-known/security.txt"); !strings.Contains(r.Body,
		fmt.Sprintf("Expires: %d-", old.AddDate(0, 0, 400).Year()+1)) {
		t.Errorf("a year later: %s", r.Body)
	}
}

func picture(t *testing.T, r response, size string) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader([]byte(r.Body)))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%dx%d", img.Bounds().Dx(), img.Bounds().Dy()); got != size {
		t.Errorf("it is %s, not %s", got, size)
	}
}
