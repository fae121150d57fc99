package pages

import (
	"bytes"
	"strings"
	"testing"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/testkit"
)

// A page leads on by itself only where there are no scripts: those know better when it was seen.
func TestPagesLeadOnWithoutScripts(t *testing.T) {
	t.Parallel()
	ctx, _ := testkit.Edition(t)
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for to, want := range map[string]string{
		"":                      "",
		"/17/most?a=1&status=X": `<noscript><meta http-equiv="refresh" content="5;url=/17/most?a=1&amp;status=X"></noscript>`,
		`/"><script>`:           `<noscript><meta http-equiv="refresh" content="5;url=/&#34;&gt;&lt;script&gt;"></noscript>`,
	} {
		var b bytes.Buffer
		if err := writeHead(&b, ed, &page.Page{Refresh: to}, Files{}); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); strings.Count(got, "refresh") != strings.Count(want, "refresh") ||
			!strings.Contains(got, want) {
			t.Errorf("%q: %s", to, got)
		}
	}
}
