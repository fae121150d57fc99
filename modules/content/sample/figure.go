package sample

import (
	"cmp"
	"fmt"
	"html"
	"regexp"
	"strings"

	"example.org/broadsheet/modules/content/post"
)

// figure is a picture inside a text, written ![caption](name) in a paragraph of its own, or ![caption](name "alt")
// where the text sees something else in it than the album says.
type figure struct{ picture, caption, alt string }

var (
	figureLine  = regexp.MustCompile(`(?m)^!\[([^\]]+)\]\(([a-z-]+)(?: "([^"]+)")?\)$`)
	articleLink = regexp.MustCompile(`\]\(article:([a-z0-9-]+)\)`)
)

func figures(body string) (all []figure) {
	for _, m := range figureLine.FindAllStringSubmatch(body, -1) {
		all = append(all, figure{picture: m[2], caption: m[1], alt: m[3]})
	}
	return all
}

// withFigures puts the pictures of the media library into a text, with what is to be seen and why it is there.
func withFigures(body string, pictures map[string]post.Picture) string {
	return figureLine.ReplaceAllStringFunc(body, func(line string) string {
		m := figureLine.FindStringSubmatch(line)
		p := pictures[Picture{Name: m[2]}.file()]
		return fmt.Sprintf(`<figure><img src="/img/%s?w=1280" alt="%s" width="%d" `+
			`height="%d"><figcaption>%s</figcaption></figure>`,
			p.ID, html.EscapeString(cmp.Or(m[3], p.Alt)), p.Width, p.Height, html.EscapeString(m[1]))
	})
}

// links are the articles that a text leads to.
func links(body string) (keys []string) {
	for _, m := range articleLink.FindAllStringSubmatch(body, -1) {
		keys = append(keys, m[1])
	}
	return keys
}

// withLinks leads to articles at their addresses. One without an address yet is led to at the front page.
func withLinks(body string, addresses map[string]string) string {
	return articleLink.ReplaceAllStringFunc(body, func(link string) string {
		to := addresses[strings.TrimSuffix(strings.TrimPrefix(link, "](article:"), ")")]
		if to == "" {
			to = "/"
		}
		return "](" + to + ")"
	})
}
