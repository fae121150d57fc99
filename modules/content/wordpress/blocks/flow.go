package blocks

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// flow turns any HTML into a row of clean blocks: paragraphs, headings, lists, quotes, figures, tables. Boxes are
// opened, their content stays in reading order; classes, styles and empty things go.
type flow struct {
	c       *Converter
	line    int  // of the block that is being read
	classic bool // a blank line begins a paragraph, a single one breaks
	out     []*html.Node
	para    *html.Node   // open paragraph
	after   []*html.Node // blocks found inside the open paragraph
}

var (
	boxes = atoms(atom.P, atom.Div, atom.Section, atom.Article, atom.Main, atom.Aside, atom.Header, atom.Footer, atom.Nav,
		atom.Center, atom.Address,
		atom.Fieldset, atom.Form, atom.Hgroup, atom.Ul, atom.Ol, atom.Dl, atom.Blockquote, atom.Pre, atom.Figure, atom.Table,
		atom.Hr, atom.Details,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Iframe, atom.Video, atom.Audio)
	inlines = map[atom.Atom]atom.Atom{
		atom.A: atom.A, atom.Strong: atom.Strong, atom.B: atom.Strong, atom.Em: atom.Em, atom.I: atom.Em, atom.Sub: atom.Sub,
		atom.Sup:  atom.Sup,
		atom.Code: atom.Code, atom.Kbd: atom.Kbd, atom.Samp: atom.Samp, atom.Var: atom.Var, atom.Tt: atom.Code,
		atom.S: atom.S, atom.Strike: atom.S,
		atom.Del: atom.Del, atom.Ins: atom.Ins, atom.Mark: atom.Mark, atom.Abbr: atom.Abbr, atom.Acronym: atom.Abbr,
		atom.Small: atom.Small,
		atom.Q:     atom.Q, atom.Cite: atom.Cite, atom.Dfn: atom.Dfn, atom.Bdi: atom.Bdi, atom.Bdo: atom.Bdo,
		atom.Ruby: atom.Ruby, atom.Rt: atom.Rt, atom.Rp: atom.Rp,
	}
	kept = map[atom.Atom][]string{ // attributes that mean something
		atom.Abbr: {"title", "lang"}, atom.Dfn: {"title"}, atom.Bdo: {"dir"}, atom.Ol: {"start", "reversed"},
		atom.Td: {"colspan", "rowspan"}, atom.Th: {"colspan", "rowspan", "scope"}, atom.Details: {"open"},
	}
	levels = map[atom.Atom]int{atom.H1: 1, atom.H2: 2, atom.H3: 3, atom.H4: 4, atom.H5: 5, atom.H6: 6}
	// What cannot stand in an article, and holds nothing to read; true: worth a note.
	machinery = map[atom.Atom]bool{
		atom.Script: true, atom.Style: false, atom.Template: false, atom.Noscript: false, atom.Svg: true, atom.Canvas: true,
		atom.Input:  true,
		atom.Select: true, atom.Textarea: true, atom.Link: false, atom.Meta: false, atom.Title: false, atom.Math: true,
		atom.Map: true, atom.Applet: true,
		atom.Frameset: true, atom.Param: false, atom.Base: false, atom.Head: false,
	}
)

// parse reads HTML into the flow. What no parser takes comes as plain text.
func (f *flow) parse(s string) {
	nodes, err := parseHTML(s)
	if err != nil {
		f.c.Left(f.line, "HTML", "too deeply nested; only its words were kept")
		nodes = []*html.Node{textNode(tags.ReplaceAllString(s, " "))}
	}
	for _, n := range nodes {
		f.node(n)
	}
	f.flush()
}

func (f *flow) children(n *html.Node) {
	for c := range n.ChildNodes() {
		f.node(c)
	}
}

func (f *flow) block(n *html.Node) {
	f.flush()
	f.out = append(f.out, n)
}

