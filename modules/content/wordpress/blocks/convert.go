// Package blocks turns the text of a WordPress post into the HTML of ours: blocks of its editor and classic text with
// shortcodes (parse.go takes it apart, kinds.go says what becomes of each block), pictures, galleries, footnotes and
// shared blocks (flow.go and flow_media.go), and the words in it (text.go, credit.go).
//
// It reads and writes nothing itself: what it needs of a site comes through the functions of a Converter. Of
// modules/content it imports post and markup. Begin with Converter.Convert, below.
package blocks

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
)

// Converter makes the body of one post.
type Converter struct {
	Ctx         context.Context
	Home        *url.URL // address of the old site
	Rendered    bool     // the text is what the site shows its readers, no blocks
	Picture     func(ctx context.Context, ref PictureRef) (post.Picture, string, error)
	SharedBlock func(id int64) (SharedBlock, bool)
	Attachments func() []int64                      // ids of the post's attachments
	Left        func(line int, what, reason string) // something was left
	Changed     func(line int, what, reason string) // something was taken in another form
	Counted     func(name string, taken bool)

	notes     []footnote     // of the post
	cited     []string       // footnote ids in the order of their marks
	listed    bool           // the block that lists them was there
	following map[int64]bool // shared blocks that are being shown
	held      [][]*html.Node
	failed    error
}

// PictureRef is how a post names a picture.
type PictureRef struct {
	ID  int64  // of the attachment; 0 where it is not known
	Src string // address
}

type footnote struct {
	ID      string `json:"id"`
	Content string `json:"content"`
}

// SharedBlock is a block of the site that several posts hold.
type SharedBlock struct {
	Line    int
	Content string
}

// Convert returns the body of a text that begins on line. What cannot be taken is noted. The error is the context's
// or the picture library's, never the text's.
func (c *Converter) Convert(text string, line int, notes string) (string, error) {
	if notes != "" {
		if err := json.Unmarshal([]byte(notes), &c.notes); err != nil {
			c.Left(line, "footnotes", "they cannot be read")
		}
	}
	c.following = map[int64]bool{}
	out := c.text(text, line)
	if len(c.notes) > 0 && !c.listed {
		out = append(out, c.footnotes(line)...)
	}
	var b strings.Builder
	for _, n := range tidy(out, c.Left) {
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
func (c *Converter) text(text string, line int) []*html.Node {
	list, blemishes := parseBlocks(text, line)
	for _, b := range blemishes {
		c.Left(b.line, "block", b.what)
	}
	var out []*html.Node
	for _, b := range list {
		if b.name == "" && c.Rendered {
			c.Counted("rendered", true)
			f := &flow{c: c, line: b.line}
			f.parse(b.pieces[0].html)
			out = append(out, f.out...)
			continue
		}
		if b.name == "" {
			c.Counted("classic", true)
			out = append(out, c.classic(b.pieces[0].html, b.line)...)
			continue
		}
		f := &flow{c: c, line: b.line}
		f.parse(c.flatten(b))
		out = append(out, f.out...)
	}
	return out
}

func (c *Converter) classic(text string, line int) []*html.Node {
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
func (c *Converter) hold(nodes []*html.Node) string {
	c.held = append(c.held, nodes)
	return "<!--" + heldMark + strconv.Itoa(len(c.held)-1) + "-->"
}

// flatten makes one HTML text of a block and those inside it, and counts them.
func (c *Converter) flatten(b *block) string {
	how := treat(b)
	if how == left {
		b.walk(func(b *block) { c.Counted(b.name, false) })
		c.Left(b.line, "block "+b.name, "made by the old site; the file holds nothing of it")
		return "<!--" + leftMark + "-->"
	}
	c.Counted(b.name, how != dropped)
	if how == dropped {
		return ""
	}
	var s strings.Builder
	s.WriteString("<!--" + lineMark + strconv.Itoa(b.line) + "-->")
	if how == special {
		s.WriteString(c.special(b))
	} else {
		if _, known := treatments[b.name]; !known {
			c.Changed(b.line, "block "+b.name, "not known; its text was kept")
		}
		s.WriteString(c.inside(b))
	}
	return s.String()
}

func (c *Converter) inside(b *block) string {
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

func (c *Converter) special(b *block) string {
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
		p, ok := c.SharedBlock(id)
		if !ok || c.following[id] {
			c.Left(b.line, "block", fmt.Sprintf("the shared block %d is not in the file", id))
			return ""
		}
		c.following[id] = true
		defer delete(c.following, id)
		return c.hold(c.text(p.Content, p.Line))
	default: // embeds
		body := c.inside(b)
		address := b.text("url")
		if address == "" {
			return body
		}
		return embedHTML(address, captionOf(body))
	}
}

func (c *Converter) raw(b *block) string {
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
func (c *Converter) footnotes(line int) []*html.Node {
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
func (c *Converter) mark(id string) int {
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
