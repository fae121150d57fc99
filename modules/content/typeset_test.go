package content

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Words are set on pages; what is stored, fed to machines and searched stays as it was typed.
func TestWordsAreSetOnPagesAlone(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	id := save(t, ctx, m, draft("1", func(d *Draft) {
		d.Slug, d.Title, d.Excerpt, d.Caption = "chyba", "Chýba 430 miliónov eur a nikto nevie kde",
			"V decembri o 5 % menej.", "Most v zime"
		d.Body = `<p>Povedal v utorok <a href="https://example.org/a?b=v%20z&amp;e-mail=1">o 10:38</a>, e-mailom.</p>`
	}))
	path := fmt.Sprintf("/%d/chyba", id)
	p := visit(t, ctx, m, path, false)
	a := p.Data.(*ArticleData)
	if want := "Chýba 430\u00a0miliónov\u00a0eur a\u00a0nikto nevie kde"; a.Card.Title != want ||
		a.Card.Excerpt != "V\u00a0decembri o\u00a05\u00a0% menej." ||
		a.Card.Picture.Caption != "Most v\u00a0zime" {
		t.Errorf("%q, %q", a.Card.Title, a.Card.Excerpt)
	}
	if !strings.Contains(a.Body, "v\u00a0utorok") || !strings.Contains(a.Body, "e\u2011mailom") ||
		!strings.Contains(a.Body, "&amp;e-mail=1") {
		t.Errorf("%q", a.Body)
	}
	meta, _ := json.Marshal(p.Meta)
	ld, _ := json.Marshal([]any{
		p.Meta.JSONLD, visit(t, ctx, m, "/", false).Meta.JSONLD,
		visit(t, ctx, m, "/category/politika", false).Meta.JSONLD,
	})
	front, _ := json.Marshal(visit(t, ctx, m, "/", false).Meta)
	feed := string(file(t, ctx, m, "/rss").Body)
	for name, text := range map[string]string{
		"head": string(meta), "front": string(front), "feed": feed,
		"structured data": string(ld),
	} {
		if strings.Contains(text, "\u00a0") || strings.Contains(text, "\u2011") {
			t.Errorf("%s: %q", name, text)
		}
	}
	if !strings.Contains(feed, "Chýba 430 miliónov eur a nikto") {
		t.Errorf("the feed lacks it: %s", feed)
	}
}