// aside puts a block that was found in running text behind the paragraph, or before one that has not begun.
func (f *flow) aside(n *html.Node) {
	if f.para == nil || silent(words(f.para)) {
		f.out = append(f.out, n)
		return
	}
	f.after = append(f.after, n)
}

// sub makes the blocks of a part of its own.
func (f *flow) sub(n *html.Node) []*html.Node {
	inner := &flow{c: f.c, line: f.line, classic: f.classic}
	inner.children(n)
	inner.flush()
	f.line = inner.line
	return inner.out
}

// comment obeys the marks of flatten.
func (f *flow) comment(s string) {
	switch {
	case strings.HasPrefix(s, lineMark):
		f.line, _ = strconv.Atoi(s[len(lineMark):])
	case s == leftMark:
		f.block(&html.Node{Type: html.CommentNode, Data: leftMark})
	case strings.HasPrefix(s, heldMark):
		i, _ := strconv.Atoi(s[len(heldMark):])
		f.flush()
		f.out = append(f.out, f.c.held[i]...)
	}
}

func (f *flow) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		f.words(n.Data)
		return
	case html.CommentNode:
		f.comment(n.Data)
		return
	case html.ElementNode:
	default:
		return
	}
	if f.media(n) || f.unreadable(n) {
		return
	}
	switch {
	case n.DataAtom == atom.P, n.DataAtom == atom.Li, n.DataAtom == atom.Figcaption, n.DataAtom == atom.Summary:
		f.flush()
		f.children(n)
		f.flush()
	case levels[n.DataAtom] > 0:
		f.heading(n)
	case n.DataAtom == atom.Ul, n.DataAtom == atom.Ol:
		f.list(n)
	case n.DataAtom == atom.Dl:
		f.terms(n)
	case n.DataAtom == atom.Blockquote:
		f.quote(n)
	case n.DataAtom == atom.Pre:
		f.pre(n)
	case n.DataAtom == atom.Table:
		f.table(n)
	case n.DataAtom == atom.Hr:
		f.block(element(atom.Hr))
	case n.DataAtom == atom.Details:
		f.details(n)
	case n.DataAtom == atom.Br:
		f.br()
	case n.DataAtom == atom.Cite && f.para == nil, inlines[n.DataAtom] != 0 && !contains(n, boxes), n.DataAtom == atom.Wbr:
		f.inline(n, f.open())
	case !boxes[n.DataAtom] &&
		(n.DataAtom == atom.Span || n.DataAtom == atom.Font || n.DataAtom == atom.U || n.DataAtom == atom.Big ||
			n.DataAtom == atom.Label) && !contains(n, boxes):
		f.inline(n, f.open())
	case n.DataAtom == atom.Button:
		f.button(n)
	default: // a box
		f.flush()
		f.children(n)
		f.flush()
	}
}

// button keeps the words of a button of the editor; others belong to forms.
func (f *flow) button(n *html.Node) {
	if !hasClass(n, "wp-block-button__link") {
		f.c.Left(f.line, "button "+strings.TrimSpace(collapse(words(n))), "a button of a form")
		return
	}
	f.flush()
	f.children(n)
	f.flush()
}

// unreadable drops the machinery of a page.
func (f *flow) unreadable(n *html.Node) bool {
	note, ok := machinery[n.DataAtom]
	if !ok {
		return false
	}
	src := attr(n, "src")
	// Of an embed.
	loader := n.DataAtom == atom.Script && (strings.Contains(src, "platform.") || strings.Contains(src, "embed"))
	if note && !loader {
		f.c.Left(f.line, "HTML", "<"+n.Data+"> cannot stand in an article")
	}
	return true
}

func (f *flow) open() *html.Node {
	if f.para == nil {
		f.para = element(atom.P)
	}
	return f.para
}

