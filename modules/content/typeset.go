package content

import (
	"cmp"
	"slices"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/typography"
)

// Words are set when a page is put together: what is stored, searched, and given to feeds, structured data and the JSON
// endpoints stays as its writer typed it.

// bylines are authors with their lives, as pages show them.
func bylines(ed *edition.Edition, authors []post.Byline) []post.Byline {
	out := slices.Clone(authors)
	for i := range out {
		out[i].Bio = typography.Text(ed.IntlLocale, out[i].Bio)
	}
	return out
}

// typeset sets the words of a page in its own language.
func (d *StaticData) typeset(ed *edition.Edition) {
	lang := cmp.Or(d.Lang, ed.IntlLocale)
	text := func(s *string) { *s = typography.Text(lang, *s) }
	markup := func(s *string) { *s = typography.HTML(lang, markup.DropRepeatedAlts(*s)) }
	text(&d.Title)
	text(&d.Excerpt)
	markup(&d.Body)
	if d.Picture != nil {
		d.Picture.DropRepeatedAlt()
		text(&d.Picture.Caption)
	}
	for i := range d.Blocks {
		b := &d.Blocks[i]
		text(&b.Title)
		markup(&b.HTML)
		for k := range b.Items {
			text(&b.Items[k].Title)
			text(&b.Items[k].Subtitle)
			markup(&b.Items[k].HTML)
		}
	}
}
