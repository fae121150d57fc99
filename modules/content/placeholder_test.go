package content

import (
	"cmp"
	"errors"
	"strings"
	"testing"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/staticpage"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/typography"
)

// What is sold is said in the edition's document: pages name it, and follow it everywhere that they are shown.
func TestPagesShowWhatTheDocumentSays(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	ed := paper(t, ctx)
	page := func(excerpt, text, block string) Draft {
		block = cmp.Or(block, "Nič.")
		return company("1", func(d *Draft) {
			d.Excerpt, d.Body = excerpt, "<p>"+text+"</p>"
			d.Page.Blocks = []staticpage.Block{{
				Kind:  "principles",
				Items: []staticpage.Item{{Title: "Cena", HTML: "<p>" + block + "</p>"}},
			}}
		})
	}
	save(t, ctx, m,
		page("Od {{intro.monthly}}", "Najprv {{ intro.monthly }}, potom {{price.monthly}}, alebo {{price.yearly}}.",
			"{{meter.articles}} {{meter.period}}"))
	drafts, err := m.StaticPages(ctx)
	if err != nil || len(drafts) != 1 || !strings.Contains(drafts[0].Body, "{{price.monthly}}") {
		t.Fatalf("what is exported has the amounts: %v %v", drafts, err)
	}
	for _, shown := range []string{
		wire(t, visit(t, ctx, m, "/historia", false)),
		call(t, ctx, m, "/content/page/"+drafts[0].Slug).Body.String(),
	} {
		shown = typography.Plain(shown)
		for _, want := range []string{"Najprv 1,00 €, potom 7,96 €, alebo 89,00 €.", "Od 1,00 €", "3 články za mesiac"} {
			if !strings.Contains(shown, want) {
				t.Errorf("%q is not in %s", want, shown)
			}
		}
		if strings.Contains(shown, "{{") {
			t.Errorf("a place was not filled: %s", shown)
		}
	}
	ed.Meter.Limit, ed.Meter.Period = 5, "week"
	if shown := typography.Plain(wire(t, visit(t, ctx, m, "/historia", false))); !strings.Contains(shown,
		"5 článkov za týždeň") {
		t.Errorf("the document has changed: %s", shown)
	}
	for field, d := range map[string]Draft{
		"body":    page("", "{{price.weekly}}", ""),
		"excerpt": page("{{intro.yearly}}", "", ""),
		"blocks":  page("", "", "{{meter}}"),
	} {
		if _, err := m.SavePosts(ctx, []Draft{d}); !errors.Is(err, post.ErrInvalid) || fault.From(err).Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	article := draft("2", func(d *Draft) { d.Body = "<p>{{price.weekly}}</p>" })
	if _, err := m.SavePosts(ctx, []Draft{article}); err != nil {
		t.Errorf("an article may write what it likes: %v", err)
	}
}
