package staticpage

import (
	"html"
	"regexp"
	"slices"
	"strings"

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

// Fill puts the values in their places. What the edition does not have (any more) stays as it is, for somebody to see
// it.
func Fill(ed *edition.Edition, text string) string {
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

// Filled is the form with the values in their places.
func (f Form) Filled(ed *edition.Edition) Form {
	f.Blocks = slices.Clone(f.Blocks)
	for i := range f.Blocks {
		b := &f.Blocks[i]
		b.HTML = Fill(ed, b.HTML)
		b.Items = slices.Clone(b.Items)
		for k := range b.Items {
			b.Items[k].HTML = Fill(ed, b.Items[k].HTML)
		}
	}
	return f
}

// UnknownPlaceholder is the first placeholder in a text that the edition has no value for, "" where there is none.
func UnknownPlaceholder(ed *edition.Edition, text string) string {
	values := placeholders(ed)
	for _, found := range placeholder.FindAllStringSubmatch(text, -1) {
		if _, ok := values[found[1]]; !ok {
			return found[0]
		}
	}
	return ""
}
