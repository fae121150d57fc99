package wordpress

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/markup"
)

// converter makes the body of one post.
type converter struct {
	ctx      context.Context
	home     *url.URL // address of the old site
	rendered bool     // the text is what the site shows its readers, no blocks
	picture  func(ctx context.Context, ref reference) (content.Picture, string, error)
	pattern  func(id int64) (pattern, bool)
	children func() []int64                      // ids of the post's attachments
	noted    func(line int, what, reason string) // something was left
	became   func(line int, what, reason string) // something was taken in another form
	counted  func(name string, taken bool)

	notes     []footnote     // of the post
	cited     []string       // footnote ids in the order of their marks
	listed    bool           // the block that lists them was there
	following map[int64]bool // shared blocks that are being shown
	held      [][]*html.Node
	failed    error
}

// reference is how a post names a picture.
type reference struct {
	id  int64  // of the attachment; 0 where it is not known
	src string // address
}

type footnote struct {
	ID      string `json:"id"`
	Content string `json:"content"`
}

type pattern struct {
	line    int
	content string
}

// convert returns the body of a text that begins on line. What cannot be taken is noted. The error is the context's
// or the picture library's, never the text's.
func (c *converter) convert(text string, line int, notes string) (string, error) {
	if notes != "" {
		if err := json.Unmarshal([]byte(notes), &c.notes); err != nil {
			c.noted(line, "footnotes", "they cannot be read")
		}
	}
	c.following = map[int64]bool{}
	out := c.text(text, line)
	if len(c.notes) > 0 && !c.listed {
		out = append(out, c.footnotes(line)...)
	}
	var b strings.Builder
	for _, n := range tidy(out, c.noted) {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		if err := html.Render(&b, n); err != nil {
			return "", fmt.Errorf("render: %w", err)
		}
	}
	return b.String(), c.failed
}

// text converts blocks, or a classic text without any.
func (c *converter) text(text string, line int) []*html.Node {
	list, blemishes := parseBlocks(text, line)
	for _, b := range blemishes {
		c.noted(b.line, "block", b.what)
	}
	var out []*html.Node
	for _, b := range list {
		if b.name == "" && c.rendered {
			c.counted("rendered", true)
			f := &flow{c: c, line: b.line}
			f.parse(b.pieces[0].html)
			out = append(out, f.out...)
			continue
		}
		if b.name == "" {
			c.counted("classic", true)
			out = append(out, c.classic(b.pieces[0].html, b.line)...)
			continue
		}
		f := &flow{c: c, line: b.line}
		f.parse(c.flatten(b))
		out = append(out, f.out...)
	}
	return out
}

func (c *converter) classic(text string, line int) []*html.Node {
	f := &flow{c: c, line: line, classic: true}
	f.parse(standalone(c.shortcodes(text, line, false)))
	return f.out
}

// Comments inside the HTML of one parse: the decoder lets no control character in, so no text can imitate them.
const (
	lineMark = "\x01line "
	leftMark = "\x01left"
	heldMark = "\x01held "
)

// hold keeps finished blocks for the flow that comes upon their mark.
func (c *converter) hold(nodes []*html.Node) string {
	c.held = append(c.held, nodes)
	return "<!--" + heldMark + strconv.Itoa(len(c.held)-1) + "-->"
}

// flatten makes one HTML text of a block and those inside it, and counts them.
func (c *converter) flatten(b *block) string {
	how := treat(b)
	if how == left {
		b.walk(func(b *block) { c.counted(b.name, false) })
		c.noted(b.line, "block "+b.name, "made by the old site; the file holds nothing of it")
		return "<!--" + leftMark + "-->"
	}
	c.counted(b.name, how != dropped)
	if how == dropped {
		return ""
	}
	var s strings.Builder
	s.WriteString("<!--" + lineMark + strconv.Itoa(b.line) + "-->")
	if how == special {
		s.WriteString(c.special(b))
	} else {
		if _, known := treatments[b.name]; !known {
			c.became(b.line, "block "+b.name, "not known; its text was kept")
		}
		s.WriteString(c.inside(b))
	}
	return s.String()
}

func (c *converter) inside(b *block) string {
	var s strings.Builder
	for _, p := range b.pieces {
		switch {
		case p.inner != nil:
			s.WriteString(c.flatten(p.inner))
		case b.name == "code" || b.name == "preformatted":
			s.WriteString(p.html)
		default:
			s.WriteString(c.shortcodes(p.html, p.line, false))
		}
	}
	return s.String()
}

func (c *converter) special(b *block) string {
	switch b.name {
	case "cover":
		body := c.inside(b)
		if src := b.text("url"); src != "" && !strings.Contains(body, "<img") && !strings.Contains(body, "<video") {
			// Old covers keep their picture in a style.
			body = fmt.Sprintf(`<figure><img src="%s" class="wp-image-%d" alt=""></figure>`, html.EscapeString(src),
				b.number("id")) + body
		}
		return body
	case "freeform":
		return c.hold(c.classic(c.raw(b), b.line))
	case "shortcode":
		return c.shortcodes(c.raw(b), b.line, true)
	case "footnotes":
		return c.hold(c.footnotes(b.line))
	case "block":
		id := b.number("ref")
		p, ok := c.pattern(id)
		if !ok || c.following[id] {
			c.noted(b.line, "block", fmt.Sprintf("the shared block %d is not in the file", id))
			return ""
		}
		c.following[id] = true
		defer delete(c.following, id)
		return c.hold(c.text(p.content, p.line))
	default: // embeds
		body := c.inside(b)
		address := b.text("url")
		if address == "" {
			return body
		}
		return embedHTML(address, captionOf(body))
	}
}

func (c *converter) raw(b *block) string {
	var s strings.Builder
	for _, p := range b.pieces {
		s.WriteString(p.html)
	}
	return s.String()
}

// embedHTML is how the flow hears of an address that may become a placeholder. caption is HTML.
func embedHTML(address, caption string) string {
	return `<figure data-address="` + html.EscapeString(address) + `">` + caption + `</figure>`
}

// captionOf is the caption in a block's HTML, as HTML.
func captionOf(body string) string {
	nodes, err := parseHTML(body)
	if err != nil {
		return ""
	}
	for _, n := range nodes {
		if found := find(n, atom.Figcaption); found != nil {
			return renderAll([]*html.Node{found})
		}
	}
	return ""
}

// footnotes is the list of notes, in the order of their marks.
func (c *converter) footnotes(line int) []*html.Node {
	if c.listed || len(c.notes) == 0 {
		return nil
	}
	c.listed = true
	list := element(atom.Ol)
	done := map[string]bool{}
	add := func(n footnote) {
		f := &flow{c: c, line: line}
		f.parse(n.Content)
		if done[n.ID] || len(f.out) == 0 {
			return
		}
		done[n.ID] = true
		li := element(atom.Li)
		fill(li, f.out)
		list.AppendChild(li)
	}
	for _, id := range c.cited {
		for _, n := range c.notes {
			if n.ID == id {
				add(n)
			}
		}
	}
	for _, n := range c.notes {
		add(n)
	}
	if list.FirstChild == nil {
		return nil
	}
	return []*html.Node{element(atom.Hr), list}
}

// mark is the number of a footnote's mark.
func (c *converter) mark(id string) int {
	for i, known := range c.cited {
		if known == id {
			return i + 1
		}
	}
	c.cited = append(c.cited, id)
	return len(c.cited)
}

// placeable reports whether the paper has a placeholder for an address.
func placeable(address string) bool {
	return strings.Contains(markup.Sanitise("<p>"+html.EscapeString(address)+"</p>"), "data-embed=")
}
