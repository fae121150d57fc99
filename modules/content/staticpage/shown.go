package staticpage

import (
	"cmp"
	"time"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/typography"
)

// ShownBlock is a Block as readers get it.
type ShownBlock struct {
	Kind  string      `json:"kind"`
	Title string      `json:"title,omitempty"`
	HTML  string      `json:"html,omitempty"`
	Items []ShownItem `json:"items,omitempty"`
}

// ShownItem is a BlockItem as readers get it.
type ShownItem struct {
	Title    string      `json:"title"`
	Subtitle string      `json:"subtitle,omitempty"`
	HTML     string      `json:"html,omitempty"`
	Picture  *post.Image `json:"picture,omitempty"`
	Email    string      `json:"email,omitempty"`
	URL      string      `json:"url,omitempty"`
	Date     string      `json:"date,omitempty"`
}

// PageData is what a page of the edition shows, at an address of its own or at that of its slug.
type PageData struct {
	Title    string       `json:"title"`
	Body     string       `json:"body"`
	Excerpt  string       `json:"excerpt,omitempty"`
	Picture  *post.Image  `json:"picture,omitempty"`
	Modified *time.Time   `json:"modified,omitempty"`
	Layout   string       `json:"layout,omitempty"` // "": running text
	Lang     string       `json:"lang,omitempty"`   // where it is not the edition's
	Blocks   []ShownBlock `json:"blocks,omitempty"`
}

// Typeset sets the words of a page in its own language.
func (d *PageData) Typeset(ed *edition.Edition) {
	lang := cmp.Or(d.Lang, ed.IntlLocale)
	text := func(s *string) { *s = typography.Text(lang, *s) }
	markup := func(s *string) { *s = typography.HTML(lang, markup.Responsive(*s)) }
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

// Shown is what readers get of the blocks: pictures and addresses in the place of names.
func (f Form) Shown(ed *edition.Edition, pictures map[string]*post.Image) []ShownBlock {
	out := make([]ShownBlock, len(f.Blocks))
	for i, b := range f.Blocks {
		out[i] = ShownBlock{Kind: b.Kind, Title: b.Title, HTML: b.HTML}
		for _, it := range b.Items {
			to := it.URL
			if it.Author != "" {
				to = ed.Href(edition.Author, it.Author)
			}
			out[i].Items = append(out[i].Items, ShownItem{
				Title: it.Title, Subtitle: it.Subtitle, HTML: it.HTML, Picture: pictures[it.Picture], Email: it.Email,
				URL: to, Date: it.Date,
			})
		}
	}
	return out
}
