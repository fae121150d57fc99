package topic

import (
	"example.org/broadsheet/modules/content/seo"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/typography"
)

// indexJSONLD describes the list of weekly topics.
func indexJSONLD(ed *edition.Edition, m page.Meta, d *IndexData) []any {
	name := i18n.T(ed, "content.topics.title", nil)
	var steps []seo.Step
	for _, t := range d.Topics {
		steps = append(steps, seo.Step{Name: t.Title, URL: ed.URL(t.URL)})
	}
	return []any{
		seo.Collection(ed, name, m, d.Offset, steps),
		seo.Breadcrumbs(ed, seo.Step{Name: name, URL: ed.URL(ed.Href(edition.TopicIndex))}),
	}
}

// pageJSONLD describes the page of a weekly topic.
func pageJSONLD(ed *edition.Edition, m page.Meta, d *PageData) []any {
	index := seo.Step{Name: i18n.T(ed, "content.topics.title", nil), URL: ed.URL(ed.Href(edition.TopicIndex))}
	title := typography.Plain(d.Topic.Title)
	return []any{
		seo.Collection(ed, title, m, 0, seo.CardSteps(ed, d.Cards, d.Videos)),
		seo.Breadcrumbs(ed, index, seo.Step{Name: title, URL: m.Canonical}),
	}
}
