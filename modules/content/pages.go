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
	article := page.Source{Load: m.loadArticle, Tier: m.articleTier, Query: []string{"article_type"}}
	windowed := []string{"offset", "after"}
	s := page.Sources{
		edition.Front:          {Load: m.loadFront, Query: []string{"p", "page_id"}, Spent: []string{"p", "page_id"}},
		edition.CategoryPage:   {Load: m.loadCategory, Query: windowed},
		edition.CategoryWithID: {Load: m.loadCategoryWithID},
		edition.TopicIndex:     {Load: m.loadTopicIndex, Query: windowed},
		edition.Topic:          {Load: m.loadTopic},
		edition.Minutes:        {Load: m.loadMinutes, Query: windowed},
		edition.Author:         {Load: m.loadAuthor, Query: windowed},
		edition.AuthorWithID:   {Load: m.loadAuthorWithID},
		edition.Article:        article,
		edition.ArticleID:      article,
		edition.Static:         {Load: m.loadStatic},
		edition.Search:         {Load: m.loadSearch, Query: []string{"q"}, Spent: []string{"q"}},
		edition.SearchTerm:     {Load: m.loadFound, Query: []string{"offset"}},
		edition.NotFound:       {Load: m.loadNotFound, Query: []string{"video-komentar"}},
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
	if nameless(ed, r.Path) {
		return m.loadAuthorWithID(ctx, r)
	}
	p := &page.Page{Status: 404, Tags: awaited(ed, r.Path)}
	paths := []string{cleanPath(unescaped(r.Path))}
	var numbers []int64
	if route, _, known := ed.Routes.Match(r.Path); !known || route == edition.Article || route == edition.ArticleID {
		numbers = numbersIn(r.Path) // no page of the edition's own has this address
	}
	for i, id := range numbers {
		if n := strconv.FormatInt(id, 10); i == 0 && (r.Path == "/"+n || strings.HasPrefix(r.Path, "/"+n+"/")) {
			paths = append(paths, "/"+n)
		}
		p.Tags = append(p.Tags, postTag(id)) // once it is published, it is there
	}
	if id, err := strconv.ParseInt(r.Query.Get("video-komentar"), 10, 64); err == nil && id > 0 {
		numbers = append(numbers, id)
	}
	old, err := m.oldAddress(ctx, numbers, paths...)
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
		ids, err := findMostRead(ctx, tx, notFoundCards, 0, mostReadDays)
		if err != nil {
			return err
		}
		posts, err := loadPosts(ctx, tx, t, ids)
		d.MostRead = cards(ed, posts, ids)
		return err
	})
	p.Data, p.Tags = d, carrying(p.Tags, d.MostRead)
	p.Meta = page.Meta{
		Title: i18n.T(ed, "content.not_found.title", nil) + " – " + ed.Name, Description: i18n.T(ed, "content.not_found.description", nil), Robots: "noindex",
	}
	return p, err
}

// awaited are the tags of what may be published at an address that leads nowhere now.
func awaited(ed *edition.Edition, path string) []string {
	tags := []string{pagesTag}
	switch route, params, _ := ed.Routes.Match(path); route {
	case edition.Author:
		tags = append(tags, authorTag(params["authorSlug"]))
	case edition.Topic:
		tags = append(tags, topicTag(params["tagSlug"]), topicsTag)
	case edition.CategoryPage:
		tags = append(tags, categoryTag(params["categorySlug"]))
	}
	return tags
}

// numbersIn finds the numbers between the slashes of a path, but for the date that old addresses begin with.
func numbersIn(path string) (ids []int64) {
	segments := strings.Split(strings.Trim(path, "/"), "/")
	if len(segments) > 2 && len(segments[0]) == 4 && len(segments[1]) == 2 {
		segments = segments[2:]
	}
	for _, s := range segments {
		if id, err := strconv.ParseInt(s, 10, 64); err == nil && id > 0 && s[0] != '+' {
			ids = append(ids, id)
		}
	}
	return ids
}
