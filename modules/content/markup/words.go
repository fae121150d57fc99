package markup

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// SearchText is the running text of HTML in one line. Placeholders of other services say nothing.
func SearchText(body string) string {
	nodes, err := parse(body)
	if err != nil {
		return PlainText(body)
	}
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
			return
		case n.Type != html.ElementNode, n.DataAtom == atom.A && n.Parent != nil && attr(n.Parent, "data-embed") != "":
			return
		}
		apart := !slices.Contains(inlineElements, n.DataAtom)
		if apart {
			b.WriteByte(' ')
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
		if apart {
			b.WriteByte(' ')
		}
	}
	for _, n := range nodes {
		walk(n)
	}
	return OneLine(b.String())
}

// inlineElements may stand inside a word; any other element ends it.
var inlineElements = []atom.Atom{
	atom.A, atom.Strong, atom.B, atom.Em, atom.I, atom.U, atom.S, atom.Sub, atom.Sup, atom.Small, atom.Mark, atom.Q,
	atom.Abbr, atom.Dfn, atom.Cite,
	atom.Code, atom.Kbd, atom.Samp, atom.Var, atom.Del, atom.Ins, atom.Bdi, atom.Bdo, atom.Wbr, atom.Time,
}
