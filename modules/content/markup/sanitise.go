package markup

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// MaxBytes bounds a post's HTML in bytes, before and after.
const MaxBytes = 2 << 20

// ownPicture is an address in the edition's media library.
var ownPicture = regexp.MustCompile(`^/img/[0-9a-f]{32}(\?w=[0-9]{3,4})?$`)

// policy is the one list of what may stand in a post. Nothing in it loads from anywhere but the edition's own host.
var policy = newPolicy()

func newPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "h2", "h3", "h4", "h5", "h6", "ul", "li", "dl", "dt", "dd", "blockquote", "cite",
		"pre", "code", "kbd",
		"samp", "var", "strong", "b", "em", "i", "u", "s", "del", "ins", "sub", "sup", "small", "mark", "q", "abbr", "dfn",
		"figure", "figcaption",
		"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "details", "summary", "aside", "meter", "ruby", "rt",
		"rp", "bdi", "bdo", "wbr")
	p.AllowAttrs("dir").Matching(regexp.MustCompile(`^(ltr|rtl|auto)$`)).Globally()
	p.AllowAttrs("lang").Matching(regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)).Globally()
	p.AllowAttrs("title").Matching(bluemonday.Paragraph).OnElements("abbr", "dfn")
	small := regexp.MustCompile(`^[1-9][0-9]{0,2}$`)
	p.AllowAttrs("colspan", "rowspan").Matching(small).OnElements("th", "td")
	p.AllowAttrs("min", "max", "value").Matching(regexp.MustCompile(`^[0-9]{1,9}(\.[0-9]{1,4})?$`)).OnElements("meter")
	p.AllowAttrs("aria-hidden").Matching(regexp.MustCompile(`^true$`)).OnElements("meter")
	p.AllowAttrs("scope").Matching(regexp.MustCompile(`^(row|col|rowgroup|colgroup)$`)).OnElements("th")
	p.AllowAttrs("start").Matching(regexp.MustCompile(`^-?[0-9]{1,6}$`)).OnElements("ol")
	p.AllowAttrs("reversed").Matching(regexp.MustCompile(`^(|reversed)$`)).OnElements("ol")
	p.AllowAttrs("datetime").Matching(bluemonday.ISO8601).OnElements("time")
	p.AllowElements("ol", "time")

	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto", "tel")
	p.AllowRelativeURLs(true)
	p.RequireParseableURLs(true)

	p.AllowAttrs("src").Matching(ownPicture).OnElements("img")
	p.AllowAttrs("alt").OnElements("img")
	p.AllowAttrs("width", "height").Matching(regexp.MustCompile(`^[1-9][0-9]{0,4}$`)).OnElements("img")
	p.AllowAttrs("loading").Matching(regexp.MustCompile(`^lazy$`)).OnElements("img")

	p.AllowAttrs("data-embed").Matching(regexp.MustCompile(`^[a-z]{1,20}$`)).OnElements("figure")
	p.AllowAttrs("data-id").Matching(embedID).OnElements("figure")
	return p
}

// Sanitise makes any HTML safe to print as it is, and gives it the form that the rest relies on: top-level blocks,
// running text in <p>, headings from <h2>, embeds as placeholders that load nothing. Doing it twice changes nothing.
func Sanitise(body string) string {
	body = printable(strings.ToValidUTF8(strings.ReplaceAll(body, "\r\n", "\n"), "\uFFFD"))
	// What a browser reads may differ from what was written; once a whole pass changes nothing, both agree.
	for range 6 {
		next := printable(policy.Sanitize(normalise(body))) // "&#1;" has become a character
		if next == body {
			return body
		}
		body = next
	}
	return plainParagraphs(body)
}

// printable leaves out control characters, but for new lines and tabs.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

