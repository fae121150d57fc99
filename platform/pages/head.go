package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"strconv"
	"strings"

	"example.org/broadsheet/platform/paper/brand"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
)

// writeHead writes all metadata of a page: search engines and shared links see the server's
// words whether or not the page was rendered.
func writeHead(b *bytes.Buffer, ed *edition.Edition, p *page.Page, files Files) error {
	h := head{b}
	m := p.Meta
	b.WriteString("<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
	b.WriteString("<title>" + html.EscapeString(m.Title) + "</title>\n")
	h.meta("description", m.Description)
	if m.Canonical != "" {
		h.link("canonical", m.Canonical)
	}
	robots := m.Robots
	if robots == "" {
		robots = "max-image-preview:large"
	}
	h.meta("robots", robots)
	for _, a := range m.Alternates {
		b.WriteString(`<link rel="alternate" hreflang="` + html.EscapeString(a.Lang) + `" href="` +
			html.EscapeString(a.URL) + "\">\n")
	}
	h.social(ed, m)
	if p.Refresh != "" {
		b.WriteString(`<noscript><meta http-equiv="refresh" content="5;url=` + html.EscapeString(p.Refresh) +
			"\"></noscript>\n")
	}
	for _, css := range files.CSS {
		h.link("stylesheet", css)
	}
	if i := p.Preload; i != nil {
		b.WriteString(`<link rel="preload" as="image" fetchpriority="high" href="` + html.EscapeString(i.URL) + `"`)
		if i.SrcSet != "" {
			b.WriteString(` imagesrcset="` + html.EscapeString(i.SrcSet) + `" imagesizes="` + html.EscapeString(i.Sizes) + `"`)
		}
		b.WriteString(">\n")
	}
	for _, f := range files.Fonts {
		b.WriteString(`<link rel="preload" as="font" type="font/woff2" crossorigin href="` + html.EscapeString(f) + "\">\n")
	}
	b.WriteString(icons)
	for _, f := range m.Feeds {
		b.WriteString(`<link rel="alternate" type="application/rss+xml" title="` + html.EscapeString(f.Title) + `" href="` +
			html.EscapeString(f.URL) + "\">\n")
	}
	for _, ld := range m.JSONLD {
		j, err := json.Marshal(ld) // escapes <, > and &, so that it cannot end the element
		if err != nil {
			return fmt.Errorf("structured data: %w", err)
		}
		b.WriteString(`<script type="application/ld+json">`)
		b.Write(j)
		b.WriteString("</script>\n")
	}
	return nil
}

// icons are the same words on every host: what they show is the edition's.
const icons = `<link rel="icon" sizes="48x48" href="/favicon.ico">
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="manifest" href="/manifest.webmanifest">
`

type head struct{ b *bytes.Buffer }

func (h head) meta(name, content string) {
	if content != "" {
		h.b.WriteString(`<meta name="` + name + `" content="` + html.EscapeString(content) + "\">\n")
	}
}

func (h head) property(name, content string) {
	if content != "" {
		h.b.WriteString(`<meta property="` + name + `" content="` + html.EscapeString(content) + "\">\n")
	}
}

func (h head) link(rel, href string) {
	h.b.WriteString(`<link rel="` + rel + `" href="` + html.EscapeString(href) + "\">\n")
}

// social writes Open Graph (ogp.me) and the card that messengers read.
func (h head) social(ed *edition.Edition, m page.Meta) {
	kind := m.Type
	if kind == "" {
		kind = "website"
	}
	h.property("og:type", kind)
	h.property("og:site_name", ed.Name)
	h.property("og:title", m.Title)
	h.property("og:description", m.Description)
	h.property("og:url", m.Canonical)
	h.property("og:locale", strings.ReplaceAll(ed.IntlLocale, "-", "_"))
	i := m.Image
	if i == nil {
		i = &page.Image{URL: brand.CardPath, Width: brand.CardWidth, Height: brand.CardHeight, Alt: ed.Name}
	}
	h.property("og:image", absolute(ed, i.URL))
	if i.Width > 0 && i.Height > 0 {
		h.property("og:image:width", strconv.Itoa(i.Width))
		h.property("og:image:height", strconv.Itoa(i.Height))
	}
	h.property("og:image:alt", i.Alt)
	h.meta("twitter:card", "summary_large_image")
	if kind == "article" {
		h.property("article:published_time", m.Published)
		h.property("article:modified_time", m.Modified)
		h.property("article:section", m.Section)
	}
}

func absolute(ed *edition.Edition, u string) string {
	if strings.HasPrefix(u, "/") {
		return ed.URL(u)
	}
	return u
}

// preloadHeader lets a proxy fetch the styles before it has read the document. The first picture stands at the top of
// that: here its addresses would push the document out of the first ten packets that a server may send.
func preloadHeader(files Files) string {
	var links []string
	for _, css := range files.CSS {
		links = append(links, "<"+css+">; rel=preload; as=style")
	}
	return strings.Join(links, ", ")
}
