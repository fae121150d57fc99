package app

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/catalog"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/platform/paper/edition"
)

// cachedPages are the pages that the cache holds, by address.
type cachedPages struct {
	t    *testing.T
	p    *testApp
	b    *browser
	tags map[string]string // ETags
}

// fetch asks until the answer is one of the cache, and remembers it.
func (c *cachedPages) fetch(paths ...string) {
	c.t.Helper()
	for _, path := range paths {
		for n := 0; ; n++ {
			r := c.b.get(path)
			if r.Status != http.StatusOK || n == 2000 {
				c.t.Fatalf("%s: %d, %s", path, r.Status, r.Header.Get("X-Cache"))
			}
			if r.Header.Get("X-Cache") == "hit" {
				c.tags[path] = r.Header.Get("Etag")
				break
			}
			time.Sleep(10 * time.Millisecond) // it is being made, behind the answer
		}
	}
}

// after holds that a second after a change the pages it touches are new at once, and no other is made anew.
func (c *cachedPages) after(what string, change func(), fresh []string, gone ...string) {
	c.t.Helper()
	fills := c.p.app.cache.Stats().Fills
	change()
	time.Sleep(1200 * time.Millisecond)
	touched := map[string]bool{}
	for _, path := range fresh {
		touched[path] = true
		if r := c.b.get(path); r.Status != http.StatusOK || r.Header.Get("Etag") == c.tags[path] {
			c.t.Errorf("%s: %s is %d and what it was (%s)", what, path, r.Status, r.Header.Get("X-Cache"))
		}
	}
	for _, path := range gone {
		touched[path] = true
		if r := c.b.get(path); r.Status != http.StatusNotFound {
			c.t.Errorf("%s: %s is still there: %d", what, path, r.Status)
		}
		delete(c.tags, path)
	}
	for path, etag := range c.tags {
		if touched[path] {
			continue
		}
		if r := c.b.get(path); r.Header.Get("Etag") != etag || r.Header.Get("X-Cache") != "hit" {
			c.t.Errorf("%s: %s was made anew (%s)", what, path, r.Header.Get("X-Cache"))
		}
	}
	want := len(fresh) + len(gone)
	if len(gone) > 0 {
		want++ // the page that is shown wherever nothing is
	}
	if n := int(c.p.app.cache.Stats().Fills - fills); n != want {
		c.t.Errorf("%s: %d pages were rendered, want %d", what, n, want)
	}
	c.fetch(fresh...)
}

