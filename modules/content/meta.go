package content

import (
	"fmt"
	"strings"
	"time"

	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/page"
)

// The sizes attributes of the pictures that come first, as the frontend's picture roles have them: a preload that
// differs from them would fetch a picture twice.
const (
	leadSizes         = "(width >= 1280px) 746px, (width >= 1024px) 64vw, 100vw"
	articleSizes      = "(width >= 1024px) 842px, 100vw"
	preloadWidth      = 1280
	shareWidth        = 1280
	descriptionLength = 300
)

// preload is the picture to fetch first, or nil.
func preload(i *Image, sizes string) *page.Image {
	if i == nil {
		return nil
	}
	set := make([]string, len(media.Widths))
	for n, w := range media.Widths {
		set[n] = fmt.Sprintf("%s %dw", media.URL(i.ID, media.Variant{Width: w}), w)
	}
	return &page.Image{URL: media.URL(i.ID, media.Variant{Width: preloadWidth}), SrcSet: strings.Join(set, ", "), Sizes: sizes}
}

// shareImage is the picture that goes along when a page is shared, or nil.
func shareImage(ed *edition.Edition, i *Image) *page.Image {
	if i == nil {
		return nil
	}
	w := min(shareWidth, i.Width)
	return &page.Image{URL: ed.URL(media.URL(i.ID, media.Variant{Width: shareWidth})), Width: w, Height: i.Height * w / i.Width, Alt: i.Alt}
}

type ld map[string]any

const schemaOrg = "https://schema.org"

func publisher(ed *edition.Edition) ld {
	p := ld{"@type": "NewsMediaOrganization", "name": ed.Name, "url": ed.URL("/")}
	if len(ed.Social) > 0 {
		var same []string
		for _, s := range ed.Social {
			same = append(same, s.URL)
		}
		p["sameAs"] = same
	}
	return p
}

func frontMeta(ed *edition.Edition) page.Meta {
	description := ed.Description
	if description == "" {
		description = ed.Tagline
	}
	return page.Meta{
		Title: ed.Name + " – " + ed.Tagline, Description: description, Canonical: ed.URL(ed.Href(edition.Front)),
		JSONLD: []any{ld{
			"@context": schemaOrg, "@type": "WebSite", "name": ed.Name, "url": ed.URL("/"), "description": description,
			"inLanguage": ed.IntlLocale, "publisher": publisher(ed),
		}},
	}
}

// breadcrumbs leads from the front page to the last of the names.
func breadcrumbs(ed *edition.Edition, path []*category, last string, lastURL string) ld {
	items := []ld{{"@type": "ListItem", "position": 1, "name": ed.Name, "item": ed.URL("/")}}
	add := func(name, url string) {
		items = append(items, ld{"@type": "ListItem", "position": len(items) + 1, "name": name, "item": url})
	}
	for _, c := range path {
		add(c.Name, ed.URL(c.section(ed).URL))
	}
	if last != "" {
		add(last, lastURL)
	}
	return ld{"@context": schemaOrg, "@type": "BreadcrumbList", "itemListElement": items}
}

