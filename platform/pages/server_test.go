package pages

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/page"
	"example.org/broadsheet/platform/testkit"
)

// What differs by browser must not get into a page that is kept: only pages of one reader are told the app.
func TestOnlyPersonalPagesLearnTheApp(t *testing.T) {
	t.Parallel()
	ctx, _ := testkit.Edition(t)
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatal(err)
	}
	path := ed.Href(edition.Login)
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("User-Agent", "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 357.1.0")
	for name, c := range map[string]struct {
		source page.Source
		want   string
	}{
		"personal":            {page.Source{Personal: true}, "Instagram"},
		"shared":              {page.Source{}, ""},
		"personal to readers": {page.Source{PersonalToReaders: true}, ""},
	} {
		s := &Server{Sources: page.Sources{edition.Login: c.source}}
		if got := s.visit(ed, path, r).req.InApp; got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
