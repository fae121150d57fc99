package paywall

import (
	"fmt"
	"regexp"
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
		{"only a list of one", "<ul><li>a</li></ul>text", "", 0, 1},
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
			"heading, picture, box between", p(1, 2) + "<h2>h</h2><figure><img src=\"/x\"/><figcaption><p>c</p></figcaption>" +
				"</figure><aside><ul><li>f</li></ul></aside>" + p(3, 9),
			p(1, 2) + "<h2>h</h2><figure><img src=\"/x\"/><figcaption><p>c</p></figcaption></figure>" +
				"<aside><ul><li>f</li></ul></aside>" + p(3, 4), 4, 5,
		},
		{
			"box after the last", p(1, 4) + "<aside><p>g</p></aside>" + p(5, 9), p(1, 4), 4, 5,
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

// A list, a quote, a table or code is as many paragraphs as it has items, rows or lines, wherever it is.
func TestPreview_Parts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long ", 50)
	for _, c := range []struct {
		name, body, want string
		shown, withheld  int
	}{
		{
			"list before the first", "<ul><li>a</li><li>b</li><li>c</li><li>d</li><li>e</li></ul><p>1</p><p>2</p>",
			"<ul><li>a</li><li>b</li><li>c</li><li>d</li></ul>", 4, 3,
		},
		{
			"lists between", "<p>1</p><ul><li>a</li><li>b</li></ul><p>2</p><ol><li>c</li></ol><p>3</p>",
			"<p>1</p><ul><li>a</li><li>b</li></ul><p>2</p>", 4, 2,
		},
		{
			"list within a list", "<ul><li>a<ul><li>b</li><li>c<ol><li>d</li><li>e</li></ol></li></ul></li></ul><p>1</p>",
			"<ul><li>a<ul><li>b</li><li>c<ol><li>d</li></ol></li></ul></li></ul>", 4, 2,
		},
		{
			"items of paragraphs", "<ul><li><p>a</p><p>b</p></li><li><p>c</p><p>d</p><p>e</p></li></ul><p>1</p>",
			"<ul><li><p>a</p><p>b</p></li><li><p>c</p><p>d</p></li></ul>", 4, 2,
		},
		{
			"pictures in a list", `<ul><li><img src="/a"/></li><li><img src="/b"/></li></ul><p>1</p><p>2</p>`,
			`<ul><li><img src="/a"/></li><li><img src="/b"/></li></ul><p>1</p>`, 1, 1,
		},
		{
			"list of definitions", "<dl><dt>a</dt><dd>1</dd><dt>b</dt><dd>2</dd><dt>c</dt><dd>3</dd><dt>d</dt>" +
				"<dd>4<p>5</p></dd>" +
				"</dl><p>1</p>", "<dl><dt>a</dt><dd>1</dd><dt>b</dt><dd>2</dd><dt>c</dt><dd>3</dd><dt>d</dt><dd>4</dd></dl>", 4, 2,
		},
		{
			"quote", "<p>1</p><p>2</p><blockquote><p>a</p><p>b</p><p>c</p><cite>d</cite></blockquote><p>3</p>",
			"<p>1</p><p>2</p><blockquote><p>a</p><p>b</p></blockquote>", 4, 2,
		},
		{
			"quote with its speaker", "<p>1</p><blockquote><p>a</p><cite>d</cite></blockquote><p>2</p><p>3</p><p>4</p>",
			"<p>1</p><blockquote><p>a</p><cite>d</cite></blockquote><p>2</p><p>3</p>", 4, 1,
		},
		{
			"quote without paragraphs", "<blockquote>a <b>b</b></blockquote><p>1</p><p>2</p><p>3</p><p>4</p>",
			"<blockquote>a <b>b</b></blockquote><p>1</p><p>2</p><p>3</p>", 4, 1,
		},
		{
			"table", "<p>1</p><table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr><tr><td>c</td></tr>" +
				"<tr><td>d</td></tr></tbody></table><p>2</p>", "<p>1</p><table><thead><tr><th>a</th></tr></thead><tbody><tr>" +
				"<td>b</td></tr><tr><td>c</td></tr></tbody></table>", 4, 2,
		},
		{
			"table in a figure", "<figure><table><tbody><tr><td>a</td></tr><tr><td>b</td></tr><tr><td>c</td></tr><tr>" +
				"<td>d</td>" +
				"</tr><tr><td>e</td></tr></tbody></table><figcaption>f</figcaption></figure><p>1</p>",
			"<figure><table><tbody><tr><td>a</td></tr><tr><td>b</td></tr><tr><td>c</td></tr><tr><td>d</td></tr>" +
				"</tbody></table>" +
				"</figure>", 4, 2,
		},
		{
			"article in one row", "<p>1</p><table><tbody><tr><td>x</td><td><p>a</p><ul><li>b</li><li>c</li></ul>" +
				"<p>d</p></td></tr>" +
				"</tbody></table><p>2</p>", "<p>1</p>", 1, 5,
		},
		{
			"row of paragraphs", "<table><tbody><tr><td><p>a</p></td><td><p>b</p></td></tr></tbody></table><p>1</p>",
			"<table><tbody><tr><td><p>a</p></td><td><p>b</p></td></tr></tbody></table>", 1, 1,
		},
		{"code", "<p>1</p><pre><code>a\nb\n\nc</code></pre><p>2</p>", "<p>1</p><pre><code>a\nb\n\nc</code></pre>", 4, 1},
		{"long code", "<p>1</p><pre>a\nb<br/>c\nd</pre><p>2</p>", "<p>1</p>", 1, 5},
		{
			"long caption", "<p>1</p><figure><img src=\"/x\"/><figcaption>" + long + "</figcaption></figure>" +
				"<p>2</p><p>3</p><p>4</p>",
			"<p>1</p><figure><img src=\"/x\"/><figcaption>" + long + "</figcaption></figure><p>2</p><p>3</p>", 4, 1,
		},
		{"long heading", "<h2>" + long + "</h2><p>1</p>", "<h2>" + long + "</h2>", 1, 1},
		{
			"long box", "<p>1</p><p>2</p><p>3</p><aside><h3>h</h3><p>a</p><p>" + long + "</p></aside><p>4</p>",
			"<p>1</p><p>2</p><p>3</p>", 3, 3,
		},
		{"details", "<p>1</p><details><summary>s</summary><p>a</p></details><p>2</p>", "<p>1</p>", 1, 1},
		{
			"details in a quote", "<blockquote><details><p>a</p><p>b</p><p>c</p><p>d</p></details><p>e</p></blockquote><p>1</p>",
			"<blockquote><details><p>a</p><p>b</p><p>c</p><p>d</p></details></blockquote>", 4, 2,
		},
		{
			"embed", `<p>1</p><figure data-embed="youtube" data-id="x"><a href="https://a">a</a></figure><p>2</p><p>3</p>`,
			`<p>1</p><figure data-embed="youtube" data-id="x"><a href="https://a">a</a></figure><p>2</p>`, 2, 1,
		},
		{
			"group of groups", "<div><ul><li>a</li></ul><div><blockquote><p>b</p></blockquote></div></div><p>1</p>",
			"<div><ul><li>a</li></ul><div><blockquote><p>b</p></blockquote></div></div>", 2, 1,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, shown, withheld := Preview(c.body)
			if got != c.want || shown != c.shown || withheld != c.withheld {
				t.Errorf("got  %s (%d, %d)\nwant %s (%d, %d)", got, shown, withheld, c.want, c.shown, c.withheld)
			}
		})
	}
}

