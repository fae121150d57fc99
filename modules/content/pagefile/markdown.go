package pagefile

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	dom "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"example.org/broadsheet/modules/content/markup"
)

// What is written into a file may be HTML too: all of it goes through the content module's sanitiser.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithRendererOptions(html.WithUnsafe()))

func htmlOf(text string) (string, error) {
	var b bytes.Buffer
	err := markdown.Convert([]byte(text), &b)
	return b.String(), err
}

var blankLines = regexp.MustCompile(`\n[ \t]*\n\s*`)

// markdownOf is a text that htmlOf makes the same page of. Where Markdown has no words for a block, it stays HTML.
func markdownOf(body string) string {
	nodes, err := dom.ParseFragment(strings.NewReader(body),
		&dom.Node{Type: dom.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		return blankLines.ReplaceAllString(body, "\n")
	}
	var parts []string
	for _, n := range nodes {
		var raw strings.Builder
		if err := dom.Render(&raw, n); err != nil {
			return blankLines.ReplaceAllString(body, "\n")
		}
		if strings.TrimSpace(raw.String()) == "" {
			continue
		}
		part, ok := blockText(n)
		if !ok || !same(part, raw.String()) {
			part = blankLines.ReplaceAllString(raw.String(), "\n")
		}
		parts = append(parts, part)
	}
	whole := strings.Join(parts, "\n\n")
	if !same(whole, body) {
		whole = blankLines.ReplaceAllString(body, "\n")
	}
	return whole + "\n"
}

// same reports whether a text makes the HTML.
func same(text, want string) bool {
	got, err := htmlOf(text)
	return err == nil && markup.Sanitise(got) == markup.Sanitise(want)
}

var marks = map[atom.Atom]string{atom.P: "", atom.H2: "## ", atom.H3: "### ", atom.H4: "#### "}

func blockText(n *dom.Node) (string, bool) {
	if mark, ok := marks[n.DataAtom]; ok && len(n.Attr) == 0 {
		t, ok := inlineText(n)
		return mark + t, ok
	}
	bullet := map[atom.Atom]string{atom.Ul: "- ", atom.Ol: "1. "}[n.DataAtom]
	if bullet == "" || len(n.Attr) > 0 {
		return "", false
	}
	var lines []string
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom != atom.Li {
			continue
		}
		t, ok := inlineText(c)
		if !ok {
			return "", false
		}
		lines = append(lines, bullet+t)
	}
	return strings.Join(lines, "\n"), true
}

var plain = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<",
	"&lt;", "&", "&amp;")

func inlineText(n *dom.Node) (string, bool) {
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == dom.TextNode {
			b.WriteString(plain.Replace(c.Data))
			continue
		}
		inner, ok := inlineText(c)
		switch {
		case !ok:
			return "", false
		case c.DataAtom == atom.Strong && len(c.Attr) == 0:
			b.WriteString("**" + inner + "**")
		case c.DataAtom == atom.Em && len(c.Attr) == 0:
			b.WriteString("*" + inner + "*")
		case c.DataAtom == atom.A && len(c.Attr) == 1 && c.Attr[0].Key == "href" &&
			!strings.ContainsAny(c.Attr[0].Val, "() "):
			b.WriteString("[" + inner + "](" + c.Attr[0].Val + ")")
		default:
			return "", false
		}
	}
	return b.String(), true
}