// A change shows within a second on every page that carries it, and nothing else is rendered anew.
func TestAChangeReachesItsPagesAndNoOther(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	ed, _ := p.app.registry.Get("standard")
	ctx := edition.With(context.Background(), ed)
	m := p.app.content
	if err := m.SyncCategories(ctx); err != nil {
		t.Fatal(err)
	}
	for _, a := range []string{"jana", "peter"} {
		if _, err := m.SaveAuthor(ctx, catalog.Author{Slug: a, Name: a}); err != nil {
			t.Fatal(err)
		}
	}
	for i, slug := range []string{"stara", "nova"} {
		if _, err := m.SaveTag(ctx,
			topic.Tag{Slug: slug, Name: slug, Published: time.Now().AddDate(0, 0, 7*(i-2))}); err != nil {
			t.Fatal(err)
		}
	}
	politics, economics := ed.Categories[0].Slug, ed.Categories[1].Slug
	draft := func(n int, category, author string, change ...func(*content.Draft)) content.Draft {
		d := content.Draft{
			Source: "test", SourceID: fmt.Sprint(n), Type: post.TypeArticle, Status: post.StatusPublished,
			Slug: fmt.Sprint("story-", n), Title: fmt.Sprint("Story ", n),
			Excerpt: "x", Body: "<p>x</p>", Categories: []string{category}, Authors: []string{author}, Published: time.Now().
					Add(-time.Duration(200-n) * time.Minute),
		}
		for _, f := range change {
			f(&d)
		}
		return d
	}
	// Enough that neither category needs the other's for what stands beside its articles; the most read are others still.
	var all []content.Draft
	for n := range 20 {
		all = append(all, draft(n, politics, "jana", func(d *content.Draft) {
			d.Tags = []string{"stara"}
		}), draft(20+n, economics, "peter"))
	}
	for n := range 6 {
		all = append(all, draft(60+n, "sport", "peter"))
	}
	saved, err := m.SavePosts(ctx, all)
	if err != nil {
		t.Fatal(err)
	}
	address := func(i int) string { return fmt.Sprintf("/%d/%s", saved[i].ID, all[i].Slug) }
	c := &cachedPages{t: t, p: p, b: p.browser("standard"), tags: map[string]string{}}
	inPolitics, inEconomics := address(38), address(39)
	c.fetch("/", "/category/"+politics, "/category/"+economics, "/author/jana", "/author/peter", inPolitics, inEconomics,
		"/tema", "/tema/stara", "/tema/nova", "/minuta")

	c.after("published", func() {
		if _, _, err := m.SavePost(ctx, draft(100, politics, "jana")); err != nil {
			t.Fatal(err)
		}
	}, []string{"/", "/category/" + politics, "/author/jana"})
	c.after("a topic's", func() {
		if _, _, err := m.SavePost(ctx, draft(101, politics, "jana", func(d *content.Draft) {
			d.Tags = []string{"nova"}
		})); err != nil {
			t.Fatal(err)
		}
	}, []string{"/", "/category/" + politics, "/author/jana", "/tema/nova"})
	c.after("short news", func() {
		if _, _, err := m.SavePost(ctx, draft(102, politics, "jana", func(d *content.Draft) {
			d.Type = post.TypeMinute
		})); err != nil {
			t.Fatal(err)
		}
	}, []string{"/", "/minuta"})
	d := all[39]
	d.Title = "Another headline"
	c.after("changed", func() {
		if _, _, err := m.SavePost(ctx, d); err != nil {
			t.Fatal(err)
		}
	}, []string{"/", "/category/" + economics, "/author/peter", inEconomics}) // the address stays
	d.Status = post.StatusWithdrawn
	c.after("taken down", func() {
		if _, _, err := m.SavePost(ctx, d); err != nil {
			t.Fatal(err)
		}
	}, []string{"/", "/category/" + economics, "/author/peter"}, inEconomics)
	for _, call := range []string{
		"/content/post/" + fmt.Sprint(saved[39].ID),
		"/wp-json/standard/v1/standard-post-react/?id=" + fmt.Sprint(saved[39].ID),
	} {
		if r := c.b.get(call); r.Status != http.StatusNotFound {
			t.Errorf("%s: %d", call, r.Status)
		}
	}
}

// A scheduled post is on the pages it belongs to when its time comes, though they were made before it.
func TestAScheduledPostAppears(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(3, false)
	ed, _ := p.app.registry.Get("standard")
	section := ed.Categories[0].Slug
	const slug = "of-tomorrow"
	_, _, err := p.app.content.SavePost(edition.With(context.Background(), ed), content.Draft{
		Source: "test", SourceID: slug, Type: post.TypeArticle, Status: post.StatusPublished, Slug: slug,
		Title: "Of tomorrow", Excerpt: "x", Body: "<p>x</p>",
		Categories: []string{section}, Authors: []string{"leak"}, Published: p.app.clock.Now().Add(24 * time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	c := &cachedPages{t: t, p: p, b: p.browser("standard"), tags: map[string]string{}}
	paths := []string{
		"/", "/category/" + section, "/author/leak", "/rss", "/rss/category/" + section, "/sitemap-news.xml",
		"/sitemap/articles-1.xml",
	}
	c.fetch(paths...)
	fetched := time.Now()
	carries := func(path string) bool { return strings.Contains(c.b.get(path).Body, slug) }
	for _, path := range paths {
		if carries(path) {
			t.Fatalf("%s carries a post before its time", path)
		}
	}
	p.app.clock.Advance(25 * time.Hour) // nobody else learns this, so that the copies stay
	for _, path := range paths {
		for !carries(path) {
			if time.Since(fetched) > 50*time.Second { // short of the minute after which a copy is made anew by itself
				t.Fatalf("%s does not carry a post whose time has come", path)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}
