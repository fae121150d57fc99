package content

import (
	"context"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/seo"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/typography"
	"example.org/broadsheet/platform/web"
)

const (
	firstPage      = 19 // a lead, and rows of 3 and 4
	laterPage      = 8
	categoryVideos = 15
)

// CategoryData is what a category's page shows.
type CategoryData struct {
	Section     *post.Section   `json:"section"`
	Description string          `json:"description,omitempty"`
	Parent      *post.Section   `json:"parent,omitempty"`
	Children    []*post.Section `json:"children"`
	Cards       []post.Card     `json:"cards"`
	Videos      []post.Card     `json:"videos"`
	Offset      int             `json:"offset"`
	NextOffset  int             `json:"nextOffset,omitempty"`
	Next        string          `json:"next,omitempty"`
	Offer       any             `json:"offer,omitempty"`
}

func (m *Module) loadCategory(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	if slug := post.MinutesSlug(ed); slug != "" && r.Params["categorySlug"] == slug {
		return page.Redirect(ed.Href(edition.Minutes)), nil
	}
	w, err := post.ReadWindow(r.Query, firstPage, laterPage)
	if err != nil {
		return nil, err
	}
	videos := 0
	if w.First() {
		videos = categoryVideos
	}
	s, err := post.ReadCategory(ctx, m.db, r.Params["categorySlug"], w, videos)
	if err != nil {
		return nil, err
	}
	if !w.First() && len(s.Articles) == 0 {
		return nil, web.ErrNotFound
	}
	c := s.Category
	d := &CategoryData{
		Section: c.Section(ed), Description: typography.Text(ed.IntlLocale, c.Description), Children: []*post.Section{},
		Cards: post.CardsOf(ed, s.Articles), Videos: post.CardsOf(ed, s.Videos), Offset: w.Offset, Offer: m.offer(ed),
	}
	if c.Parent != nil {
		d.Parent = c.Parent.Section(ed)
	}
	for _, child := range c.Children {
		d.Children = append(d.Children, child.Section(ed))
	}
	d.NextOffset, d.Next = w.Next(d.Section.URL, s.Part)
	p := &page.Page{
		Data: d, Meta: categoryMeta(ed, c, d, w.Canonical(ed.URL(d.Section.URL))),
		Tags: post.WithCardTags([]string{post.CategoryTag(c.Slug)}, d.Cards, d.Videos),
	}
	if len(d.Cards) > 0 {
		p.Preload = seo.Preload(d.Cards[0].Picture, seo.Lead)
	}
	return p, nil
}

// loadCategoryWithID sends the old form of a category's address to the present one.
func (m *Module) loadCategoryWithID(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	slug := r.Params["categorySlug"]
	if slug == post.MinutesSlug(ed) && slug != "" {
		return page.Redirect(ed.Href(edition.Minutes)), nil
	}
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		t, err := post.LoadTree(ctx, tx)
		if err == nil && t.BySlug[slug] == nil {
			err = web.ErrNotFound
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	p := page.Redirect(ed.Href(edition.CategoryPage, slug))
	p.Tags = []string{post.CategoryTag(slug)}
	return p, nil
}