// plainParagraphs gives up the markup and keeps the words.
func plainParagraphs(body string) string {
	text := printable(html.UnescapeString(bluemonday.StrictPolicy().Sanitize(body)))
	var b strings.Builder
	for _, p := range blankLine.Split(text, -1) {
		if p = strings.TrimSpace(p); p != "" {
			b.WriteString("<p>" + html.EscapeString(p) + "</p>\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// parse reads HTML as the inside of a body element.
func parse(body string) ([]*html.Node, error) {
	return html.ParseFragment(strings.NewReader(body),
		&html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
}

// normalise brings HTML into the form of a post; what it cannot read becomes plain paragraphs.
func normalise(body string) string {
	nodes, err := parse(body)
	if err != nil {
		return plainParagraphs(body)
	}
	root := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	rewrite(root)
	var f flow
	f.children(root)
	f.flush()
	var b strings.Builder
	for i, n := range f.out {
		if i > 0 {
			b.WriteByte('\n')
		}
		if err := html.Render(&b, n); err != nil {
			return plainParagraphs(body)
		}
	}
	return b.String()
}

// rewrite turns what posts of other systems hold into what ours do, from the leaves up.
func rewrite(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		rewrite(c)
		c = next
	}
	if n.Type != html.ElementNode || n.Parent == nil {
		return
	}
	switch n.DataAtom {
	case atom.H1:
		n.Data, n.DataAtom = "h2", atom.H2
	case atom.Iframe, atom.Embed, atom.Object, atom.Audio, atom.Video:
		if made := embedOrLink(n); made != nil {
			n.Parent.InsertBefore(made, n)
		}
		n.Parent.RemoveChild(n)
	case atom.Blockquote:
		if e, ok := quotedPost(n); ok {
			n.Parent.InsertBefore(e.node(nil), n)
			n.Parent.RemoveChild(n)
		}
	case atom.Figure, atom.P:
		if e, ok := embedIn(n); ok {
			n.Parent.InsertBefore(e.node(find(n, atom.Figcaption)), n)
			n.Parent.RemoveChild(n)
		}
	case atom.Meter: // a bar of a chart, beside the number that it draws
		setAttr(n, "aria-hidden", "true")
	case atom.Img:
		if !ownPicture.MatchString(attr(n, "src")) {
			n.Parent.RemoveChild(n)
			return
		}
		setAttr(n, "loading", "lazy")
	}
}

// flow collects top-level blocks; loose text becomes paragraphs.
type flow struct {
	out []*html.Node
	run []*html.Node
}

var blankLine = regexp.MustCompile(`\n[ \t]*\n\s*`)

func (f *flow) children(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		n.RemoveChild(c)
		f.add(c)
		c = next
	}
}

func (f *flow) add(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		for i, part := range blankLine.Split(n.Data, -1) {
			if i > 0 {
				f.flush()
			}
			if part != "" {
				f.run = append(f.run, &html.Node{Type: html.TextNode, Data: part})
			}
		}
	case n.Type != html.ElementNode || dropped[n.DataAtom]:
	case n.DataAtom == atom.Br && len(f.run) > 0 && f.run[len(f.run)-1].DataAtom == atom.Br:
		f.flush() // two breaks are how some write a paragraph
	case n.DataAtom == atom.P:
		f.flush()
		if !blank(n) {
			f.out = append(f.out, n)
		}
	case blocks[n.DataAtom]:
		f.flush()
		f.out = append(f.out, n)
	case inline[n.DataAtom] && !holdsBlock(n):
		f.run = append(f.run, n)
	default: // a box around text: its content counts, and its edges part paragraphs
		f.flush()
		f.children(n)
		f.flush()
	}
}

func (f *flow) flush() {
	run := f.run
	f.run = nil
	for len(run) > 0 && (run[0].DataAtom == atom.Br || isSpace(run[0])) {
		run = run[1:]
	}
	for len(run) > 0 && (run[len(run)-1].DataAtom == atom.Br || isSpace(run[len(run)-1])) {
		run = run[:len(run)-1]
	}
	if len(run) == 0 {
		return
	}
	p := &html.Node{Type: html.ElementNode, Data: "p", DataAtom: atom.P}
	for _, n := range run {
		p.AppendChild(n)
	}
	if !blank(p) {
		f.out = append(f.out, p)
	}
}

func set(atoms ...atom.Atom) map[atom.Atom]bool {
	m := map[atom.Atom]bool{}
	for _, a := range atoms {
		m[a] = true
	}
	return m
}

var (
	blocks = set(atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Dl, atom.Blockquote, atom.Pre,
		atom.Figure, atom.Table,
		atom.Hr, atom.Details, atom.Aside)
	inline = set(atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Bdo, atom.Br, atom.Cite, atom.Code, atom.Del, atom.Dfn, atom.Em,
		atom.I, atom.Img,
		atom.Ins, atom.Kbd, atom.Mark, atom.Meter, atom.Q, atom.Rp, atom.Rt, atom.Ruby, atom.S, atom.Samp, atom.Small,
		atom.Span, atom.Font, atom.Strike,
		atom.Big, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.Tt, atom.U, atom.Var, atom.Wbr)
	dropped = set(atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Noembed, atom.Noframes, atom.Title,
		atom.Head, atom.Meta, atom.Link,
		atom.Base, atom.Svg, atom.Math, atom.Select, atom.Option, atom.Textarea, atom.Input, atom.Button, atom.Xmp,
		atom.Plaintext, atom.Frameset, atom.Canvas)
)

func holdsBlock(n *html.Node) bool {
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && (blocks[c.DataAtom] || c.DataAtom == atom.P || c.DataAtom == atom.Div) {
			return true
		}
	}
	return false
}

func isSpace(n *html.Node) bool { return n.Type == html.TextNode && strings.TrimSpace(n.Data) == "" }

// blank reports whether a reader would see nothing of a node.
func blank(n *html.Node) bool {
	if n.DataAtom == atom.Img || n.DataAtom == atom.Figure {
		return false
	}
	for c := range n.Descendants() {
		if c.DataAtom == atom.Img || c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			return false
		}
	}
	return true
}