// words adds loose text.
func (f *flow) words(s string) {
	if !f.classic {
		if f.para != nil || !silent(s) {
			f.open().AppendChild(textNode(collapse(s)))
		}
		return
	}
	for i, part := range blankLine.Split(s, -1) {
		if i > 0 {
			f.flush()
		}
		for j, line := range strings.Split(part, "\n") {
			if j > 0 && f.para != nil && f.para.LastChild != nil {
				f.para.AppendChild(element(atom.Br))
			}
			if line != "" && (f.para != nil || !silent(line)) {
				f.open().AppendChild(textNode(collapse(line)))
			}
		}
	}
}

// br breaks a line; the second one in a row ends the paragraph.
func (f *flow) br() {
	if f.para == nil {
		return
	}
	last := f.para.LastChild
	for last != nil && last.Type == html.TextNode && silent(last.Data) {
		last = last.PrevSibling
	}
	if isBr(last) {
		f.flush()
		return
	}
	f.para.AppendChild(element(atom.Br))
}

func (f *flow) flush() {
	if p := f.para; p != nil {
		f.para = nil
		trim(p)
		if !silent(words(p)) {
			f.out = append(f.out, p)
		}
	}
	f.out = append(f.out, f.after...)
	f.after = nil
}

// heading closes a paragraph; levels are set right at the end, when all are known.
func (f *flow) heading(n *html.Node) {
	f.flush()
	h := element(atom.Lookup([]byte("h" + strconv.Itoa(max(2, levels[n.DataAtom])))))
	f.running(n, h)
	if !silent(words(h)) {
		f.out = append(f.out, h)
	}
	f.flush()
}

// running copies the running text of n, without a paragraph around it.
func (f *flow) running(n, into *html.Node) {
	keep := f.para
	f.para = into
	for c := range n.ChildNodes() {
		f.inlineOrText(c, into)
	}
	f.para = keep
	trim(into)
}

func (f *flow) inlineOrText(n, into *html.Node) {
	switch n.Type {
	case html.TextNode:
		into.AppendChild(textNode(collapse(n.Data)))
	case html.ElementNode:
		f.inline(n, into)
	case html.CommentNode:
		if strings.HasPrefix(n.Data, lineMark) {
			f.comment(n.Data)
		}
	}
}

// inline copies an element of running text; what is none becomes its words, pictures stand aside.
func (f *flow) inline(n, into *html.Node) {
	if f.media(n) || f.unreadable(n) {
		return
	}
	if n.DataAtom == atom.Br || n.DataAtom == atom.Wbr {
		if into == f.para && into.DataAtom == atom.P && n.DataAtom == atom.Br {
			f.br()
			return
		}
		into.AppendChild(element(n.DataAtom))
		return
	}
	if n.DataAtom == atom.Sup && hasAttr(n, "data-fn") {
		sup := element(atom.Sup)
		sup.AppendChild(textNode(strconv.Itoa(f.c.mark(attr(n, "data-fn")))))
		into.AppendChild(sup)
		return
	}
	to, ok := inlines[n.DataAtom]
	made := into
	colour := n.DataAtom == atom.Mark && strings.Contains(attr(n, "style"), "rgba(0, 0, 0, 0)") // of the letters only
	if ok && !colour {
		made = element(to)
		for _, name := range kept[to] {
			if v := attr(n, name); v != "" {
				made.Attr = append(made.Attr, html.Attribute{Key: name, Val: v})
			}
		}
		if n.DataAtom == atom.A {
			if href := f.c.href(attr(n, "href"), f.line); href != "" {
				made.Attr = append(made.Attr, html.Attribute{Key: "href", Val: href})
			} else {
				made = into
			}
		}
	}
	if made == into && boxes[n.DataAtom] && into.LastChild != nil {
		into.AppendChild(textNode(" ")) // two boxes in a cell are two words
	}
	for c := range n.ChildNodes() {
		f.inlineOrText(c, made)
	}
	if made != into && !silent(words(made)) {
		into.AppendChild(made)
	} else if made != into && words(made) != "" {
		into.AppendChild(textNode(" "))
	}
}
