package content

import (
	"fmt"
	"strings"
	"time"

	"example.org/broadsheet/modules/content/feed"
	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/page"
)

// slot is where a picture comes first, as the frontend's picture roles have it: a preload that differs from them would
// fetch a picture twice.
type slot struct {
	sizes string
	ratio string // one of media.Ratios; "" keeps the picture's own
}

var (
	leadSlot    = slot{"(width >= 1280px) 746px, (width >= 1024px) 64vw, 88vw", "16x9"}
	articleSlot = slot{"(width >= 1024px) 842px, 88vw", "16x9"}
	heroSlot    = slot{"(width >= 1280px) 1130px, 100vw", ""}
	coverSlot   = slot{"(width >= 1280px) 266px, (width >= 640px) 32vw, 60vw", "4x5"}
)

const (
	preloadWidth      = 1280
	shareWidth        = 1280
	shareRatio        = "40x21"
	descriptionLength = 300
)

// preload is the picture to fetch first, or nil.
func preload(i *post.Image, s slot) *page.Image {
	if i == nil {
		return nil
	}
	set := make([]string, len(media.Widths))
	for n, w := range media.Widths {
		set[n] = fmt.Sprintf("%s %dw", media.URL(i.ID, media.Variant{Width: w, Ratio: s.ratio}), w)
	}
	first := media.URL(i.ID, media.Variant{Width: preloadWidth, Ratio: s.ratio})
	return &page.Image{URL: first, SrcSet: strings.Join(set, ", "), Sizes: s.sizes}
}

// shareImage is the picture that goes along when a page is shared, or nil.
func shareImage(ed *edition.Edition, i *post.Image) *page.Image {
	if i == nil {
		return nil
	}
	v := media.Variant{Width: shareWidth, Ratio: shareRatio}
	w, h := v.Size(i.Width, i.Height)
	return &page.Image{URL: ed.URL(media.URL(i.ID, v)), Width: w, Height: h, Alt: i.Alt}
}

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
		JSONLD: []any{website(ed, description), organisation(ed)},
	}
}

// listMeta is that of a page which lists stories; without a description of its own it has the edition's.
func listMeta(ed *edition.Edition, title, description, canonical string) page.Meta {
	if description == "" {
		description = title + ". " + ed.Description
	}
	return page.Meta{
		Title: title + " – " + ed.Name, Description: markup.Shorten(description, descriptionLength),
		Canonical: canonical,
	}
}

// alternates are the same story in the sister editions, and here: each names all.
func alternates(ed *edition.Edition, canonical string, sisters []Alternate) []page.Alternate {
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
	m.JSONLD = []any{collection(ed, c.Name, m, d.Offset, cardSteps(ed, d.Cards)), breadcrumbs(ed, trail(ed, c.Path())...)}
	if len(d.Cards) > 0 {
		m.Image = shareImage(ed, d.Cards[0].Picture)
	}
	return m
}

// articleMeta speaks of the article in words that are public: headline and excerpt, never the body.
func articleMeta(ed *edition.Edition, s story, d *ArticleData) page.Meta {
	p := s.post
	canonical := ed.URL(d.Card.URL)
	m := page.Meta{
		Title: p.Title, Description: markup.Shorten(p.Excerpt, descriptionLength), Canonical: canonical, Type: "article",
		Image:     shareImage(ed, p.Image()),
		Published: p.PublishedAt.Format(time.RFC3339), Modified: p.ModifiedAt.Format(time.RFC3339),
		Alternates: alternates(ed, canonical, s.alternates),
	}
	var way []step
	if len(p.Categories) > 0 {
		way = trail(ed, p.Categories[0].Path())
		m.Section = p.Categories[0].Name
	}
	m.JSONLD = []any{newsArticle(ed, p, m), breadcrumbs(ed, append(way, step{p.Title, canonical})...)}
	if v := video(ed, p, m); v != nil {
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
		Image:    shareImage(ed, p.Image()),
		Modified: p.ModifiedAt.Format(time.RFC3339),
	}
	m.JSONLD = []any{webPage(ed, kind, p.Title, lang, m), breadcrumbs(ed, step{p.Title, m.Canonical})}
	return m
}

func staticDescription(ed *edition.Edition, p *post.Post) string {
	if d := markup.Shorten(p.Excerpt, descriptionLength); d != "" {
		return d
	}
	return p.Title + ". " + ed.Description
}
