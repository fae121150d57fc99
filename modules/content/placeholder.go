package content

import (
	"html"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/staticpage"
	"example.org/broadsheet/platform/paper/edition"
)

// fill fills all texts of a page.
func (s *static) fill(ed *edition.Edition) {
	s.body.html = staticpage.Fill(ed, s.body.html)
	s.post.Excerpt = html.UnescapeString(staticpage.Fill(ed, s.post.Excerpt))
	s.form = s.form.Filled(ed)
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
	for field, text := range texts {
		if name := staticpage.UnknownPlaceholder(ed, text); name != "" {
			return invalid(d, field, "%s is nothing that the edition's document says", name)
		}
	}
	return nil
}
