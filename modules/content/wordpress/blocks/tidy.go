package blocks

import (
	"regexp"
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var (
	tags      = regexp.MustCompile(`<[^>]*>`)
	blankLine = regexp.MustCompile(`\r?\n[ \t]*\r?\n\s*`)
)

// tidy looks at the whole: rules only between blocks, headings that lead to something and skip no level.
func tidy(in []*html.Node, noted func(line int, what, reason string)) []*html.Node {
	var out []*html.Node
	for _, n := range in {
		if n.DataAtom == atom.Hr && (len(out) == 0 || out[len(out)-1].DataAtom == atom.Hr) {
			continue
		}
		out = append(out, n)
	}
	out = withoutEmptySections(out, noted)
	for len(out) > 0 && out[len(out)-1].DataAtom == atom.Hr {
		out = out[:len(out)-1]
	}
	level := 1
	for _, n := range out {
		if l := levels[n.DataAtom]; l > 0 {
			level = min(l, level+1, 4)
			n.Data = "h" + strconv.Itoa(level)
			n.DataAtom = atom.Lookup([]byte(n.Data))
		}
	}
	return out
}

// withoutEmptySections drops headings over which nothing is left but what the old site made, and all marks of it.
func withoutEmptySections(in []*html.Node, noted func(line int, what, reason string)) []*html.Node {
	// From the end: whether a heading leads to something is known by what follows.
	drop := make([]bool, len(in))
	// Level of what follows (0: text; the end counts as 1), and whether something was left in between.
	next, emptied := 1, false
	for i := len(in) - 1; i >= 0; i-- {
		n := in[i]
		l := levels[n.DataAtom]
		switch {
		case n.Type == html.CommentNode:
			drop[i], emptied = true, true
		case l > 0 && emptied && next > 0 && next <= l:
			drop[i] = true
			noted(0, "heading "+words(n), "nothing is left under it")
		case l > 0:
			next, emptied = l, false
		case n.DataAtom != atom.Hr:
			next, emptied = 0, false
		}
	}
	var out []*html.Node
	for i, n := range in {
		if !drop[i] {
			out = append(out, n)
		}
	}
	return out
}
