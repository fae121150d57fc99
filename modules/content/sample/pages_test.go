package sample

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/tenants"
)

// typedMeter is how many articles are free, typed into a text.
var typedMeter = regexp.MustCompile(`(?i)\b(tri|3) (zamknuté )?články|\b(drei|3) (gesperrte )?Artikel`)

// Every address of an edition that is to hold one of its pages has one, its links lead somewhere, and the number beside
// the career link is that of the positions.
func TestPagesFitTheirEdition(t *testing.T) {
	t.Parallel()
	routes := []edition.Route{
		edition.History, edition.Organisation, edition.Contacts, edition.Principles, edition.Company, edition.Career,
		edition.Christmas,
	}
	for _, id := range editions {
		text, err := fs.ReadFile(tenants.FS, id+".yaml")
		if err != nil {
			t.Fatal(err)
		}
		doc, err := edition.Parse(id, text)
		if err != nil {
			t.Fatal(err)
		}
		table, err := edition.NewTable(doc.RouteSet, doc.Paths)
		if err != nil {
			t.Fatal(err)
		}
		l := shipped(t, id)
		authors, slugs, at, positions := map[string]bool{"": true}, map[string]bool{}, map[edition.Route]bool{}, 0
		for _, a := range l.Authors {
			authors[a.Key] = true
		}
		for _, p := range l.Pages {
			slugs[p.Slug], at[edition.Route(p.Route)] = true, true
		}
		check := func(where, path string) {
			route, params, ok := table.Match(path)
			if !ok || route == edition.Static && !slugs[params["articleSlug"]] {
				t.Errorf("%s, %s: %s leads nowhere", id, where, path)
			}
		}
		for _, r := range routes {
			if (table.Path(r) != "") != at[r] {
				t.Errorf("%s: %s has the address %q, and a page for it: %t", id, r, table.Path(r), at[r])
			}
		}
		footer := map[edition.Route]bool{}
		for _, group := range doc.Menus.Footer {
			for _, item := range group.Items {
				footer[edition.Route(item.Route)] = true
			}
		}
		for r := range at {
			if r != "" && !footer[r] {
				t.Errorf("%s: nothing leads to the page of %s", id, r)
			}
		}
		for _, p := range l.Pages {
			if strings.Contains(p.Body, "\u00a0€") || strings.Contains(p.Body, " €") {
				t.Errorf("%s: %s has an amount that is typed, and not the document's", id, p.Slug)
			}
			if typed := typedMeter.FindString(p.Title + p.Excerpt + p.Body); typed != "" {
				t.Errorf("%s: %s says %q, which the document says", id, p.Slug, typed)
			}
			if p.Picture != "" && (p.Alt == "" || p.Alt == p.Caption) {
				t.Errorf("%s: %s does not say what is to be seen in its picture", id, p.Slug)
			}
			if id == "standard_com" && strings.ContainsAny(p.Title+p.Excerpt+p.Body, "ß„“") {
				t.Errorf("%s: %s is not written as the Swiss do", id, p.Slug)
			}
			for _, b := range p.Blocks {
				if b.Kind == "positions" {
					positions += len(b.Items)
				}
				for _, it := range b.Items {
					if !authors[it.Author] {
						t.Errorf("%s: %s: there is no author %q", id, p.Slug, it.Author)
					}
					if it.URL != "" {
						check(p.Slug, it.URL)
					}
				}
			}
		}
		if positions != doc.CareerCount {
			t.Errorf("%s: %d open positions, and the menu says %d", id, positions, doc.CareerCount)
		}
		for _, to := range doc.Redirects {
			check("a redirect", to)
		}
	}
}

// A document that readers are asked about has as many sections as the question makes room for.
func TestDocumentsHaveTheirSections(t *testing.T) {
	t.Parallel()
	for id, groups := range map[string]int{"standard": 1, "standard_at": 2, "standard_com": 2} {
		text, err := fs.ReadFile(tenants.FS, id+".yaml")
		if err != nil {
			t.Fatal(err)
		}
		doc, err := edition.Parse(id, text)
		if err != nil {
			t.Fatal(err)
		}
		l := shipped(t, id)
		sections := map[string]int{}
		for _, p := range l.Pages {
			sections[p.Slug] = strings.Count("\n"+p.Body, "\n## ")
		}
		asked := doc.Consent.Asked()
		if len(asked) != groups {
			t.Errorf("%s asks about %d documents, want %d", id, len(asked), groups)
		}
		for i, d := range asked {
			if want := doc.Consent.Accordions[i].Sections; sections[d.Static] != want {
				t.Errorf("%s: %s has %d sections, the edition's document says %d", id, d.Static, sections[d.Static], want)
			}
		}
	}
}
