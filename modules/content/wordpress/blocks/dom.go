package blocks

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func parseHTML(s string) ([]*html.Node, error) {
	return html.ParseFragment(strings.NewReader(s), element(atom.Body))
}

func element(a atom.Atom, attrs ...string) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: a.String(), DataAtom: a}
	for i := 0; i+1 < len(attrs); i += 2 {
		n.Attr = append(n.Attr, html.Attribute{Key: attrs[i], Val: attrs[i+1]})
	}
	return n
}

func textNode(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }

func attr(n *html.Node, name string) (value string) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

func hasClass(n *html.Node, class string) bool {
	for c := range strings.FieldsSeq(attr(n, "class")) {
		if c == class {
			return true
		}
	}
	return false
}

// find returns the first element of that kind in n or below.
func find(n *html.Node, a atom.Atom) *html.Node {
	if n.DataAtom == a {
		return n
	}
	for c := range n.Descendants() {
		if c.DataAtom == a {
			return c
		}
	}
	return nil
}

func contains(n *html.Node, atoms map[atom.Atom]bool) bool {
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && atoms[c.DataAtom] {
			return true
		}
	}
	return false
}

// words is the text of n.
func words(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// silent reports whether text has nothing to read: only spaces of any kind.
func silent(s string) bool {
	return strings.TrimFunc(s, func(r rune) bool {
		return isSpace(r) || r == '\u00a0' || r == '\u200b' || r == '\ufeff'
	}) == ""
}

func isSpace(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' }

func isBr(n *html.Node) bool { return n != nil && n.DataAtom == atom.Br }

// trim takes breaks and spaces off both ends of running text, at any depth.
func trim(n *html.Node) {
	for c := n.FirstChild; c != nil; c = n.FirstChild {
		if !trimEdge(n, c, strings.TrimLeftFunc) {
			break
		}
	}
	for c := n.LastChild; c != nil; c = n.LastChild {
		if !trimEdge(n, c, strings.TrimRightFunc) {
			break
		}
	}
}

// trimEdge reports whether it took the whole node.
func trimEdge(parent, c *html.Node, side func(string, func(rune) bool) string) bool {
	switch {
	case c.Type == html.TextNode:
		c.Data = side(c.Data, func(r rune) bool { return isSpace(r) || r == '\u00a0' })
		if c.Data != "" {
			return false
		}
	case !isBr(c):
		return false
	}
	parent.RemoveChild(c)
	return true
}

// collapse makes every run of white space one space.
func collapse(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range s {
		if isSpace(r) {
			gap = true
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(r)
	}
	if gap {
		b.WriteByte(' ')
	}
	return b.String()
}

// fill puts finished blocks into a parent that reads on its own: a first paragraph gives up its box.
func fill(parent *html.Node, blocks []*html.Node) {
	for i, n := range blocks {
		if i == 0 && n.DataAtom == atom.P {
			move(n, parent)
			continue
		}
		parent.AppendChild(n)
	}
}

// move hangs all children of one node under another.
func move(from, to *html.Node) {
	for c := from.FirstChild; c != nil; c = from.FirstChild {
		from.RemoveChild(c)
		to.AppendChild(c)
	}
}

func renderAll(nodes []*html.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		_ = html.Render(&b, n) // a Builder does not fail, and all elements here are known
	}
	return b.String()
}

func atoms(list ...atom.Atom) map[atom.Atom]bool {
	m := map[atom.Atom]bool{}
	for _, a := range list {
		m[a] = true
	}
	return m
}
