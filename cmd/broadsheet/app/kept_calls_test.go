package app

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit/wait"
)

// hit asks until an answer comes from memory.
func (b *browser) hit(path string) response {
	b.t.Helper()
	for range 500 {
		if r := b.get(path); r.Status != http.StatusOK || r.Header.Get("X-Cache") == "hit" {
			return r
		}
		time.Sleep(10 * time.Millisecond) // it is being made, behind the answer
	}
	b.t.Fatalf("%s: never answered from memory", path)
	return response{}
}

// with asks with one header more.
func (b *browser) with(name, value, path string) response {
	b.t.Helper()
	b.header.Set(name, value)
	defer b.header.Del(name)
	return b.get(path)
}

// Calls whose answers are the same for everybody are made once: with a tag, compressed, and new within a second when
// something is published. A reader's own copy is for nobody else.
func TestCallsAreKept(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(12, false)
	const id = "standard"
	ed, _ := p.app.registry.Get(id)
	section := ed.Categories[0].Slug
	visitor, member := p.browser(id), p.browser(id)
	p.signIn(member, "member@example.org")
	paths := []string{
		"/content/posts/by_category/" + section, "/content/posts/by_category/" + section + "?per_page=5",
		"/content/posts/latest", "/content/posts/by_author/leak", "/content/weekly_articles?slug=leak",
		"/content/carousel/index", "/content/posts/by_category/index", "/content/search/paragraph", "/content/post/1",
		"/content/latest_list",
	}
	tags := map[string]string{}
	for _, path := range paths {
		first := visitor.hit(path)
		if got := first.Header.Get("Cache-Control"); first.Status != http.StatusOK || !strings.HasPrefix(got, "public") {
			t.Errorf("%s: got %d, %q, want what caches may keep", path, first.Status, got)
		}
		tags[path] = first.Header.Get("Etag")
		if r := visitor.with("If-None-Match", tags[path], path); r.Status != http.StatusNotModified || r.Body != "" {
			t.Errorf("%s with its tag: got %d, want 304", path, r.Status)
		}
		for _, coding := range []string{"br", "gzip"} {
			if got := visitor.with("Accept-Encoding", coding, path).Header.Get("Content-Encoding"); got != coding {
				t.Errorf("%s: got %q, want %s", path, got, coding)
			}
		}
		if r := member.get(path); r.Header.Get("Cache-Control") != "private, no-store" || r.Body != first.Body {
			t.Errorf("%s of a reader: got %q, want the same and kept by nobody", path, r.Header.Get("Cache-Control"))
		}
		if r := visitor.get(path + sign(path) + "utm_source=x"); r.Header.Get("X-Cache") != "hit" {
			t.Errorf("%s with a foreign parameter is made anew", path)
		}
	}
	if tags[paths[0]] == tags[paths[1]] {
		t.Errorf("%s and %s have one answer, want one for each", paths[0], paths[1])
	}
	draft := content.Draft{
		Source: "test", SourceID: "new", Type: post.TypeArticle, Status: post.StatusPublished, Slug: "new",
		Title: "Fresh paragraph", Excerpt: "New.", Body: "<p>Fresh paragraph.</p>", Categories: []string{section},
		Authors: []string{"leak"}, Tags: []string{"leak"}, Featured: 1, Published: p.app.clock.Now().Add(-time.Second),
	}
	ctx := edition.With(context.Background(), ed)
	if _, err := p.app.content.SavePosts(ctx, []content.Draft{draft}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(1100 * time.Millisecond)
	for _, path := range paths[:8] {
		if r := visitor.get(path); r.Header.Get("Etag") == tags[path] || !strings.Contains(r.Body, "Fresh paragraph") {
			t.Errorf("%s does not have what was published a second ago", path)
		}
	}
}

func sign(path string) string {
	if strings.Contains(path, "?") {
		return "&"
	}
	return "?"
}

// What is locked is made for whoever asks: neither does a visitor get what a subscriber has asked for, nor anybody what
// lay in memory from when it was open.
func TestLockedPostsAreNotKept(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(2, false)
	const id = "standard"
	ed, _ := p.app.registry.Get(id)
	ctx := edition.With(context.Background(), ed)
	visitor, subscriber := p.browser(id), p.browser(id)
	if _, err := p.app.Billing.Subscriptions.GrantTrials(ctx, false, "subscriber@example.org"); err != nil {
		t.Fatal(err)
	}
	p.signIn(subscriber, "subscriber@example.org")
	var list []struct {
		ID int64 `json:"post_id"`
	}
	visitor.get("/content/posts/latest").json(t, &list)
	path := fmt.Sprintf("/content/post/%d", list[0].ID)
	if open := visitor.hit(path); len(lockedTokens(open.Body)) == 0 {
		t.Fatalf("got %d, %.200s; want all of an open post", open.Status, open.Body)
	}
	locked := p.articles(ed, 1, false)
	locked[0].Locked = true
	if _, err := p.app.content.SavePosts(ctx, locked); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "a visitor gets no more than the preview", func() bool {
		return len(lockedTokens(visitor.get(path).Body)) == 0
	})
	for range 3 {
		if r := subscriber.get(path); len(lockedTokens(r.Body)) == 0 || r.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("a subscriber: got %q, %.200s", r.Header.Get("Cache-Control"), r.Body)
		}
		if r := visitor.get(path); len(lockedTokens(r.Body)) > 0 || r.Header.Get("X-Cache") != "" {
			t.Errorf("a visitor after a subscriber: got %s, %v", r.Header.Get("X-Cache"), lockedTokens(r.Body))
		}
	}
}

