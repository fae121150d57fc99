package content

import (
	"path"
	"testing"

	"example.org/broadsheet/platform/paper/edition"
)

// A parameter of an address counts only with a value that can change its page.
func TestQueryValues(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, nil)
	ed := paper(t, ctx)
	slug := path.Base(ed.Href(edition.Minutes))
	sources := m.Pages()
	for _, c := range []struct {
		route       edition.Route
		name, value string
		want        bool
	}{
		{edition.Article, "article_type", slug, true},
		{edition.ArticleID, "article_type", slug, true},
		{edition.Article, "article_type", "", false},
		{edition.Article, "article_type", slug + "x", false},
		{edition.ArticleID, "article_type", "anything", false},
		{edition.Front, "p", "75", true},
		{edition.Front, "p", "75x", false},
		{edition.Front, "page_id", "-1", false},
		{edition.Front, "attachment_id", "", false},
		{edition.Front, "feed", "rss2", true},
		{edition.Front, "s", "word", true},
		{edition.Front, "s", "", false},
	} {
		if got := sources[c.route].Value(ed, c.name, c.value); got != c.want {
			t.Errorf("%s?%s=%s: got %v, want %v", c.route, c.name, c.value, got, c.want)
		}
	}
}
