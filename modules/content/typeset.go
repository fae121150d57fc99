package content

import (
	"slices"

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
