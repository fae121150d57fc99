package paywall

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestPreview(t *testing.T) {
	t.Parallel()
	p := func(from, to int) string {
		var b strings.Builder
		for i := from; i <= to; i++ {
			fmt.Fprintf(&b, "<p>t%d</p>", i)
		}
		return b.String()
	}
	const tweet = `<blockquote class="twitter-tweet"><p>tweet</p></blockquote>`
	for _, c := range []struct {
		name, body, want string
		shown, withheld  int
	}{
		{"nothing", "", "", 0, 0},
		{"space", " \n", "", 0, 0},
		{"long", p(1, 10), p(1, 4), 4, 6},
		{"six", p(1, 6), p(1, 4), 4, 2},
		{"five", p(1, 5), p(1, 4), 4, 1},
		{"four", p(1, 4), p(1, 3), 3, 1},
		{"two", p(1, 2), p(1, 1), 1, 1},
		{"one", p(1, 1), "", 0, 1},
		{"none", "<ul><li>a</li></ul>text", "", 0, 1},
		{"only text", "text", "", 0, 1},
		{
			"tweet in the fourth", p(1, 3) + `<p><a class="twitter-tweet" href="https://x.com/a/status/1">t4</a></p>` + p(5, 9),
			p(1, 3), 3, 6,
		},
		{"tweet's address in the fourth", p(1, 3) + "<p>https://twitter.com/a/status/1</p>" + p(5, 9), p(1, 3), 3, 6},
		{
			"fourth only names the network", p(1, 3) + "<p>On https://x.com/ they talk.</p>" + p(5, 9),
			p(1, 3) + "<p>On https://x.com/ they talk.</p>", 4, 5,
		},
		{
			"tweet in the third", p(1, 2) + `<p><span data-embed="tweet">t3</span></p>` + p(4, 9),
			p(1, 2) + `<p><span data-embed="tweet">t3</span></p>` + p(4, 4), 4, 5,
		},
		{"tweet as a block before the fourth", p(1, 3) + tweet + p(4, 9), p(1, 3) + tweet + p(4, 4), 4, 5},
		{"nothing after the last", p(1, 4) + "<h2>next</h2><figure><img src=\"/x\"/></figure>" + p(5, 6), p(1, 4), 4, 2},
		{
			"heading, picture, list, quote, table between", p(1, 1) + "<h2>h</h2><figure><img " +
				"src=\"/x\"/><figcaption><p>c</p></figcaption></figure>" + p(2, 2) +
				"<ul><li><p>l</p></li></ul><blockquote><p>q</p></blockquote><table><tbody><tr><td>c</td></tr></tbody></table>" +
				p(3, 9),
			p(1, 1) + "<h2>h</h2><figure><img src=\"/x\"/><figcaption><p>c</p></figcaption></figure>" + p(2, 2) +
				"<ul><li><p>l</p></li></ul><blockquote><p>q</p></blockquote><table><tbody><tr><td>c</td></tr></tbody></table>" +
				p(3, 4), 4, 5,
		},
		{
			"facts between, and after", p(1, 2) + "<aside><p>f</p></aside>" + p(3, 4) + "<aside><p>g</p></aside>" + p(5, 9),
			p(1, 2) + "<aside><p>f</p></aside>" + p(3, 4), 4, 5,
		},
		{"empty ones do not count", "<p></p><p>\u00a0</p>" + p(1, 2) + "<p> </p>" + p(3, 9), p(1, 4), 4, 5},
		{
			"in a container", `<div class="wp-block-group"><div>` + p(1, 3) + "</div><div>" + p(4, 9) + "</div></div>",
			`<div class="wp-block-group"><div>` + p(1, 3) + "</div><div>" + p(4, 4) + "</div></div>", 4, 5,
		},
		{"loose text is not shown", "lead" + p(1, 1) + "<b>loose</b><!-- note -->" + p(2, 9), p(1, 4), 4, 5},
		{"comments are not sent", "<p>t1<!-- secret --></p>" + p(2, 9), p(1, 4), 4, 5},
		{"unclosed", "<p>t1<p>t2<p>t3", p(1, 2), 2, 1},
		{"entities", "<p>a &lt;b&gt; &amp; c</p>" + p(2, 3), "<p>a &lt;b&gt; &amp; c</p>" + p(2, 2), 2, 1},
	} {
		got, shown, withheld := Preview(c.body)
		if got != c.want || shown != c.shown || withheld != c.withheld {
			t.Errorf("%s:\n got %s (%d, %d)\nwant %s (%d, %d)", c.name, got, shown, withheld, c.want, c.shown, c.withheld)
		}
	}
}

// FuzzPreview puts a word of its own into each paragraph of any markup: no word of a withheld one may come out, and
// what comes out must be whole.
func FuzzPreview(f *testing.F) {
	f.Add("<p>a</p><p>b</p><p>c</p><p>d</p><p>e</p><p>f</p>")
	f.Add("<div><p>a<div><p>b</p></div></p><section><p>c</section></div><p>d<p>e<ul><li><p>f")
	f.Add("<table><p>a</p><tr><td><p>b</p></table><p>c</p><button><p>d</p></button><p>e")
	f.Add("<svg><p>a</p></svg><math><p>b</math><p>c<plaintext><p>d")
	f.Add("<select><p>a</p></select><a><p>b<a><p>c</a><p>d<template><p>e</template><p>f<noscript><p>g")
	f.Fuzz(func(t *testing.T, body string) {
		nodes, err := parse(body)
		if err != nil {
			return
		}
		for i, n := range find(nodes) {
			n.AppendChild(&html.Node{Type: html.TextNode, Data: fmt.Sprintf(" canary%d.", i)})
		}
		root := &html.Node{Type: html.ElementNode, Data: "div"}
		for _, n := range nodes {
			root.AppendChild(n)
		}
		marked, err := print(root)
		if err != nil {
			return
		}
		nodes, err = parse(marked)
		if err != nil {
			return
		}
		paragraphs := find(nodes)
		got, shown, withheld := Preview(marked)
		if shown > shownParagraphs || len(paragraphs) > 0 && (withheld < 1 || shown+withheld != len(paragraphs)) {
			t.Fatalf("%d shown, %d withheld of %d", shown, withheld, len(paragraphs))
		}
		earlier := ""
		for _, n := range paragraphs[:min(shown, len(paragraphs))] {
			earlier += textOf(n)
		}
		for _, n := range paragraphs[min(shown, len(paragraphs)):] {
			for _, word := range strings.Fields(textOf(n)) {
				if strings.HasPrefix(word, "canary") && !strings.Contains(earlier, word) && strings.Contains(got, word) {
					t.Fatalf("%s came out of\n%s\nas\n%s", word, marked, got)
				}
			}
		}
		again, err := parse(got)
		if err != nil {
			t.Fatal(err)
		}
		if len(find(again)) != shown {
			t.Fatalf("%d paragraphs come back of %d:\n%s", len(find(again)), shown, got)
		}
	})
}
