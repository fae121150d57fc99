package content

import (
	"time"

	"example.org/broadsheet/modules/content/alternate"
	"example.org/broadsheet/modules/content/feed"
	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/seo"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
)

// feeds are those that a page names: its own, if any, and the edition's.
func feeds(ed *edition.Edition, own ...page.Feed) []page.Feed {
	return append(own, page.Feed{Title: ed.Name, URL: ed.URL(feed.Path)})
}

func frontMeta(ed *edition.Edition) page.Meta {
	description := ed.Description
	if description == "" {
		description = ed.Tagline
	}
	return page.Meta{
		Title: ed.Name + " – " + ed.Tagline, Description: description, Canonical: ed.URL(ed.Href(edition.Front)),
		Feeds:  feeds(ed),
		JSONLD: []any{seo.Website(ed, description), seo.Organisation(ed)},
	}
}

// alternates are the same story in the sister editions, and here: each names all.
func alternates(ed *edition.Edition, canonical string, sisters []alternate.Link) []page.Alternate {
	if len(sisters) == 0 {
		return nil
	}
	out := []page.Alternate{{Lang: ed.IntlLocale, URL: canonical}}
	for _, a := range sisters {
		out = append(out, page.Alternate{Lang: a.Lang, URL: a.URL})
	}
	return out
}

func categoryMeta(ed *edition.Edition, c *post.Category, d *CategoryData, canonical string) page.Meta {
	title := c.Name
	if c.Parent != nil {
		title += " – " + c.Parent.Name
	}
	description := c.Description
	if description == "" && c.Parent != nil {
		description = c.Parent.Description
	}
	if description == "" {
		description = c.Name + ". " + ed.Description
	}
	m := page.Meta{
		Title: title + " – " + ed.Name, Description: description, Canonical: canonical,
		Feeds: feeds(ed, page.Feed{Title: c.Name + " – " + ed.Name, URL: ed.URL(feed.OfCategory(c.Slug))}),
	}
	m.JSONLD = []any{
		seo.Collection(ed, c.Name, m, d.Offset, seo.CardSteps(ed, d.Cards)),
		seo.Breadcrumbs(ed, seo.Trail(ed, c.Path())...),
	}
	if len(d.Cards) > 0 {
		m.Image = seo.ShareImage(ed, d.Cards[0].Picture)
	}
	return m
}

// articleMeta speaks of the article in words that are public: headline and excerpt, never the body.
func articleMeta(ed *edition.Edition, s story, d *ArticleData) page.Meta {
	p := s.post
	canonical := ed.URL(d.Card.URL)
	m := page.Meta{
		Title: p.Title, Description: markup.Shorten(p.Excerpt, seo.DescriptionLength), Canonical: canonical, Type: "article",
		Image:     seo.ShareImage(ed, p.Image()),
		Published: p.PublishedAt.Format(time.RFC3339), Modified: p.ModifiedAt.Format(time.RFC3339),
		Alternates: alternates(ed, canonical, s.alternates),
	}
	var way []seo.Step
	if len(p.Categories) > 0 {
		way = seo.Trail(ed, p.Categories[0].Path())
		m.Section = p.Categories[0].Name
	}
	m.JSONLD = []any{
		seo.NewsArticle(ed, p, m),
		seo.Breadcrumbs(ed, append(way, seo.Step{Name: p.Title, URL: canonical})...),
	}
	if v := seo.Video(ed, p, m); v != nil {
		m.JSONLD = append(m.JSONLD, v)
	}
	return m
}

// pageKinds are what search engines call pages of some layouts.
var pageKinds = map[string]string{
	"contacts": "ContactPage", "company": "AboutPage", "history": "AboutPage",
	"organisation": "AboutPage", "principles": "AboutPage",
}

func staticMeta(ed *edition.Edition, s static) page.Meta {
	p, kind, lang := s.post, pageKinds[s.form.Layout], s.form.Lang
	if kind == "" {
		kind = "WebPage"
	}
	if lang == "" {
		lang = ed.IntlLocale
	}
	m := page.Meta{
		Title: p.Title + " – " + ed.Name, Description: staticDescription(ed, p), Canonical: ed.URL(p.Path(ed)),
		Image:    seo.ShareImage(ed, p.Image()),
		Modified: p.ModifiedAt.Format(time.RFC3339),
	}
	m.JSONLD = []any{
		seo.WebPage(ed, kind, p.Title, lang, m),
		seo.Breadcrumbs(ed, seo.Step{Name: p.Title, URL: m.Canonical}),
	}
	return m
}

func staticDescription(ed *edition.Edition, p *post.Post) string {
	if d := markup.Shorten(p.Excerpt, seo.DescriptionLength); d != "" {
		return d
	}
	return p.Title + ". " + ed.Description
}
