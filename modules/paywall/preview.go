package paywall

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// shownParagraphs are shown of a locked article, one fewer if the last of them holds a tweet.
const shownParagraphs = 4

// shortText is how many letters a heading, a caption or a box beside the text may have before it counts.
const shortText = 200

// space does not show.
const space = " \t\r\n\f\u00a0"

// Preview returns the part of a locked article that everybody may read: its first paragraphs with the pictures and
// headings between them, and never a text that follows the last of them. List items, table rows, quoted paragraphs and
// lines of code are paragraphs, too: a list or a table ends where the preview does. shown and withheld count them; at
// least one is withheld of an article that has text. The result is well-formed whatever the body is.
func Preview(body string) (preview string, shown, withheld int) {
	if strings.TrimSpace(body) == "" {
		return "", 0, 0
	}
	blocks, err := parse(body)
	if err != nil {
		return "", 0, 1
	}
	_, all := cut(blocks, -1)
	total := weightOf(all)
	keep := 0
	for keep < len(all)-1 && shown+all[keep].weight <= shownParagraphs {
		shown += all[keep].weight
		keep++
	}
	if shown == shownParagraphs && holdsTweet(all[keep-1].node) {
		keep--
		shown -= all[keep].weight
	}
	if keep == 0 {
		return "", 0, max(total, 1)
	}
	kept, _ := cut(blocks, keep)
	text, err := print(kept)
	if err != nil {
		return "", 0, total
	}
	// Some markup reads otherwise than it was printed. What does not come back as it is, is not shown.
	again, err := parse(text)
	if err != nil {
		return "", 0, total
	}
	if _, units := cut(again, -1); len(units) != keep || weightOf(units) != shown {
		return "", 0, total
	}
	return text, shown, total - shown
}

// Preview is the package's, for whoever gets a Module.
func (m *Module) Preview(body string) (preview string, shown, withheld int) { return Preview(body) }

