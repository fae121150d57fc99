package content

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/page"
)

const notFoundCards = 6

// NotFoundData is what stands where nothing is.
type NotFoundData struct {
	MostRead []Card `json:"mostRead"`
}

// Pages are the routes that the module fills.
func (m *Module) Pages() page.Sources {
	article := page.Source{Load: m.loadArticle, Tier: m.articleTier}
	s := page.Sources{
		edition.Front:          {Load: m.loadFront, Query: []string{"p", "page_id"}},
		edition.CategoryPage:   {Load: m.loadCategory, Query: []string{"offset"}},
		edition.CategoryWithID: {Load: m.loadCategoryWithID},
		edition.Article:        article,
		edition.ArticleID:      article,
		edition.Static:         {Load: m.loadStatic},
		edition.NotFound:       {Load: m.loadNotFound},
	}
	for _, r := range pageRoutes {
		s[r] = page.Source{Load: m.loadOwnPage}
	}
	return s
}

// loadNotFound is the page of whatever is not there; an address of the old site is sent on.
func (m *Module) loadNotFound(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	p := &page.Page{Status: 404, Tags: []string{mostReadTag, pagesTag}}
	paths := []string{cleanPath(unescaped(r.Path))}
	first, _, _ := strings.Cut(strings.TrimPrefix(r.Path, "/"), "/")
	if id, err := strconv.ParseInt(first, 10, 64); err == nil {
		paths = append(paths, "/"+first)
		p.Tags = append(p.Tags, postTag(id)) // once it is published, it is there
	}
	old, err := m.oldAddress(ctx, paths...)
	if err != nil {
		return nil, err
	}
	if old != nil {
		to := page.Redirect(old.path(ed))
		to.Tags = slices.Concat(p.Tags, []string{postTag(old.ID)})
		return to, nil
	}
	d := &NotFoundData{}
	err = m.db.View(ctx, func(ctx context.Context, tx db.Tx) error {
		t, err := loadTree(ctx, tx)
		if err != nil {
			return err
		}
		ids, err := m.mostRead(ctx, tx, notFoundCards, mostReadDays)
		if err != nil {
			return err
		}
		posts, err := loadPosts(ctx, tx, t, ids)
		d.MostRead = cards(ed, posts, ids)
		return err
	})
	p.Data = d
	p.Meta = page.Meta{
		Title: i18n.T(ed, "content.not_found.title", nil) + " – " + ed.Name, Description: i18n.T(ed, "content.not_found.description", nil), Robots: "noindex",
	}
	return p, err
}
