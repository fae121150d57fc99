package content

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/paper/edition"
)

// What is withheld of a locked post can be found by nobody, whatever the reader may read, and stands in no snippet.
func TestWithheldTextCanNotBeFound(t *testing.T) {
	t.Parallel()
	ctx, d, m := house(t, &meter{})
	lock := func(d *Draft) { d.Locked = true }
	preview := strings.Repeat("<p>Verejná ukážka hovorí o veľrybe.</p>", 4)
	secret := "<p>Tajný kľúč leží pod kvetináčom zatajene.</p><p>Verejná veľryba tu nie je.</p>"
	locked := draft("locked", lock, func(d *Draft) { d.Title, d.Excerpt, d.Body = "Zamknutý", "Výňatok.", preview+secret })
	save(t, ctx, m, locked)
	short := draft("short", lock, func(d *Draft) {
		d.Title, d.Excerpt, d.Body = "Krátky", "Výňatok.", "<p>Jediný odsek o kvetináči zatajene.</p>"
	})
	save(t, ctx, m, short)
	for _, kind := range []post.Type{
		post.TypeMinute, post.TypeComment, post.TypeVideo, post.TypeSalon,
		post.TypeWeeklyTopic,
	} {
		save(t, ctx, m, draft("secret-"+string(kind), lock, func(d *Draft) {
			d.Type, d.Body, d.Excerpt = kind, preview+secret, "Výňatok."
			d.Video = Video{URL: "https://video.example/zatajene", Seconds: 60}
		}))
	}
	open := draft("open", func(d *Draft) { d.Title, d.Body = "Otvorený", preview+secret })
	save(t, ctx, m, open)
	readers := func(visit func(ctx context.Context, reader int64)) {
		for _, reader := range []int64{visitor, poor, frugal, subscriber} {
			visit(as(ctx, reader), reader)
		}
	}
	nothing := func(when string, want int, terms ...string) {
		t.Helper()
		readers(func(ctx context.Context, reader int64) {
			for _, term := range terms {
				titles, data := searchFor(t, ctx, m, term)
				if len(titles) != want || data.Total != want {
					t.Errorf("%s, reader %d, %s: %q", when, reader, term, titles)
				}
				w := call(t, ctx, m,
					"/content/search/"+strings.ReplaceAll(paper(t, ctx).Href(edition.SearchTerm, term), "/search/", ""))
				if got := strings.Count(w.Body.String(), `"post_id"`); got != want {
					t.Errorf("%s, reader %d, %s: the call finds %d", when, reader, term, got)
				}
			}
		})
	}
	hidden := []string{
		`"Tajný kľúč leží pod kvetináčom"`, "kvetináč", "zatajene", "tajný kľúč",
		`"ukážka hovorí o veľrybe tajný"`,
	}
	nothing("one is open", 1, hidden[:4]...)
	readers(func(ctx context.Context, reader int64) {
		titles, data := searchFor(t, ctx, m, "verejná veľryba")
		if len(titles) != 7 {
			t.Errorf("reader %d: the previews are found in %q", reader, titles)
		}
		for _, c := range data.Cards {
			if c.Title != "Otvorený" &&
				(!strings.Contains(c.Snippet, "<mark>veľrybe</mark>") ||
					strings.Contains(strings.ToLower(jsonOf(t, c)), "zatajene") || strings.Contains(c.Snippet, "nie je")) {
				t.Errorf("reader %d: %s shows %s", reader, c.Title, c.Snippet)
			}
		}
	})
	// Locked later: the words go with the text, in the same transaction.
	open.Locked = true
	save(t, ctx, m, open)
	nothing("all are locked", 0, hidden...)
	for _, query := range []string{
		"SELECT count(*) FROM content_search s JOIN content_search_posts p USING (post_id) WHERE p.text LIKE '%kvetin%' OR " +
			"(s.terms::text || p.head::text) ~ 'kvetin|zatajen'",
		"SELECT count(*) FROM content_search_words WHERE folded LIKE '%kvetin%' OR folded LIKE 'zatajen%'",
	} {
		if n := count(t, ctx, d, query); n != 0 {
			t.Errorf("%d rows: %s", n, query)
		}
	}
	if _, data := searchFor(t, as(ctx, subscriber), m, "kvetinac"); data.Suggestion != "" {
		t.Errorf("suggested: %q", data.Suggestion)
	}
	// Without a paywall, as for importing, nothing of the text is public.
	bare := New(Deps{DB: m.db})
	exec(t, ctx, d, "UPDATE content_search_posts SET version = 0")
	if err := bare.search.Fill(ctx); err != nil {
		t.Fatal(err)
	}
	nothing("nobody knows a preview", 0, "veľryba")
}

func jsonOf(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