// listMeta is that of a page which lists stories; without a description of its own it has the edition's.
func listMeta(ed *edition.Edition, title, description, canonical string) page.Meta {
	if description == "" {
		description = title + ". " + ed.Description
	}
	return page.Meta{Title: title + " – " + ed.Name, Description: cut(description, descriptionLength), Canonical: canonical}
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

func categoryMeta(ed *edition.Edition, c *category, d *CategoryData, canonical string) page.Meta {
	title := c.Name
	if c.parent != nil {
		title += " | " + c.parent.Name
	}
	description := c.Description
	if description == "" && c.parent != nil {
		description = c.parent.Description
	}
	if description == "" {
		description = c.Name + ". " + ed.Description
	}
	var list []ld
	for i, card := range d.Cards {
		list = append(list, ld{"@type": "ListItem", "position": d.Offset + i + 1, "url": ed.URL(card.URL), "name": card.Title})
	}
	m := page.Meta{
		Title: title + " – " + ed.Name, Description: description, Canonical: canonical,
		JSONLD: []any{
			ld{
				"@context": schemaOrg, "@type": "CollectionPage", "name": c.Name, "url": canonical, "description": description,
				"inLanguage": ed.IntlLocale, "publisher": publisher(ed), "mainEntity": ld{"@type": "ItemList", "itemListElement": list},
			},
			breadcrumbs(ed, c.path(), "", ""),
		},
	}
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
		Title: p.Title, Description: cut(p.Excerpt, descriptionLength), Canonical: canonical, Type: "article", Image: shareImage(ed, d.Card.Picture),
		Published: p.PublishedAt.Format(time.RFC3339), Modified: p.ModifiedAt.Format(time.RFC3339),
		Alternates: alternates(ed, canonical, s.alternates),
	}
	var trail []*category
	if len(p.categories) > 0 {
		trail = p.categories[0].path()
	}
	m.JSONLD = []any{newsArticle(ed, s, m, trail), breadcrumbs(ed, trail, p.Title, canonical)}
	if p.Type == TypeVideo && !p.Locked && p.VideoURL != "" && m.Image != nil {
		video := ld{
			"@context": schemaOrg, "@type": "VideoObject", "name": p.Title, "description": m.Description, "uploadDate": m.Published,
			"thumbnailUrl": m.Image.URL, "contentUrl": onHost(ed, p.VideoURL),
		}
		if p.VideoSeconds > 0 {
			video["duration"] = fmt.Sprintf("PT%dS", p.VideoSeconds)
		}
		m.JSONLD = append(m.JSONLD, video)
	}
	return m
}

// onHost makes an address of the edition's own absolute.
func onHost(ed *edition.Edition, address string) string {
	if strings.HasPrefix(address, "/") {
		return ed.URL(address)
	}
	return address
}

func newsArticle(ed *edition.Edition, s story, m page.Meta, trail []*category) ld {
	p := s.post
	kind := "NewsArticle"
	if p.Type == TypeComment {
		kind = "OpinionNewsArticle"
	}
	a := ld{
		"@context": schemaOrg, "@type": kind, "headline": cut(p.Title, 110), "description": m.Description, "url": m.Canonical,
		"mainEntityOfPage": m.Canonical, "datePublished": m.Published, "dateModified": m.Modified, "inLanguage": ed.IntlLocale,
		"publisher": publisher(ed), "isAccessibleForFree": !p.Locked,
	}
	if p.Locked {
		a["hasPart"] = ld{"@type": "WebPageElement", "isAccessibleForFree": false, "cssSelector": ".paywalled"}
	}
	if m.Image != nil {
		a["image"] = ld{"@type": "ImageObject", "url": m.Image.URL, "width": m.Image.Width, "height": m.Image.Height}
	}
	if len(trail) > 0 {
		a["articleSection"] = trail[len(trail)-1].Name
	}
	var people []ld
	for _, b := range p.authors {
		person := ld{"@type": "Person", "name": b.Name}
		if b.Role != "" {
			person["jobTitle"] = b.Role
		}
		people = append(people, person)
	}
	if len(people) > 0 {
		a["author"] = people
	} else {
		a["author"] = publisher(ed)
	}
	return a
}

// pageKinds are what search engines call pages of some layouts.
var pageKinds = map[string]string{"contacts": "ContactPage", "company": "AboutPage", "history": "AboutPage", "organisation": "AboutPage", "principles": "AboutPage"}

func staticMeta(ed *edition.Edition, s static) page.Meta {
	p, kind, lang := s.post, pageKinds[s.form.Layout], s.form.Lang
	if kind == "" {
		kind = "WebPage"
	}
	if lang == "" {
		lang = ed.IntlLocale
	}
	m := page.Meta{
		Title: p.Title + " – " + ed.Name, Description: staticDescription(ed, p), Canonical: ed.URL(p.path(ed)), Image: shareImage(ed, p.image()),
		Modified: p.ModifiedAt.Format(time.RFC3339),
	}
	m.JSONLD = []any{ld{
		"@context": schemaOrg, "@type": kind, "name": p.Title, "url": m.Canonical, "description": m.Description, "inLanguage": lang,
		"dateModified": m.Modified, "publisher": publisher(ed),
	}, breadcrumbs(ed, nil, p.Title, m.Canonical)}
	return m
}

func staticDescription(ed *edition.Edition, p *post) string {
	if d := cut(p.Excerpt, descriptionLength); d != "" {
		return d
	}
	return p.Title + ". " + ed.Description
}
