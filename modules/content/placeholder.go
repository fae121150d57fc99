package content

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
)

// placeholder finds what stands in the text of a page for something that the edition's document says:
// {{price.monthly}}.
var placeholder = regexp.MustCompile(`\{\{\s*([^{}]*?)\s*\}\}`)

// placeholders are the values that pages can name. What is sold, and how much is free, is said in the document alone.
func placeholders(ed *edition.Edition) map[string]string {
	values := map[string]string{
		"meter.articles": i18n.N(ed, "content.meter.articles", ed.Meter.Limit, nil),
		"meter.period":   i18n.T(ed, "content.meter."+ed.Meter.Period, nil),
	}
	for _, p := range ed.Billing.Products {
		name := strings.TrimPrefix(p.Type, "product_")
		if p.Amount > 0 {
			values["price."+name] = i18n.Money(ed, p.Amount)
		}
		if p.Intro != nil {
			values["intro."+name] = i18n.Money(ed, p.Intro.Amount)
		}
	}
	return values
}

// fill puts the values in their places. What the edition does not have (any more) stays as it is, for somebody to see
// it.
func fill(ed *edition.Edition, text string) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	values := placeholders(ed)
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		if v, ok := values[placeholder.FindStringSubmatch(found)[1]]; ok {
			return html.EscapeString(v)
		}
		return found
	})
}

// fill fills all texts of a page.
func (s *static) fill(ed *edition.Edition) {
	s.body.html = fill(ed, s.body.html)
	s.post.Excerpt = html.UnescapeString(fill(ed, s.post.Excerpt))
	s.form.Blocks = slices.Clone(s.form.Blocks)
	for i := range s.form.Blocks {
		b := &s.form.Blocks[i]
		b.HTML = fill(ed, b.HTML)
		b.Items = slices.Clone(b.Items)
		for k := range b.Items {
			b.Items[k].HTML = fill(ed, b.Items[k].HTML)
		}
	}
}

// checkPlaceholders refuses a page that names what the edition does not have.
func checkPlaceholders(ed *edition.Edition, d Draft) error {
	if d.Type != post.TypePage {
		return nil
	}
	texts := map[string]string{"body": d.Body, "excerpt": d.Excerpt}
	for _, b := range d.Page.Blocks {
		texts["blocks"] += b.HTML
		for _, it := range b.Items {
			texts["blocks"] += it.HTML
		}
	}
	values := placeholders(ed)
	for field, text := range texts {
		for _, found := range placeholder.FindAllStringSubmatch(text, -1) {
			if _, ok := values[found[1]]; !ok {
				return refusal(d, field, "%s is nothing that the edition's document says", found[0])
			}
		}
	}
	return nil
}
