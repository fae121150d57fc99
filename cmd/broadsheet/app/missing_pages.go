package app

import (
	"context"
	"fmt"
	"slices"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/staticpage"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// MissingPage is a page that the document of an edition leads to and that the edition does not have.
type MissingPage struct {
	Path string // where readers get 404
	Key  string // of the document
}

// String names the page and the key of the document.
func (p MissingPage) String() string { return fmt.Sprintf("%s (%s)", p.Path, p.Key) }

// MissingPages returns the published pages that an edition lacks: first the documents that readers agree to, then the
// pages of its menus. Without a database, the edition has no page yet.
func MissingPages(ctx context.Context, d *db.DB, ed *edition.Edition) (missing []MissingPage, err error) {
	has := map[string]bool{}
	if d != nil {
		pages, err := NewContent(d).StaticPages(edition.With(ctx, ed))
		if err != nil {
			return nil, err
		}
		for _, p := range pages {
			if p.Status == post.StatusPublished {
				has[p.Slug] = true
				has[string(p.Page.Route)+" "] = true // no slug has a blank
			}
		}
	}
	listed := map[string]bool{}
	need := func(page, path, key string) {
		if !has[page] && !listed[path] {
			listed[path] = true
			missing = append(missing, MissingPage{path, key})
		}
	}
	for _, one := range ed.Consent.Documents {
		need(one.Static, ed.Href(edition.Static, one.Static), "consent.documents: "+one.ID)
	}
	if ed.Conduct != "" {
		need(ed.Conduct, ed.Href(edition.Static, ed.Conduct), "discussion_code")
	}
	items := slices.Clone(ed.Menus.Main)
	for _, column := range ed.Menus.Footer {
		items = append(items, column.Items...)
	}
	for _, it := range items {
		route := edition.Route(it.Route)
		switch slug := it.Param("articleSlug"); {
		case route == edition.Static && slug != "":
			need(slug, ed.Href(route, slug), "menus")
		case slices.Contains(staticpage.Routes, route) && ed.Href(route) != "":
			need(it.Route+" ", ed.Href(route), "menus")
		}
	}
	return missing, nil
}