// What was found for a term is kept for visitors and for readers apart, the page as the call; new within a second of a
// publication, and without a word of a post that has just been locked. Searches are counted all the same.
func TestSearchesAreKept(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(2, false)
	const id = "standard"
	ed, _ := p.app.registry.Get(id)
	ctx := edition.With(context.Background(), ed)
	visitor, member := p.browser(id), p.browser(id)
	p.signIn(member, "member@example.org")
	page, call := ed.Href(edition.SearchTerm, "paragraph"), "/content/search/paragraph"
	for _, path := range []string{page, call} {
		first := visitor.hit(path)
		if got := first.Header.Get("Cache-Control"); got != "public, no-cache" {
			t.Errorf("%s: got %q, want caches to ask each time", path, got)
		}
		if r := visitor.with("If-None-Match", first.Header.Get("Etag"), path); r.Status != http.StatusNotModified {
			t.Errorf("%s with its tag: got %d, want 304", path, r.Status)
		}
		if got := visitor.with("Accept-Encoding", "br", path).Header.Get("Content-Encoding"); got != "br" {
			t.Errorf("%s: got %q, want br", path, got)
		}
		if r := member.hit(path); r.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s of a reader: got %q", path, r.Header.Get("Cache-Control"))
		}
	}
	draft := content.Draft{
		Source: "test", SourceID: "new", Type: post.TypeArticle, Status: post.StatusPublished, Slug: "new",
		Title: "Fresh paragraph", Excerpt: "New.", Body: "<p>Fresh secretword paragraph.</p>",
		Categories: []string{ed.Categories[0].Slug}, Authors: []string{"leak"},
		Published: p.app.clock.Now().Add(-time.Second),
	}
	save := func() {
		t.Helper()
		if _, err := p.app.content.SavePosts(ctx, []content.Draft{draft}); err != nil {
			t.Fatal(err)
		}
	}
	save()
	time.Sleep(1100 * time.Millisecond)
	found := ed.Href(edition.SearchTerm, "secretword")
	member.hit(found)
	for _, path := range []string{page, call, found, "/content/search/secretword"} {
		if r := visitor.hit(path); !strings.Contains(r.Body, "/new") {
			t.Errorf("%s does not have what was published a second ago", path)
		}
	}
	draft.Locked = true
	draft.Body = strings.Repeat("<p>Public beginning.</p>", 6) + "<p>Fresh secretword paragraph.</p>"
	save()
	time.Sleep(1100 * time.Millisecond) // well before the time after which nothing is kept
	for _, b := range []*browser{visitor, member} {
		for _, path := range []string{found, "/content/search/secretword"} {
			if r := b.get(path); strings.Contains(r.Body, "paragraph.") {
				t.Errorf("%s shows what has been locked for a second: %.400s", path, r.Body)
			}
		}
	}
}
