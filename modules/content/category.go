package content

import (
	"context"
	"slices"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/page"
	"example.org/broadsheet/platform/web"
)

const (
	firstPage      = 19 // a lead, and rows of 3 and 4
	laterPage      = 8
	categoryVideos = 15
)

// CategoryData is what a category's page shows.
type CategoryData struct {
	Section     *Section   `json:"section"`
	Description string     `json:"description,omitempty"`
	Parent      *Section   `json:"parent,omitempty"`
	Children    []*Section `json:"children"`
	Cards       []Card     `json:"cards"`
	Videos      []Card     `json:"videos"`
	Offset      int        `json:"offset"`
	NextOffset  int        `json:"nextOffset,omitempty"`
	Next        string     `json:"next,omitempty"`
	Offer       any        `json:"offer,omitempty"`
}

// shelf is a part of a category's posts, newest first.
type shelf struct {
	category *category
	articles []*post
	videos   []*post
	run      run
}

func (m *Module) readShelf(ctx context.Context, slug string, w Window, videos int) (s shelf, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		t, err := loadTree(ctx, tx)
		if err != nil {
			return err
		}
		if s.category = t.bySlug[slug]; s.category == nil {
			return web.ErrNotFound
		}
		if s.run, err = findShelved(ctx, tx, inCategory, s.category.within(), "article", w); err != nil {
			return err
		}
		var clips run
		if videos > 0 {
			if clips, err = findShelved(ctx, tx, inCategory, s.category.within(), "video", Window{Limit: videos}); err != nil {
				return err
			}
		}
		posts, err := loadPosts(ctx, tx, t, slices.Concat(s.run.ids, clips.ids))
		s.articles, s.videos = inOrder(posts, s.run.ids), inOrder(posts, clips.ids)
		return err
	})
	return s, err
}

func inOrder(posts map[int64]*post, ids []int64) []*post {
	var out []*post
	for _, id := range ids {
		if p := posts[id]; p != nil {
			out = append(out, p)
		}
	}
	return out
}

func asCards(ed *edition.Edition, posts []*post) []Card {
	out := make([]Card, len(posts))
	for i, p := range posts {
		out[i] = p.card(ed)
	}
	return out
}

func (m *Module) loadCategory(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	if slug := minutesSlug(ed); slug != "" && r.Params["categorySlug"] == slug {
		return page.Redirect(ed.Href(edition.Minutes)), nil
	}
	w, err := readWindow(r.Query, firstPage, laterPage)
	if err != nil {
		return nil, err
	}
	videos := 0
	if w.first() {
		videos = categoryVideos
	}
	s, err := m.readShelf(ctx, r.Params["categorySlug"], w, videos)
	if err != nil {
		return nil, err
	}
	if !w.first() && len(s.articles) == 0 {
		return nil, web.ErrNotFound
	}
	c := s.category
	d := &CategoryData{
		Section: c.section(ed), Description: typeset(ed, c.Description), Children: []*Section{},
		Cards: asCards(ed, s.articles), Videos: asCards(ed, s.videos), Offset: w.Offset, Offer: m.offer(ed),
	}
	if c.parent != nil {
		d.Parent = c.parent.section(ed)
	}
	for _, child := range c.children {
		d.Children = append(d.Children, child.section(ed))
	}
	d.NextOffset, d.Next = w.following(d.Section.URL, s.run)
	p := &page.Page{
		Data: d, Meta: categoryMeta(ed, c, d, w.canonical(ed.URL(d.Section.URL))),
		Tags: carrying([]string{categoryTag(c.Slug)}, d.Cards, d.Videos),
	}
	if len(d.Cards) > 0 {
		p.Preload = preload(d.Cards[0].Picture, leadSlot)
	}
	return p, nil
}

// loadCategoryWithID sends the old form of a category's address to the present one.
func (m *Module) loadCategoryWithID(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	slug := r.Params["categorySlug"]
	if slug == minutesSlug(ed) && slug != "" {
		return page.Redirect(ed.Href(edition.Minutes)), nil
	}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		t, err := loadTree(ctx, tx)
		if err == nil && t.bySlug[slug] == nil {
			err = web.ErrNotFound
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	p := page.Redirect(ed.Href(edition.CategoryPage, slug))
	p.Tags = []string{categoryTag(slug)}
	return p, nil
}
