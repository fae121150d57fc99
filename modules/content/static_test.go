package content

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/staticpage"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
)

// company is a page with every kind of block.
func company(source string, change ...func(*Draft)) Draft {
	d := draft(source, func(d *Draft) {
		d.Type, d.Categories, d.Authors, d.Title = post.TypePage, nil, nil, "Kto sme"
		d.Page = staticpage.Form{Route: edition.History, Blocks: []staticpage.Block{
			{Kind: "text", HTML: "<p>Slová<script>zlo()</script></p>"},
			{
				Kind: "timeline", Title: "Roky",
				Items: []staticpage.Item{
					{Title: "Začiatok", Date: "2020-11", HTML: "<p onclick=x()>Bolo</p>"},
					{Title: "Potom", Date: "2021-02-03"},
				},
			},
			{
				Kind: "people",
				Items: []staticpage.Item{{
					Title: "Jana", Subtitle: "redaktorka", Picture: picture(2), Author: "jana",
					Email: "jana@sk.test",
				}, {Title: "Čoskoro"}},
			},
			{Kind: "offices", Items: []staticpage.Item{{Title: "Sídlo", HTML: "<p>Ulica 1</p>"}}},
			{Kind: "principles", Items: []staticpage.Item{{Title: "Fakty", HTML: "<p>Overujeme.</p>"}}},
			{Kind: "positions", Title: "Voľné miesta"},
			{Kind: "links", Items: []staticpage.Item{{Title: "Preklady", URL: "/static/preklady"}}},
		}}
	})
	for _, f := range change {
		f(&d)
	}
	return d
}

func TestPagesHaveAnAddressOfTheirOwn(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	if p := visit(t, ctx, m, "/historia", false); p.Status != 404 || !slices.Contains(p.Tags, post.PagesTag) {
		t.Errorf("before there is one: %d %v", p.Status, p.Tags)
	}
	id := save(t, ctx, m, company("1", func(d *Draft) { d.Redirects = []string{"/383999"} }))
	p := visit(t, ctx, m, "/historia", false)
	conforms(t, "StaticData", p.Data)
	conforms(t, "Meta", p.Meta)
	d := p.Data.(*staticpage.PageData)
	if d.Layout != "history" || len(d.Blocks) != 7 || strings.Contains(wire(t, p), "zlo()") ||
		strings.Contains(wire(t, p), "onclick") {
		t.Errorf("%+v", d)
	}
	for _, b := range d.Blocks {
		conforms(t, "PageBlock", b)
	}
	jana := d.Blocks[2].Items[0]
	if jana.Picture == nil || jana.Picture.ID != picture(2) || jana.Picture.Credit != "Jana Skúšobná" ||
		jana.URL != "/author/jana" || d.Blocks[2].Items[1].Picture != nil {
		t.Errorf("%+v", jana)
	}
	if p.Meta.Canonical != paper(t, ctx).URL("/historia") || !strings.Contains(wire(t, p), `"AboutPage"`) {
		t.Errorf("%+v", p.Meta)
	}
	for path, want := range map[string]string{
		"/static/kto-sme": "/historia", fmt.Sprintf("/%d", id): "/historia", "/383999": "/historia", "/383574": "",
		"/kariera": "", "/static/nic": "",
	} {
		p := visit(t, ctx, m, path, false)
		if want == "" && p.Status != 404 || want != "" && (p.Status != 301 || p.Redirect != want) {
			t.Errorf("%s: %d %s, want %q", path, p.Status, p.Redirect, want)
		}
	}
	save(t, ctx, m, company("1", func(d *Draft) { d.Status = post.StatusWithdrawn }))
	for _, path := range []string{"/historia", "/static/kto-sme"} {
		if p := visit(t, ctx, m, path, false); p.Status != 404 {
			t.Errorf("withdrawn, %s: %d", path, p.Status)
		}
	}
	save(t, ctx, m, company("1", func(d *Draft) { d.Page = staticpage.Form{} }))
	if p := visit(t, ctx, m, "/static/kto-sme", false); p.Status != 200 || len(p.Data.(*staticpage.PageData).Blocks) > 0 ||
		visit(t, ctx, m, "/historia", false).Status != 404 {
		t.Errorf("without a route: %d", p.Status)
	}
}

