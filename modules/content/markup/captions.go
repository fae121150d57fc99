package markup

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"example.org/broadsheet/platform/media"
)

const (
	// largePicture is the width, in pixels, of a picture that a reader opens.
	largePicture = 1600
	// textSizes is how wide a picture stands in a text, a little less on phones, as everywhere in picture-roles.ts.
	textSizes = "(width >= 704px) 650px, 88vw"
)

// SameWords reports whether an alternative text says no more than a caption.
func SameWords(alt, caption string) bool {
	return strings.EqualFold(strings.TrimRight(OneLine(alt), "."), strings.TrimRight(OneLine(caption), "."))
}

// Responsive lets a browser choose among the widths of each picture in a sanitised text, and empties an alternative
// text that only repeats the caption.
func Responsive(body string) string { return withPictures(body, func(*html.Node, int) {}) }

// Enlargeable is Responsive, with pictures that open as large as the window, also without scripts.
func Enlargeable(body, open, shut string) string {
	return withPictures(body, func(img *html.Node, n int) {
		if inside(img, atom.A) {
			return // it leads elsewhere
		}
		id := fmt.Sprintf("picture-%d", n)
		button := element(atom.Button, "type", "button", "popovertarget", id, "title", open)
		large := element(atom.Div, "popover", "auto", "id", id, "data-print", "hide")
		back := element(atom.Button, "type", "button", "popovertarget", id, "title", shut)
		address, _, _ := strings.Cut(attr(img, "src"), "?")
		back.AppendChild(element(atom.Img, "src", fmt.Sprintf("%s?w=%d", address, largePicture), "alt", attr(img, "alt"),
			"loading", "lazy"))
		large.AppendChild(back)
		img.Parent.InsertBefore(button, img)
		img.Parent.InsertBefore(large, img)
		img.Parent.RemoveChild(img)
		button.AppendChild(img)
	})
}

// withPictures calls change with each picture of a figure in a sanitised text, numbered from 1.
func withPictures(body string, change func(img *html.Node, n int)) string {
	if !strings.Contains(body, "<img") {
		return body
	}
	nodes, err := parse(body)
	if err != nil {
		return body
	}
	var pictures []*html.Node
	for _, top := range nodes {
		for n := range top.Descendants() {
			if n.DataAtom == atom.Img && inside(n, atom.Figure) {
				pictures = append(pictures, n)
			}
		}
	}
	for i, img := range pictures {
		if caption := captionOf(img); caption != "" && SameWords(attr(img, "alt"), caption) {
			setAttr(img, "alt", "")
		}
		offerWidths(img)
		change(img, i+1)
	}
	var b strings.Builder
	for _, n := range nodes {
		if err := html.Render(&b, n); err != nil {
			return body
		}
	}
	return b.String()
}

// offerWidths lets a browser choose among the widths of a picture of ours, up to the one that the text names.
func offerWidths(img *html.Node) {
	id, width, _ := strings.Cut(strings.TrimPrefix(attr(img, "src"), media.Path), "?w=")
	if widest, err := strconv.Atoi(width); err == nil && slices.Contains(media.Widths, widest) {
		setAttr(img, "srcset", media.SrcSet(id, "", widest))
		setAttr(img, "sizes", textSizes)
	}
}

// captionOf is the caption of the figure around a picture, "" where it has none.
func captionOf(img *html.Node) string {
	for n := range img.Ancestors() {
		if n.DataAtom != atom.Figure {
			continue
		}
		for c := range n.ChildNodes() {
			if c.DataAtom == atom.Figcaption {
				return textOf(c)
			}
		}
		return ""
	}
	return ""
}

func inside(n *html.Node, what atom.Atom) bool {
	for a := range n.Ancestors() {
		if a.DataAtom == what {
			return true
		}
	}
	return false
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}
