package blocks

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func copyAttrs(from, to *html.Node) {
	for _, name := range kept[from.DataAtom] {
		if hasAttr(from, name) {
			to.Attr = append(to.Attr, html.Attribute{Key: name, Val: attr(from, name)})
		}
	}
}

// part makes a child of its own blocks, unless there is nothing in it.
func (f *flow) part(n, into *html.Node, kind atom.Atom) {
	made := element(kind)
	copyAttrs(n, made)
	fill(made, f.sub(n))
	if made.FirstChild != nil {
		into.AppendChild(made)
	}
}

func (f *flow) list(n *html.Node) {
	if hasClass(n, "blocks-gallery-grid") || hasClass(n, "wp-block-gallery") {
		f.flush()
		f.children(n)
		return
	}
	made := element(n.DataAtom)
	copyAttrs(n, made)
	for c := range n.ChildNodes() {
		switch {
		case c.Type == html.CommentNode && strings.HasPrefix(c.Data, lineMark):
			f.comment(c.Data)
		case c.DataAtom == atom.Li:
			f.part(c, made, atom.Li)
		case c.Type == html.ElementNode && made.LastChild != nil: // a list inside the list, beside the points
			inner := &flow{c: f.c, line: f.line}
			inner.node(c)
			inner.flush()
			for _, b := range inner.out {
				made.LastChild.AppendChild(b)
			}
		case c.Type == html.TextNode && !silent(c.Data), c.Type == html.ElementNode:
			li := element(atom.Li)
			inner := &flow{c: f.c, line: f.line}
			inner.node(c)
			inner.flush()
			if fill(li, inner.out); li.FirstChild != nil {
				made.AppendChild(li)
			}
		}
	}
	f.flush()
	if made.FirstChild != nil {
		f.out = append(f.out, made)
	}
}

func (f *flow) terms(n *html.Node) {
	made := element(atom.Dl)
	for c := range n.Descendants() {
		if c.DataAtom == atom.Dt || c.DataAtom == atom.Dd {
			f.part(c, made, c.DataAtom)
		}
	}
	f.flush()
	if made.FirstChild != nil {
		f.out = append(f.out, made)
	}
}

func (f *flow) quote(n *html.Node) {
	if hasClass(n, "twitter-tweet") || hasClass(n, "instagram-media") || hasClass(n, "tiktok-embed") {
		if address := quoted(n); address != "" {
			f.embed(address, nil)
			return
		}
	}
	f.flush()
	made := element(atom.Blockquote)
	for _, b := range f.sub(n) {
		// A picture is no part of what was said.
		if b.DataAtom == atom.Figure || b.DataAtom == atom.Hr || b.Type == html.CommentNode {
			f.after = append(f.after, b)
			continue
		}
		if levels[b.DataAtom] > 0 { // nor is it a section
			b.Data, b.DataAtom = "p", atom.P
		}
		made.AppendChild(b)
	}
	if made.FirstChild != nil {
		f.out = append(f.out, made)
	}
	f.flush()
}

// quoted is the address of the post that a service's quote shows.
func quoted(n *html.Node) (address string) {
	for _, name := range []string{"cite", "data-instgrm-permalink"} {
		if v := attr(n, name); placeable(v) {
			return v
		}
	}
	for c := range n.Descendants() {
		if c.DataAtom == atom.A && placeable(attr(c, "href")) {
			address = attr(c, "href")
		}
	}
	return address
}

// pre keeps lines and spaces. A poem is no code: it is text in lines.
func (f *flow) pre(n *html.Node) {
	f.flush()
	if hasClass(n, "wp-block-verse") {
		p := element(atom.P)
		f.lines(n, p)
		trim(p)
		if !silent(words(p)) {
			f.out = append(f.out, p)
		}
		return
	}
	made := element(atom.Pre)
	f.verbatim(n, made)
	if !silent(words(made)) {
		f.out = append(f.out, made)
	}
}

// verbatim copies the text of code with its breaks; only <code> and simple emphasis stay of its markup.
func (f *flow) verbatim(n, into *html.Node) {
	for c := range n.ChildNodes() {
		switch {
		case c.Type == html.TextNode:
			into.AppendChild(textNode(c.Data))
		case isBr(c):
			into.AppendChild(textNode("\n"))
		case c.Type == html.ElementNode && !f.unreadable(c):
			made := into
			if to := inlines[c.DataAtom]; to != 0 && to != atom.A && to != atom.Cite {
				made = element(to)
				into.AppendChild(made)
			}
			f.verbatim(c, made)
		}
	}
}

// lines copies running text in which a line break is one, and spaces at the beginning of a line stay.
func (f *flow) lines(n, into *html.Node) {
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode {
			for i, line := range strings.Split(c.Data, "\n") {
				if i > 0 {
					into.AppendChild(element(atom.Br))
				}
				text := strings.TrimLeft(line, " \t")
				if indent := len(line) - len(text); indent > 0 && (i > 0 || c.PrevSibling == nil) {
					text = strings.Repeat("\u00a0", indent) + text
				} else if indent > 0 {
					text = " " + text
				}
				if text != "" {
					into.AppendChild(textNode(text))
				}
			}
			continue
		}
		made := into
		if to := inlines[c.DataAtom]; to != 0 && to != atom.A {
			made = element(to)
			into.AppendChild(made)
		} else if isBr(c) {
			into.AppendChild(element(atom.Br))
		}
		f.lines(c, made)
	}
}

// table copies a table; parts without a cell go.
func (f *flow) table(n *html.Node) {
	made := f.grid(n)
	f.flush()
	if find(made, atom.Td) == nil && find(made, atom.Th) == nil || silent(words(made)) && find(made, atom.Img) == nil {
		return
	}
	f.out = append(f.out, made)
}

func (f *flow) grid(n *html.Node) *html.Node {
	made := element(n.DataAtom)
	for c := range n.ChildNodes() {
		switch c.DataAtom {
		case atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr:
			if g := f.grid(c); g.FirstChild != nil {
				made.AppendChild(g)
			}
		case atom.Td, atom.Th:
			cell := element(c.DataAtom)
			copyAttrs(c, cell)
			fill(cell, f.sub(c))
			made.AppendChild(cell) // also an empty one: it holds a place
		case atom.Caption:
			caption := element(atom.Caption)
			if f.running(c, caption); !silent(words(caption)) {
				made.AppendChild(caption)
			}
		}
	}
	return made
}

func (f *flow) details(n *html.Node) {
	made := element(atom.Details)
	summary := element(atom.Summary)
	box := element(atom.Div)
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		n.RemoveChild(c)
		if c.DataAtom == atom.Summary && summary.FirstChild == nil {
			f.running(c, summary)
		} else {
			box.AppendChild(c)
		}
		c = next
	}
	body := f.sub(box)
	f.flush()
	if silent(words(summary)) { // nothing to open it by
		f.out = append(f.out, body...)
		return
	}
	made.AppendChild(summary)
	for _, b := range body {
		made.AppendChild(b)
	}
	f.out = append(f.out, made)
}