func parse(body string) ([]*html.Node, error) {
	return html.ParseFragment(strings.NewReader(body),
		&html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"})
}

// Of the elements of a body, groups, lists, quotes and tables are copied part by part. Beside them are pictures, lines
// and embeds. Anything else outside of a paragraph is not shown, and neither is loose text: it was not counted.
var (
	groups = []atom.Atom{
		atom.Div, atom.Section, atom.Article, atom.Main, atom.Ul, atom.Ol, atom.Dl, atom.Table, atom.Thead, atom.Tbody,
		atom.Tfoot,
	}
	mixed    = []atom.Atom{atom.Li, atom.Dd, atom.Blockquote, atom.Figure} // have text of their own
	beside   = []atom.Atom{atom.Hr, atom.Img, atom.Colgroup}
	headings = []atom.Atom{
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Figcaption, atom.Caption, atom.Dt,
	}
	counted   = []atom.Atom{atom.P, atom.Pre, atom.Tr} // are paragraphs, or several
	inFigures = []atom.Atom{atom.Tr, atom.Blockquote, atom.Li, atom.Dd, atom.Pre}
)

// unit is a part of a text that is shown whole or not at all: a paragraph, the text of a list item, a row. Its weight
// is the number of paragraphs that it counts as.
type unit struct {
	node   *html.Node
	weight int
}

func weightOf(units []unit) (sum int) {
	for _, u := range units {
		sum += u.weight
	}
	return sum
}

// cutter copies a tree until it has copied a number of units.
type cutter struct {
	keep  int // -1 is all
	units []unit
}

// cut copies nodes up to the last of keep units, and lists these units in order; all of them if keep is -1.
func cut(nodes []*html.Node, keep int) (*html.Node, []unit) {
	c := cutter{keep: keep}
	root := &html.Node{Type: html.ElementNode, DataAtom: atom.Div, Data: "div"}
	c.copyAll(nodes, root, false)
	return root, c.units
}

func (c *cutter) done() bool { return c.keep >= 0 && len(c.units) >= c.keep }

// copyAll copies nodes into parent. The text between the blocks is a unit if inText is set, and is left out otherwise.
func (c *cutter) copyAll(nodes []*html.Node, parent *html.Node, inText bool) {
	for i := 0; i < len(nodes) && !c.done(); i++ {
		n := nodes[i]
		switch {
		case c.copyBlock(n, parent):
		case inText:
			run := i
			for i+1 < len(nodes) && !isBlock(nodes[i+1]) {
				i++
			}
			c.add(nodes[run:i+1], parent)
		}
	}
}

// copyBlock reports whether n is a block, which it has copied as far as it is to be shown.
func (c *cutter) copyBlock(n, parent *html.Node) bool {
	switch {
	case !isBlock(n):
		return false
	case isTweet(n) && n.DataAtom != atom.P:
		parent.AppendChild(clone(n))
	case slices.Contains(counted, n.DataAtom):
		if !blank(n) {
			c.add([]*html.Node{n}, parent)
		}
	case slices.Contains(beside, n.DataAtom), isNote(n) && isShort(n):
		parent.AppendChild(clone(n))
	case isHeading(n), n.DataAtom == atom.Aside:
		c.add([]*html.Node{n}, parent)
	default:
		sub := bare(n)
		c.copyAll(slices.Collect(n.ChildNodes()), sub, slices.Contains(mixed, n.DataAtom))
		if sub.FirstChild != nil {
			parent.AppendChild(sub)
		}
	}
	return true
}

// add copies a unit, or a picture between the texts of a list item, which has no text and does not count.
func (c *cutter) add(nodes []*html.Node, parent *html.Node) {
	text, weight := false, 1
	for _, n := range nodes {
		if n.Type == html.CommentNode {
			continue
		}
		parent.AppendChild(clone(n))
		if slices.Contains(counted, n.DataAtom) || hasText(n) {
			text = true
			weight = max(weight, weigh(n))
		}
	}
	if text {
		c.units = append(c.units, unit{nodes[len(nodes)-1], weight})
	}
}

func isBlock(n *html.Node) bool {
	return n.Type == html.ElementNode && n.Namespace == "" && (isTweet(n) || isHeading(n) ||
		slices.ContainsFunc([][]atom.Atom{groups, mixed, beside, counted, {atom.Aside}}, func(set []atom.Atom) bool {
			return slices.Contains(set, n.DataAtom)
		}))
}

// isNote reports whether an element is beside the running text, and counts only if it is long: a heading, a caption, a
// box, a picture or an embed with its caption, the speaker of a quote.
func isNote(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Aside:
		return true
	case atom.Figure:
		for d := range n.Descendants() {
			if slices.Contains(inFigures, d.DataAtom) {
				return false
			}
		}
		return true
	}
	return isHeading(n)
}

func isHeading(n *html.Node) bool {
	return slices.Contains(headings, n.DataAtom) || n.DataAtom == atom.Cite && n.Parent.DataAtom == atom.Blockquote
}

func isShort(n *html.Node) bool {
	return utf8.RuneCountInString(strings.TrimSpace(textOf(n))) <= shortText
}

// weigh returns how many paragraphs lie one below the other in a part that cannot be cut: the lines of code, and in a
// row the paragraphs of its longest cell.
func weigh(n *html.Node) int {
	switch n.DataAtom {
	case atom.Pre:
		lines := 0
		for line := range strings.SplitSeq(textOf(n), "\n") {
			if strings.TrimSpace(line) != "" {
				lines++
			}
		}
		return max(lines, 1)
	case atom.Tr:
		longest := 1
		for cell := range n.ChildNodes() {
			longest = max(longest, weigh(cell))
		}
		return longest
	}
	return max(inside(n), 1)
}

// inside sums up the weights of the paragraphs in a part.
func inside(n *html.Node) (sum int) {
	for c := range n.ChildNodes() {
		switch {
		case c.Type != html.ElementNode || blank(c):
		case slices.Contains(counted, c.DataAtom), c.DataAtom == atom.Li, c.DataAtom == atom.Dd:
			sum += weigh(c)
		default:
			sum += inside(c)
		}
	}
	return sum
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

func hasText(n *html.Node) bool {
	return strings.Trim(n.Data, space) != "" && n.Type == html.TextNode || strings.Trim(textOf(n), space) != ""
}

// textOf returns the text of an element, with its line ends.
func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		switch {
		case d.Type == html.TextNode:
			b.WriteString(d.Data)
		case d.DataAtom == atom.Br:
			b.WriteByte('\n')
		}
	}
	return b.String()
}
