package content

import (
	"context"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/staticpage"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
)

const notFoundCards = 6

// NotFoundData is what stands where nothing is.
type NotFoundData struct {
	MostRead []post.Card `json:"mostRead"`
}

// Pages are the routes that the module fills.
func (m *Module) Pages() page.Sources {
	article := page.Source{
		Load: m.loadArticle, Tier: m.articleTier, Query: []string{"article_type"}, Value: asksForMinutes, Spent: spentQuery,
	}
	windowed := []string{"offset", "after"}
	s := page.Sources{
		edition.Front:          {Load: m.loadFront, Query: shortQuery, Value: isShortAddress, Spent: spentQuery},
		edition.CategoryPage:   {Load: m.loadCategory, Query: windowed},
		edition.CategoryWithID: {Load: m.loadCategoryWithID},
		edition.TopicIndex:     {Load: m.topics.LoadIndex, Query: windowed},
		edition.Topic:          {Load: m.topics.LoadPage},
		edition.Minutes:        {Load: m.loadMinutes, Query: windowed},
		edition.Videos:         {Load: m.loadVideos, Query: windowed},
		edition.Author:         {Load: m.loadAuthor, Query: windowed},
		edition.AuthorWithID:   {Load: m.loadAuthorWithID},
		edition.Article:        article,
		edition.ArticleID:      article,
		edition.Static:         {Load: m.loadStatic},
		edition.Search:         {Load: m.search.LoadPage, Query: []string{"q"}, Spent: []string{"q"}},
		edition.SearchTerm:     {Load: m.search.LoadFound, Tier: m.search.FoundTier, Query: []string{"offset"}},
		edition.NotFound:       {Load: m.loadNotFound, Query: []string{"video-komentar"}, Spent: spentQuery},
	}
	for _, r := range staticpage.Routes {
		s[r] = page.Source{Load: m.loadOwnPage}
	}
	return s
}

// loadNotFound is the page of whatever is not there; an address of the old site is sent on.
func (m *Module) loadNotFound(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	if isAuthorless(ed, r.Path) {
		return m.loadAuthorWithID(ctx, r)
	}
	p := &page.Page{Status: 404, Tags: tagsOfMissing(ed, r.Path)}
	to, tags, err := m.legacyAddress(ctx, ed, r)
	if err != nil {
		return nil, err
	}
	p.Tags = append(p.Tags, tags...)
	if to != "" {
		moved := page.Redirect(to)
		moved.Tags = p.Tags
		return moved, nil
	}
	d := &NotFoundData{}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		t, err := post.LoadTree(ctx, tx)
		if err != nil {
			return err
		}
		ids, err := post.MostRead(ctx, tx, notFoundCards, 0, mostReadDays)
		if err != nil {
			return err
		}
		posts, err := post.Load(ctx, tx, t, ids)
		d.MostRead = post.CardsByID(ed, posts, ids)
		return err
	})
	p.Data, p.Tags = d, post.WithCardTags(p.Tags, d.MostRead)
	p.Meta = page.Meta{
		Title:       i18n.T(ed, "content.not_found.title", nil) + " – " + ed.Name,
		Description: i18n.T(ed, "content.not_found.description", nil), Robots: "noindex",
	}
	return p, err
}

// tagsOfMissing are the tags of what may be published at an address that leads nowhere now.
func tagsOfMissing(ed *edition.Edition, path string) []string {
	tags := []string{post.PagesTag}
	switch route, params, _ := ed.Routes.Match(path); route {
	case edition.Author:
		tags = append(tags, post.AuthorTag(params["authorSlug"]))
	case edition.Topic:
		tags = append(tags, post.TopicTag(params["tagSlug"]), post.TopicsTag)
	case edition.CategoryPage:
		tags = append(tags, post.CategoryTag(params["categorySlug"]))
	}
	return tags
}
