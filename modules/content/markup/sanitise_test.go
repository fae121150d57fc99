package markup

import (
	_ "embed"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestSanitise(t *testing.T) {
	t.Parallel()
	const id = "0123456789abcdef0123456789abcdef"
	const yt = `<figure data-embed="youtube" data-id="abcdefghijk"><a ` +
		`href="https://www.youtube.com/watch?v=abcdefghijk">youtube.com/watch?v=abcdefghijk</a></figure>`
	const tweet = `<figure data-embed="twitter" data-id="1234567890"><a ` +
		`href="https://x.com/i/status/1234567890">x.com/i/status/1234567890</a></figure>`
	for name, c := range map[string]struct{ in, want string }{
		"plain": {
			`<p>Text <strong>a</strong> <a href="/ine">odkaz</a>.</p>`,
			`<p>Text <strong>a</strong> <a href="/ine">odkaz</a>.</p>`,
		},
		"nothing":    {" \n ", ""},
		"loose text": {"Prvý.\n\nDruhý <em>odsek</em>.", "<p>Prvý.</p>\n<p>Druhý <em>odsek</em>.</p>"},
		"two breaks": {"Prvý.<br><br/>Druhý.<br>Verš.", "<p>Prvý.</p>\n<p>Druhý.<br/>Verš.</p>"},
		"boxes": {
			`<div class="x"><div>Prvý.</div><section><p>Druhý.</p></section></div>Tretí.`,
			"<p>Prvý.</p>\n<p>Druhý.</p>\n<p>Tretí.</p>",
		},
		"empty paragraphs": {"<p>&nbsp;</p><p>A</p><p></p>", "<p>A</p>"},
		"first heading":    {"<h1>Nadpis</h1><h2>Druhý</h2>", "<h2>Nadpis</h2>\n<h2>Druhý</h2>"},
		"attributes":       {`<p style="color:red" class="a" id="b" onclick="x()" data-x="1">A</p>`, "<p>A</p>"},
		"own picture": {`<figure><img src="/img/` + id +
			`?w=960" alt="Most" onerror="x()"><figcaption>Most</figcaption></figure>`, `<figure><img src="/img/` + id +
			`?w=960" alt="Most" loading="lazy"/><figcaption>Most</figcaption></figure>`},
		"foreign picture": {`<p>A<img src="https://tracker.example/p.gif"></p>`, "<p>A</p>"},
		"table": {
			`<table border=1><tr><th scope="col" onclick=x>A<td colspan="2">B</table>`,
			`<table><tbody><tr><th scope="col">A</th><td colspan="2">B</td></tr></tbody></table>`,
		},
		"facts": {
			`<aside class="infobox"><h3>Fakty</h3><p>Prvý.</p><ul><li>A</li></ul></aside>`,
			`<aside><h3>Fakty</h3><p>Prvý.</p><ul><li>A</li></ul></aside>`,
		},
		"chart": {`<table><tbody><tr><th scope="row">A</th><td><meter min="0" max="9" value="4.5" style="x" ` +
			`onclick="x()"></meter></td><td>4,5</td></tr></tbody></table>`, `<table><tbody><tr><th ` +
			`scope="row">A</th><td><meter min="0" max="9" value="4.5" aria-hidden="true"></meter></td><td>4,` +
			`5</td></tr></tbody></table>`},
		"bar of no number": {
			`<p>A <meter value="javascript:x" max="9"></meter></p>`,
			`<p>A <meter max="9" aria-hidden="true"></meter></p>`,
		},
		"video frame":          {`<iframe width="560" src="https://www.youtube.com/embed/abcdefghijk?rel=0"></iframe>`, yt},
		"video without cookie": {`<p><iframe src="//www.youtube-nocookie.com/embed/abcdefghijk"></iframe></p>`, yt},
		"video address":        {`<p>https://youtu.be/abcdefghijk?t=3</p>`, yt},
		"wrapped address": {"<figure class=\"wp-block-embed\"><div " +
			"class=\"wp-block-embed__wrapper\">\nhttps://www.youtube.com/watch?v=abcdefghijk\n</div></figure>", yt},
		"wrapped frame": {
			`<figure><div><iframe ` +
				`src="https://www.youtube.com/embed/abcdefghijk"></iframe></div><figcaption>Video</figcaption></figure>`,
			strings.Replace(yt, "</figure>", "<figcaption>Video</figcaption></figure>", 1),
		},
		"placeholder": {yt, yt},
		"tweet": {`<blockquote class="twitter-tweet"><p>Text</p>&mdash; <a ` +
			`href="https://twitter.com/nikto/status/1234567890?ref=x">dnes</a></blockquote><script async ` +
			`src="https://platform.twitter.com/widgets.js"></script>`, tweet},
		"false placeholder": {
			`<figure data-embed="youtube" data-id="&quot;onload=x"><a href="/a">A</a></figure>`,
			`<figure><a href="/a">A</a></figure>`,
		},
		"unknown frame": {
			`<iframe src="https://mapy.example/x"></iframe>`,
			`<p><a href="https://mapy.example/x">mapy.example</a></p>`,
		},
		"sound": {
			`<figure><audio controls src="https://zvuk.example/a/b.mp3"></audio></figure>`,
			`<figure><p><a href="https://zvuk.example/a/b.mp3">b.mp3</a></p></figure>`,
		},
		"mentioned address": {
			`<p>Viac na https://youtu.be/abcdefghijk v piatok.</p>`,
			`<p>Viac na https://youtu.be/abcdefghijk v piatok.</p>`,
		},
		"control characters": {"<p>A\x00B\x1bC</p>", "<p>ABC</p>"},
		"broken UTF-8":       {"<p>A\xffB</p>", "<p>A\uFFFDB</p>"},
	} {
		if got := Sanitise(c.in); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
	if deep := Sanitise(strings.Repeat("<div>", 5000) + "text"); deep != "<p>text</p>" {
		t.Errorf("deep: %.80q", deep)
	}
}

// attacks are ways to run a script that have worked somewhere, one a line.
//
//go:embed testdata/attacks.txt
var attackLines string

func attacks() []string { return strings.Split(strings.TrimSpace(attackLines), "\n") }

// checkSafe reads HTML as a browser does and finds nothing that runs, loads from elsewhere, or changes when cleaned
// again.
func checkSafe(t *testing.T, in string) {
	t.Helper()
	out := Sanitise(in)
	if again := Sanitise(out); again != out {
		t.Errorf("twice is not once\n  in %q\nonce %q\ntwice %q", in, out, again)
	}
	nodes, err := parse(out)
	if err != nil {
		t.Fatalf("%q became %q: %v", in, out, err)
	}
	allowed := "p br hr h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote cite pre code kbd samp var strong b em i u s del " +
		"ins sub sup small mark q abbr dfn time " +
		"figure figcaption table caption thead tbody tfoot tr th td details summary ruby rt rp bdi bdo wbr a img "
	check := func(n *html.Node) {
		if n.Type != html.ElementNode {
			if n.Type == html.CommentNode {
				t.Errorf("%q keeps a comment in %q", in, out)
			}
			return
		}
		if n.Namespace != "" || !strings.Contains(" "+allowed, " "+n.Data+" ") {
			t.Errorf("%q keeps <%s> in %q", in, n.Data, out)
		}
		for _, a := range n.Attr {
			switch {
			case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "srcdoc", a.Key == "id", a.Key == "class":
				t.Errorf("%q keeps %s in %q", in, a.Key, out)
			case a.Key == "href":
				scheme, _, found := strings.Cut(strings.ToLower(strings.TrimSpace(a.Val)), ":")
				if found && !strings.ContainsAny(scheme, "/?#") && scheme != "https" && scheme != "http" && scheme != "mailto" &&
					scheme != "tel" {
					t.Errorf("%q keeps the address %q", in, a.Val)
				}
			case a.Key == "src":
				if !ownPicture.MatchString(a.Val) {
					t.Errorf("%q loads %q", in, a.Val)
				}
			}
		}
	}
	for _, n := range nodes {
		check(n)
		for c := range n.Descendants() {
			check(c)
		}
	}
}

func TestSanitiseStopsAttacks(t *testing.T) {
	t.Parallel()
	for _, a := range attacks() {
		checkSafe(t, a)
		checkSafe(t, "<p>Text</p>"+a+"<p>Text</p>")
		checkSafe(t, "<blockquote><p>"+a+"</p></blockquote>")
		checkSafe(t, "<table><tr><td>"+a)
	}
}

func FuzzSanitise(f *testing.F) {
	for _, a := range attacks() {
		f.Add(a)
	}
	f.Add("Prvý.\n\nDruhý<br><br>tretí <div><p>a<figure><iframe src=//youtu.be/abcdefghijk></figure>")
	f.Add("<a><p>x</a></p><li>y<table><p>z")
	f.Add("&#1")
	f.Add("a&#127;&#x9d;<b title='&#2;'>b</b>&amp;#1;")
	f.Fuzz(checkSafe)
}