func TestPagesByCall(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	save(t, ctx, m, company("1"))
	save(t, ctx, m, company("2", func(d *Draft) {
		d.Title, d.Page, d.Locked, d.Picture = "Zamknuté", staticpage.Form{Blocks: d.Page.Blocks[:1], Lang: "en"}, true, ""
	}))
	save(t, ctx, m, draft("3"))
	var v map[string]any
	w := call(t, ctx, m, "/content/page/kto-sme")
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil || w.Code != http.StatusOK ||
		!strings.HasPrefix(w.Header().Get("Cache-Control"), "public") {
		t.Fatalf("%d %v", w.Code, err)
	}
	conforms(t, "PageEntity", v)
	if v["url"] != "/historia" || v["layout"] != "history" || len(v["blocks"].([]any)) != 7 {
		t.Errorf("%v", v)
	}
	w = call(t, ctx, m, "/content/page/zamknute")
	if w.Code != http.StatusOK || strings.Contains(w.Body.String(), "Slová") ||
		strings.Contains(w.Body.String(), "odsek 8") || !strings.Contains(w.Header().Get("Cache-Control"), "no-store") {
		t.Errorf("locked: %d %s %s", w.Code, w.Header(), w.Body)
	}
	if w := call(t, as(ctx, subscriber), m, "/content/page/zamknute"); !strings.Contains(w.Body.String(), "Slová") ||
		!strings.Contains(w.Body.String(), "odsek 8") {
		t.Errorf("a subscriber: %s", w.Body)
	}
	if p := visit(t, ctx, m, "/static/zamknute", false); strings.Contains(wire(t, p), "Slová") {
		t.Error("the page gives its blocks away")
	}
	for _, path := range []string{"/content/page/nic", "/content/page/clanok-3", "/content/page/%00"} {
		if w := call(t, ctx, m, path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

func TestPagesAreChecked(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	save(t, ctx, m, company("1"))
	item := func(kind string, it staticpage.Item) func(*Draft) {
		return func(d *Draft) {
			d.Page = staticpage.Form{Blocks: []staticpage.Block{{Kind: kind, Items: []staticpage.Item{it}}}}
		}
	}
	for name, c := range map[string]struct {
		change func(*Draft)
		field  string
	}{
		"a form without a page":   {func(d *Draft) { d.Type = post.TypeArticle }, "route"},
		"an unknown route":        {func(d *Draft) { d.Page.Route = "front" }, "route"},
		"a route that is taken":   {func(*Draft) {}, "route"},
		"an unknown layout":       {func(d *Draft) { d.Page = staticpage.Form{Layout: "poster"} }, "layout"},
		"a language that is none": {func(d *Draft) { d.Page = staticpage.Form{Lang: "?"} }, "lang"},
		"an unknown kind": {func(d *Draft) {
			d.Page = staticpage.Form{Blocks: []staticpage.Block{{Kind: "video"}}}
		}, "blocks[0].kind"},
		"text without words": {func(d *Draft) {
			d.Page = staticpage.Form{Blocks: []staticpage.Block{{Kind: "text", HTML: "<script>x</script>"}}}
		}, "blocks[0].html"},
		"text with entries": {func(d *Draft) {
			d.Page = staticpage.Form{Blocks: []staticpage.Block{{
				Kind: "text", HTML: "<p>x</p>",
				Items: []staticpage.Item{{Title: "x"}},
			}}}
		}, "blocks[0].items"},
		"people without people": {func(d *Draft) {
			d.Page = staticpage.Form{Blocks: []staticpage.Block{{Kind: "people"}}}
		}, "blocks[0].items"},
		"an entry without a title": {item("people", staticpage.Item{Subtitle: "x"}), "blocks[0].items[0].title"},
		"a year that has no date":  {item("timeline", staticpage.Item{Title: "x"}), "blocks[0].items[0].date"},
		"a month that is none": {
			item("timeline", staticpage.Item{Title: "x", Date: "2023-13"}),
			"blocks[0].items[0].date",
		},
		"a principle without words": {item("principles", staticpage.Item{Title: "x"}), "blocks[0].items[0].html"},
		"a person with a date": {
			item("people", staticpage.Item{Title: "x", Date: "2023-01"}),
			"blocks[0].items[0].date",
		},
		"a bad address":       {item("people", staticpage.Item{Title: "x", Email: "x@"}), "blocks[0].items[0].email"},
		"a script as a link":  {item("links", staticpage.Item{Title: "x", URL: "javascript:x()"}), "blocks[0].items[0].url"},
		"a link to elsewhere": {item("links", staticpage.Item{Title: "x", URL: "//evil.example"}), "blocks[0].items[0].url"},
		"an unknown picture":  {item("people", staticpage.Item{Title: "x", Picture: picture(77)}), "blocks"},
		"an unknown author":   {item("people", staticpage.Item{Title: "x", Author: "nikto"}), "blocks"},
	} {
		_, _, err := m.SavePost(ctx, company("2", c.change))
		if !errors.Is(err, post.ErrInvalid) || fault.From(err).Field != c.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	pages, err := m.StaticPages(ctx)
	if err != nil || len(pages) != 1 || len(pages[0].Page.Blocks) != 7 || pages[0].Slug != "kto-sme" {
		t.Errorf("%d pages, %v", len(pages), err)
	}
	ed := paper(t, ctx)
	again, err := Normal(ed.Lang(), pages[0])
	if err != nil || fmt.Sprint(again.Page, again.Body) != fmt.Sprint(pages[0].Page, pages[0].Body) {
		t.Errorf("what is stored is not what is right: %v", err)
	}
}

// Pages have authors and categories where they came from another system.
func TestPagesKeepTheirAuthorsAndCategories(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	save(t, ctx, m, company("1", func(d *Draft) {
		d.Authors, d.Categories, d.Page = []string{"peter", "jana"}, []string{"slovensko"}, staticpage.Form{}
	}))
	pages, err := m.StaticPages(ctx)
	if err != nil || len(pages) != 1 {
		t.Fatal(len(pages), err)
	}
	if d := pages[0]; !slices.Equal(d.Authors, []string{"peter", "jana"}) ||
		!slices.Equal(d.Categories, []string{"slovensko"}) {
		t.Errorf("authors %v, categories %v", d.Authors, d.Categories)
	}
}
