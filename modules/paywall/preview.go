package paywall

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// shownParagraphs are shown of a locked article, one fewer if the last of them holds a tweet.
const shownParagraphs = 4

// Preview returns what everybody may read of a locked article: its first paragraphs with what stands between them, and
// never what follows the last of them. shown and withheld count paragraphs; at least one is withheld of whatever has
// text. A body without paragraphs shows nothing. The result is well-formed whatever the body is.
func Preview(body string) (preview string, shown, withheld int) {
	if strings.TrimSpace(body) == "" {
		return "", 0, 0
	}
	blocks, err := parse(body)
	if err != nil {
		return "", 0, 1
	}
	paragraphs := find(blocks)
	total := len(paragraphs)
	keep := min(shownParagraphs, total-1)
	if keep == shownParagraphs && holdsTweet(paragraphs[keep-1]) {
		keep--
	}
	if keep <= 0 {
		return "", 0, max(total, 1)
	}
	c := cutter{last: paragraphs[keep-1]}
	text, err := print(c.copyAll(blocks, &html.Node{Type: html.ElementNode, DataAtom: atom.Div, Data: "div"}))
	if err != nil {
		return "", 0, total
	}
	// Some markup reads otherwise than it was printed. What does not come back as it is, is not shown.
	again, err := parse(text)
	if err != nil || len(find(again)) != keep {
		return "", 0, total
	}
	return text, keep, total - keep
}

// Preview is the package's, for whoever gets a Module.
func (m *Module) Preview(body string) (preview string, shown, withheld int) { return Preview(body) }

func parse(body string) ([]*html.Node, error) {
	return html.ParseFragment(strings.NewReader(body),
		&html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"})
}

// containers only group what is in them.
var containers = []atom.Atom{atom.Div, atom.Section, atom.Article, atom.Main}

// companions may stand between paragraphs. Anything else, loose text too, is not shown: nobody counted it.
var companions = []atom.Atom{
	atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Figure, atom.Img, atom.Hr,
	atom.Ul, atom.Ol, atom.Dl, atom.Blockquote, atom.Pre, atom.Table, atom.Aside,
}

// find lists the paragraphs of running text, in order; those of quotes, lists and captions are parts of these.
func find(nodes []*html.Node) (list []*html.Node) {
	for _, n := range nodes {
		switch {
		case isContainer(n):
			list = append(list, find(slices.Collect(n.ChildNodes()))...)
		case n.DataAtom == atom.P && !blank(n):
			list = append(list, n)
		}
	}
	return list
}

func isContainer(n *html.Node) bool {
	return n.Type == html.ElementNode && n.Namespace == "" && slices.Contains(containers, n.DataAtom) && !isTweet(n)
}

// cutter copies a tree up to a paragraph.
type cutter struct {
	last *html.Node
	done bool
}

// copyAll copies what may be shown of nodes into parent, until the last paragraph was copied.
func (c *cutter) copyAll(nodes []*html.Node, parent *html.Node) *html.Node {
	for _, n := range nodes {
		if c.done {
			break
		}
		switch {
		case isContainer(n):
			if sub := c.copyAll(slices.Collect(n.ChildNodes()), bare(n)); sub.FirstChild != nil {
				parent.AppendChild(sub)
			}
		case n.DataAtom == atom.P && blank(n):
		case n.DataAtom == atom.P, n.Namespace == "" && slices.Contains(companions, n.DataAtom), isTweet(n):
			parent.AppendChild(clone(n))
			c.done = n == c.last
		}
	}
	return parent
}

// bare is an element without its content.
func bare(n *html.Node) *html.Node {
	return &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace, Attr: slices.Clone(n.Attr)}
}

// clone leaves out comments, which nobody reads but everybody receives.
func clone(n *html.Node) *html.Node {
	to := bare(n)
	for child := range n.ChildNodes() {
		if child.Type != html.CommentNode {
			to.AppendChild(clone(child))
		}
	}
	return to
}

func print(parent *html.Node) (string, error) {
	var b strings.Builder
	for n := range parent.ChildNodes() {
		if err := html.Render(&b, n); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// blank tells that an element shows nothing: editors leave empty paragraphs behind.
func blank(n *html.Node) bool {
	for d := range n.Descendants() {
		switch {
		case d.Type == html.TextNode && strings.TrimSpace(strings.ReplaceAll(d.Data, "\u00a0", " ")) != "":
			return false
		case d.Type == html.ElementNode && (d.DataAtom == atom.Img || d.DataAtom == atom.Iframe || isTweet(d)):
			return false
		}
	}
	return !isTweet(n)
}

func holdsTweet(p *html.Node) bool {
	if isTweet(p) || isTweetAddress(strings.TrimSpace(textOf(p))) {
		return true
	}
	for d := range p.Descendants() {
		if isTweet(d) {
			return true
		}
	}
	return false
}

// isTweet knows an embedded tweet: the quote that the network hands out, our own typed block, or its frame.
func isTweet(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "class":
			if slices.Contains(strings.Fields(a.Val), "twitter-tweet") {
				return true
			}
		case "data-embed", "data-provider":
			if slices.Contains([]string{"tweet", "twitter", "x"}, strings.ToLower(a.Val)) {
				return true
			}
		case "src":
			if n.DataAtom == atom.Iframe && isTweetAddress(a.Val) {
				return true
			}
		}
	}
	return false
}

func isTweetAddress(s string) bool {
	rest, ok := strings.CutPrefix(s, "https://")
	if !ok || strings.ContainsAny(rest, " \n\t") {
		return false
	}
	host, path, _ := strings.Cut(rest, "/")
	switch strings.TrimPrefix(strings.TrimPrefix(host, "www."), "mobile.") {
	case "twitter.com", "x.com":
		return strings.Contains(path, "/status/")
	case "platform.twitter.com":
		return true
	}
	return false
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
