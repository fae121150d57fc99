package content

import (
	"cmp"
	"slices"

	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/typography"
)

// Words are set when a page is put together: what is stored, searched, and given to feeds, structured data and the JSON
// endpoints stays as its writer typed it.

func typeset(ed *edition.Edition, text string) string { return typography.Text(ed.IntlLocale, text) }

func typesetHTML(ed *edition.Edition, fragment string) string {
	return typography.HTML(ed.IntlLocale, fragment)
}

// picture is the post's, as pages show it.
func (p *post) picture(ed *edition.Edition) *Image {
	i := p.image()
	if i != nil {
		i.beCaptioned()
		i.Caption = typeset(ed, i.Caption)
	}
	return i
}

// bylines are authors with their lives, as pages show them.
func bylines(ed *edition.Edition, authors []Byline) []Byline {
	out := slices.Clone(authors)
	for i := range out {
		out[i].Bio = typeset(ed, out[i].Bio)
	}
	return out
}

// typeset sets the words of a page in its own language.
func (d *StaticData) typeset(ed *edition.Edition) {
	lang := cmp.Or(d.Lang, ed.IntlLocale)
	text := func(s *string) { *s = typography.Text(lang, *s) }
	markup := func(s *string) { *s = typography.HTML(lang, captioned(*s)) }
	text(&d.Title)
	text(&d.Excerpt)
	markup(&d.Body)
	if d.Picture != nil {
		d.Picture.beCaptioned()
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