// FuzzPreview puts a word of its own into each text of any markup: no word that follows the preview may come out, and
// the preview must be whole.
func FuzzPreview(f *testing.F) {
	f.Add("<p>a</p><p>b</p><p>c</p><p>d</p><p>e</p><p>f</p>")
	f.Add("<div><p>a<div><p>b</p></div></p><section><p>c</section></div><p>d<p>e<ul><li><p>f")
	f.Add("<table><p>a</p><tr><td><p>b</p></table><p>c</p><button><p>d</p></button><p>e")
	f.Add("<svg><p>a</p></svg><math><p>b</math><p>c<plaintext><p>d")
	f.Add("<select><p>a</p></select><a><p>b<a><p>c</a><p>d<template><p>e</template><p>f<noscript><p>g")
	f.Add("<ul><li>a<ol><li>b<p>c</p>d</ol><li>e</ul><dl><dt>f<dd>g<pre>h\ni</pre></dl><blockquote>j<p>k")
	f.Add("<table><caption>a<tr><td>b<table><tr><td>c</table><tr><td>d<ul><li>e</table><aside>f<p>g</aside><p>h")
	f.Fuzz(func(t *testing.T, body string) {
		marked, ok := mark(body)
		if !ok {
			return
		}
		nodes, err := parse(marked)
		if err != nil {
			return
		}
		_, units := cut(nodes, -1)
		got, shown, withheld := Preview(marked)
		total := weightOf(units)
		if shown > shownParagraphs || total > 0 && (withheld < 1 || shown+withheld != total) {
			t.Fatalf("%d shown, %d withheld of %d", shown, withheld, total)
		}
		last := 0
		for sum := 0; last < len(units) && sum < shown; last++ {
			sum += units[last].weight
		}
		for _, u := range units[last:] {
			for _, word := range canary.FindAllString(u.node.Data+textOf(u.node), -1) {
				if strings.Contains(got, word) {
					t.Fatalf("%s came out of\n%s\nas\n%s", word, marked, got)
				}
			}
		}
		again, err := parse(got)
		if err != nil {
			t.Fatal(err)
		}
		if _, units := cut(again, -1); weightOf(units) != shown {
			t.Fatalf("%d paragraphs come back of %d:\n%s", weightOf(units), shown, got)
		}
	})
}

var canary = regexp.MustCompile(`canary\d+\.`)

// mark appends a word of its own to each text of a body.
func mark(body string) (string, bool) {
	nodes, err := parse(body)
	if err != nil {
		return "", false
	}
	root := &html.Node{Type: html.ElementNode, Data: "div"}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	i := 0
	for n := range root.Descendants() {
		if n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
			n.Data += fmt.Sprintf(" canary%d.", i)
			i++
		}
	}
	marked, err := print(root)
	return marked, err == nil
}
