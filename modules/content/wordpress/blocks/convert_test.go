package blocks

import (
	"context"
	"iter"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
)

var pictureID = strings.Repeat("ab", 16)

// tally counts blocks of a kind.
type tally struct{ Taken, Left int }

type losses struct {
	notes  []string
	blocks map[string]tally
}

// convert makes a body as it will be saved; the picture "gone.jpg" cannot be had.
func convert(t testing.TB, text, notes string) (string, *losses) {
	t.Helper()
	body, said := convertOnly(t, text, notes)
	return markup.Sanitise(body), said
}

// convertOnly makes a body as this package hands it on, before it is cleaned once more where it is saved.
func convertOnly(t testing.TB, text, notes string) (string, *losses) {
	t.Helper()
	said := &losses{blocks: map[string]tally{}}
	home, _ := url.Parse("https://kurier.example")
	note := func(line int, what, reason string) {
		said.notes = append(said.notes, strconv.Itoa(line)+" "+what+": "+reason)
	}
	c := &Converter{
		Ctx: t.Context(), Home: home, Left: note, Changed: note,
		Picture: func(_ context.Context, ref PictureRef) (post.Picture, string, error) {
			if strings.Contains(ref.Src, "gone") || ref.ID == 404 {
				return post.Picture{}, "gone", nil
			}
			return post.Picture{ID: pictureID, Width: 40, Height: 30, Alt: "Most " + strconv.FormatInt(ref.ID, 10)}, "", nil
		},
		Counted: func(name string, taken bool) {
			b := said.blocks[name]
			if taken {
				b.Taken++
			} else {
				b.Left++
			}
			said.blocks[name] = b
		},
		SharedBlock: func(id int64) (SharedBlock, bool) {
			return SharedBlock{7, `<p>Zdieľané</p><!-- wp:block {"ref":5} /-->`}, id == 5
		},
		Attachments: func() []int64 { return []int64{8, 9} },
	}
	body, err := c.Convert(text, 1, notes)
	if err != nil {
		t.Fatal(err)
	}
	return body, said
}

func img(alt string) string {
	return `<img src="/img/` + pictureID + `?w=960" alt="` + alt + `" width="40" height="30" loading="lazy"/>`
}

// What was made of a hostile text has nothing that runs even before it is cleaned where it is saved: each of the two is
// enough.
func TestConvertedTextRunsNothing(t *testing.T) {
	t.Parallel()
	for _, attack := range []string{
		`<script>alert(1)</script>`, `<p onclick="alert(1)">x</p>`, `<img src=x onerror=alert(1)>`,
		`<svg onload=alert(1)><script>alert(1)</script></svg>`,
		`<a href="javascript:alert(1)">x</a>`, "<a href=\"java\tscript:alert(1)\">x</a>", `<a href=" data:text/html,` +
			`x">x</a>`, `<iframe srcdoc="<script>alert(1)</script>"></iframe>`,
		`<iframe src="javascript:alert(1)"></iframe>`, `<object data="javascript:alert(1)"></object>`,
		`<embed src="javascript:alert(1)">`, `<math><mtext><style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
		`<p style="background:url(javascript:alert(1))">x</p>`, `<details open ontoggle=alert(1)><summary ` +
			`onclick=alert(1)>x</summary>y</details>`, `<video src=x onerror=alert(1)></video>`,
		`<table onclick=alert(1)><tr><td onclick=alert(1) style=x>x</td></tr></table>`, `<ul onclick=alert(1)><li ` +
			`onclick=alert(1)>x</li></ul>`, `<blockquote onclick=alert(1)><p onclick=x>x</p></blockquote>`,
		`<h2 id=x onclick=alert(1)>x</h2>`, `<strong onclick=alert(1)>x</strong>`,
		`<form action="javascript:alert(1)"><button formaction="javascript:alert(1)">x</button></form>`,
		`<!-- wp:paragraph --><p onclick="alert(1)">x</p><!-- /wp:paragraph -->`,
		`<!-- wp:html --><script>alert(1)</script><p onclick=x>x</p><!-- /wp:html -->`,
		`<!-- wp:image {"id":7} --><figure onclick=alert(1)><img src="https://kurier.example/a.jpg" ` +
			`onerror=alert(1)/><figcaption onclick=x>y</figcaption></figure><!-- /wp:image -->`,
		`<!-- wp:button --><a href="javascript:alert(1)">x</a><!-- /wp:button -->`,
		`[caption id="x" onclick="alert(1)"]<img src="https://kurier.example/a.jpg" onerror="alert(1)"/> y[/caption]`,
	} {
		body, _ := convertOnly(t, "<p>Text</p>\n"+attack+"\n<p>Text</p>", "")
		nodes, err := parseHTML(body)
		if err != nil {
			t.Fatal(err)
		}
		for _, top := range nodes {
			for n := range everyNode(top) {
				if n.Type == html.ElementNode &&
					(machinery[n.DataAtom] || n.DataAtom == atom.Script || n.DataAtom == atom.Iframe || n.DataAtom == atom.Object ||
						n.DataAtom == atom.Embed || n.Namespace != "") {
					t.Errorf("%q keeps <%s> in %q", attack, n.Data, body)
				}
				for _, a := range n.Attr {
					value := strings.Map(func(r rune) rune {
						if r <= ' ' {
							return -1
						}
						return r
					}, strings.ToLower(a.Val))
					if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "srcdoc" ||
						strings.HasPrefix(value, "javascript:") || strings.HasPrefix(value, "data:") {
						t.Errorf("%q keeps %s=%q in %q", attack, a.Key, a.Val, body)
					}
				}
			}
		}
	}
}

// everyNode is a node and all below it.
func everyNode(n *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		if !yield(n) {
			return
		}
		for c := range n.Descendants() {
			if !yield(c) {
				return
			}
		}
	}
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	wrap := func(name, attrs, body string) string {
		return "<!-- wp:" + name + " " + attrs + " -->\n" + body + "\n<!-- /wp:" + name + " -->\n"
	}
	p := wrap("paragraph", "", "<p>Voda stúpa.</p>")
	for name, c := range map[string]struct{ in, want, note string }{
		"paragraph with a drop cap": {
			wrap("paragraph", `{"dropCap":true}`,
				`<p class="has-drop-cap" style="color:red">Voda <b>rýchlo</b> stúpa.</p>`),
			"<p>Voda <strong>rýchlo</strong> stúpa.</p>", "",
		},
		"empty paragraphs": {
			wrap("paragraph", "", "<p></p>") + wrap("paragraph", "", "<p>&nbsp;<br></p>") + p,
			"<p>Voda stúpa.</p>", "",
		},
		"two breaks are a paragraph": {
			wrap("paragraph", "", "<p>Prvý.<br><br>Druhý.<br>Riadok.</p>"),
			"<p>Prvý.</p>\n<p>Druhý.<br/>Riadok.</p>", "",
		},
		"headings from h2, no gaps": {wrap("heading", `{"level":1}`, "<h1>A</h1>") + p +
			wrap("heading", `{"level":5}`, `<h5 id="x">B</h5>`) + p, "<h2>A</h2>\n<p>Voda stúpa.</p>\n<h3>B</h3>\n<p>Voda " +
			"stúpa.</p>", ""},
		"list in a list": {
			wrap("list", `{"ordered":true,"start":4}`, `<ol start="4" class="x"><!-- wp:list-item --><li>Most<!-- wp:list `+
				`--><ul><!-- wp:list-item --><li>Pilier</li><!-- /wp:list-item --></ul><!-- /wp:list --></li><!-- /wp:list-item `+
				`--></ol>`),
			`<ol start="4"><li>Most<ul><li>Pilier</li></ul></li></ol>`, "",
		},
		"quote": {
			wrap("quote", "", `<blockquote class="wp-block-quote">`+p+`<cite>Rybár</cite></blockquote>`),
			"<blockquote><p>Voda stúpa.</p><p><cite>Rybár</cite></p></blockquote>", "",
		},
		"pullquote": {
			wrap("pullquote", "",
				`<figure class="wp-block-pullquote"><blockquote><p>Ticho.</p><cite>Rybár</cite></blockquote></figure>`),
			"<blockquote><p>Ticho.</p><p><cite>Rybár</cite></p></blockquote>", "",
		},
		"verse": {
			wrap("verse", "", "<pre class=\"wp-block-verse\">Rieka\n  tečie</pre>"),
			"<p>Rieka<br/>\u00a0\u00a0tečie</p>", "",
		},
		"code": {
			wrap("code", "", "<pre class=\"wp-block-code\"><code>a &lt; b\n  [gallery]</code></pre>"),
			"<pre><code>a &lt; b\n  [gallery]</code></pre>", "",
		},
		"preformatted": {
			wrap("preformatted", "", "<pre class=\"wp-block-preformatted\">1<br>  2</pre>"),
			"<pre>1\n  2</pre>", "",
		},
		"table": {
			wrap("table", "", `<figure class="wp-block-table"><table `+
				`class="x"><thead><tr><th>Rok</th></tr></thead><tbody><tr><td style="x" `+
				`colspan="2">2019</td></tr></tbody><tfoot><tr><td></td></tr></tfoot></table><figcaption>Stavy</figcaption></`+
				`figure>`),
			`<figure><table><thead><tr><th>Rok</th></tr></thead><tbody><tr><td ` +
				`colspan="2">2019</td></tr></tbody><tfoot><tr><td></td></tr></tfoot></table><figcaption>Stavy</figcaption></` +
				`figure>`, "",
		},
		"image": {
			wrap("image", `{"id":7}`, `<figure class="wp-block-image"><a `+
				`href="https://kurier.example/wp-content/uploads/a.jpg"><img `+
				`src="https://kurier.example/wp-content/uploads/a-300x200.jpg" alt="" class="wp-image-7"/></a><figcaption>Most `+
				`<em>dnes</em></figcaption></figure>`),
			"<figure>" + img("Most 7") + "<figcaption>Most <em>dnes</em></figcaption></figure>", "",
		},
		"image that is gone": {p + wrap("image", "", `<figure><img src="https://kurier.example/gone.jpg" `+
			`alt="x"/><figcaption>Popis</figcaption></figure>`), "<p>Voda stúpa.</p>", "4 image gone.jpg (Popis): gone"},
		"gallery": {
			wrap("gallery", "", `<figure class="wp-block-gallery">`+
				wrap("image", "", `<figure><img src="/a.jpg" alt="A"/><figcaption>Prvá</figcaption></figure>`)+
				wrap("image", "", `<figure><img src="/b.jpg" alt="B"/></figure>`)+`<figcaption>Obe</figcaption></figure>`),
			"<figure>" + img("A") + "<figcaption>Prvá</figcaption></figure>\n<figure>" + img("B") +
				"<figcaption>Obe</figcaption></figure>", "",
		},
		"gallery of old": {
			wrap("gallery", "", `<ul class="wp-block-gallery blocks-gallery-grid"><li `+
				`class="blocks-gallery-item"><figure><img src="/a.jpg" alt="A"/></figure></li></ul>`),
			"<figure>" + img("A") + "</figure>", "",
		},
		"media and text": {wrap("media-text", "", `<div class="wp-block-media-text"><figure><img src="/a.jpg" `+
			`alt="A"/></figure><div>`+p+`</div></div>`), "<figure>" + img("A") + "</figure>\n<p>Voda stúpa.</p>", ""},
		"cover": {
			wrap("cover", `{"url":"https://kurier.example/a.jpg","id":3}`,
				`<div class="wp-block-cover" style="background-image:url(x)"><div>`+p+`</div></div>`),
			"<figure>" + img("Most 3") + "</figure>\n<p>Voda stúpa.</p>", "",
		},
		"columns": {
			wrap("columns", "", `<div class="wp-block-columns">`+
				wrap("column", "", `<div>`+wrap("paragraph", "", "<p>Vľavo</p>")+`</div>`)+
				wrap("column", "", `<div>`+wrap("group", "", "<section>"+p+"</section>")+`</div>`)+`</div>`),
			"<p>Vľavo</p>\n<p>Voda stúpa.</p>", "",
		},
		"buttons": {
			wrap("buttons", "",
				`<div>`+wrap("button", "", `<div class="wp-block-button"><a class="wp-block-button__link" `+
					`href="https://kurier.example/dary/?a=1">Dary</a></div>`)+
					wrap("button", "", `<div><a href="#">Bez cieľa</a></div>`)+`</div>`),
			"<p><a href=\"/dary/?a=1\">Dary</a></p>\n<p>Bez cieľa</p>", "",
		},
		"separator": {p + wrap("separator", "", "<hr class=\"x\"/>") + wrap("separator", "", "<hr/>") + p +
			wrap("separator", "", "<hr/>"), "<p>Voda stúpa.</p>\n<hr/>\n<p>Voda stúpa.</p>", ""},
		"layout": {wrap("spacer", "", `<div style="height:9px"></div>`) + p + wrap("more", "", "<!--more-->") +
			wrap("nextpage", "", "<!--nextpage-->"), "<p>Voda stúpa.</p>", ""},
		"details": {
			wrap("details", "", `<details class="x"><summary>Viac</summary>`+p+`</details>`),
			"<details><summary>Viac</summary><p>Voda stúpa.</p></details>", "",
		},
		"file": {wrap("file", "", `<div><object class="wp-block-file__embed" `+
			`data="https://kurier.example/a.pdf"></object><a `+
			`href="https://kurier.example/wp-content/uploads/a.pdf">Správa</a><a href="x" class="wp-block-file__button" `+
			`download>Stiahnuť</a></div>`), `<p><a href="https://kurier.example/wp-content/uploads/a.pdf">Správa</a></p>`, ""},
		"audio": {
			wrap("audio", "", `<figure><audio controls `+
				`src="https://kurier.example/wp-content/uploads/a.mp3"></audio><figcaption>Rozhovor</figcaption></figure>`),
			`<p>Audio: <a href="https://kurier.example/wp-content/uploads/a.mp3">Rozhovor</a></p>`, "became a link",
		},
		"video": {
			wrap("video", "", `<figure><video><source `+
				`src="https://kurier.example/wp-content/uploads/v.mp4"></video></figure>`),
			`<p>Video: <a href="https://kurier.example/wp-content/uploads/v.mp4">v.mp4</a></p>`, "became a link",
		},
		"embed": {
			wrap("embed", `{"url":"https://www.youtube.com/watch?v=abcdefghijk","type":"video","providerNameSlug":"youtube"}`,
				`<figure class="wp-block-embed"><div>https://www.youtube.com/watch?v=abcdefghijk</div>`+
					`<figcaption>Záznam</figcaption></figure>`),
			`<figure data-embed="youtube" data-id="abcdefghijk"><a ` +
				`href="https://www.youtube.com/watch?v=abcdefghijk">youtube.com/watch?v=abcdefghijk</a><figcaption>Záznam</` +
				`figcaption></figure>`, "",
		},
		"embed of an older editor": {wrap("core-embed/vimeo", `{"url":"https://vimeo.com/123456"}`,
			`<figure>https://vimeo.com/123456</figure>`), `<figure data-embed="vimeo" data-id="123456"><a ` +
			`href="https://vimeo.com/123456">vimeo.com/123456</a></figure>`, ""},
		"embed without a placeholder": {
			wrap("embed", `{"url":"https://mapy.example/rieka"}`,
				`<figure>https://mapy.example/rieka</figure>`),
			`<p><a href="https://mapy.example/rieka">mapy.example/rieka</a></p>`,
			"no placeholder",
		},
		"quoted post": {wrap("html", "", `<blockquote class="twitter-tweet"><p>Text</p><a `+
			`href="https://twitter.com/rieka/status/123456789">1. mája</a></blockquote><script async `+
			`src="https://platform.twitter.com/widgets.js"></script>`), `<figure data-embed="twitter" data-id="123456789"><a ` +
			`href="https://x.com/i/status/123456789">x.com/i/status/123456789</a></figure>`, ""},
		"embedded tweet": {
			wrap("embed", `{"url":"https://twitter.com/rieka/status/20","type":"rich","providerNameSlug":"twitter"}`,
				`<figure class="wp-block-embed is-provider-twitter"><div `+
					`class="wp-block-embed__wrapper">https://twitter.com/rieka/status/20</div></figure>`),
			`<figure data-embed="twitter" data-id="20"><a href="https://x.com/i/status/20">x.com/i/status/20</a></figure>`, "",
		},
		"html": {wrap("html", "", `<div onclick="x()"><script>alert(1)</script><b>Tučné</b> a <a `+
			`href="javascript:x()">odkaz</a></div>`), "<p><strong>Tučné</strong> a odkaz</p>", "<script> cannot stand"},
		"shared block": {
			`<!-- wp:block {"ref":5} /-->` + p, "<p>Zdieľané</p>\n<p>Voda stúpa.</p>",
			"the shared block 5 is not in the file",
		},
		"what the old site made": {
			wrap("heading", "", "<h2>Najnovšie</h2>") + `<!-- wp:latest-posts {"postsToShow":5} ` +
				`/-->` + wrap("query", `{"queryId":1}`, "<div>"+p+"</div>") + wrap("heading", "", "<h2>Záver</h2>") + p,
			"<h2>Záver</h2>\n<p>Voda stúpa.</p>", "4 block latest-posts: made by the old site",
		},
		"unknown, with words": {wrap("vendor/box", `{"a":1}`, `<div class="box">Slová</div>`) +
			`<!-- wp:vendor/feed {"n":3} /-->`, "<p>Slová</p>", "block vendor/feed: made by the old site"},
		"settings with signs": {`<!-- wp:paragraph {"note":"\u002d\u002d\u003e {\"x\":[1]}"} --><p>Áno</p><!-- ` +
			`/wp:paragraph -->`, "<p>Áno</p>", ""},
		"settings that are broken": {
			`<!-- wp:paragraph {"a": --><p>Áno</p><!-- /wp:paragraph -->`, "<p>Áno</p>",
			"1 block: the settings of block paragraph cannot be read",
		},
		"block that is not closed": {
			"<!-- wp:group --><div><!-- wp:paragraph --><p>Áno</p></div>", "<p>Áno</p>",
			"is never closed",
		},
		"block that was not opened": {
			p + "<!-- /wp:group -->", "<p>Voda stúpa.</p>",
			"4 block: block group is closed and was never opened",
		},
		"markup that leaks": {
			wrap("paragraph", "", "<p>Prvý <b>tučný</p>") + p,
			"<p>Prvý <strong>tučný</strong></p>\n<p>Voda stúpa.</p>", "",
		},
		"picture inside a paragraph": {
			wrap("paragraph", "", `<p>Pred <img src="/a.jpg" alt="A"> po</p>`),
			"<p>Pred  po</p>\n<figure>" + img("A") + "</figure>", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, said := convert(t, c.in, "")
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			all := strings.Join(said.notes, "\n")
			if c.note == "" && all != "" || !strings.Contains(all, c.note) {
				t.Errorf("notes %q, want %q", all, c.note)
			}
		})
	}
}

func TestClassicTexts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want, note string }{
		"blank lines": {
			"Prvý odsek.\nDruhý riadok.\n\n\nDruhý <em>odsek</em>.",
			"<p>Prvý odsek.<br/>Druhý riadok.</p>\n<p>Druhý <em>odsek</em>.</p>", "",
		},
		"lists and quotes": {
			"<ul>\n\t<li>Most</li>\n</ul>\n<blockquote>Ticho.\n\nHluk.</blockquote>",
			"<ul><li>Most</li></ul>\n<blockquote><p>Ticho.</p><p>Hluk.</p></blockquote>", "",
		},
		"caption": {`[caption id="a" align="left" width="300"]<a href="x"><img class="wp-image-7" src="/a.jpg" ` +
			`alt=""></a> Most [1][/caption]` + "\n\nText.", "<figure>" + img("Most 7") +
			"<figcaption>Most [1]</figcaption></figure>\n<p>Text.</p>", ""},
		"gallery": {`[gallery ids="8, 404"]`, "<figure>" + img("Most 8") + "</figure>", "image : gone"},
		"gallery of its own": {
			"[gallery]", "<figure>" + img("Most 8") + "</figure>\n<figure>" + img("Most 9") + "</figure>",
			"",
		},
		"embed": {
			"[embed width=3]https://youtu.be/abcdefghijk[/embed]",
			`<figure data-embed="youtube" data-id="abcdefghijk"><a ` +
				`href="https://www.youtube.com/watch?v=abcdefghijk">youtube.com/watch?v=abcdefghijk</a></figure>`, "",
		},
		"address alone": {
			"Text.\nhttps://youtu.be/abcdefghijk\nKoniec.",
			`<p>Text.</p>` + "\n" + `<figure data-embed="youtube" data-id="abcdefghijk"><a ` +
				`href="https://www.youtube.com/watch?v=abcdefghijk">youtube.com/watch?v=abcdefghijk</a></figure>` +
				"\n<p>Koniec.</p>", "",
		},
		"audio": {
			`[audio mp3="https://kurier.example/wp-content/a.mp3"][/audio]`,
			`<p>Audio: <a href="https://kurier.example/wp-content/a.mp3">a.mp3</a></p>`, "became a link",
		},
		"page builder": {
			`[vc_row][vc_column_text css="x"]Text.[/vc_column_text][/vc_row]`, "<p>Text.</p>",
			"shortcode [vc_row]: not known",
		},
		"brackets of people": {
			"Povedal [sic] a [redakcia] [...] [[gallery]].",
			"<p>Povedal [sic] a [redakcia] [...] [gallery].</p>", "",
		},
		"more": {"Prvý.\n<!--more-->\nDruhý.", "<p>Prvý.</p>\n<p>Druhý.</p>", ""},
		"inside a tag": {
			`<a href="https://a.example/?x=[1]" title="[b c=d]">Odkaz</a>`,
			`<p><a href="https://a.example/?x=[1]">Odkaz</a></p>`, "",
		},
		"iframe": {
			`<iframe src="https://www.youtube.com/embed/abcdefghijk"></iframe>`,
			`<figure data-embed="youtube" data-id="abcdefghijk"><a ` +
				`href="https://www.youtube.com/watch?v=abcdefghijk">youtube.com/watch?v=abcdefghijk</a></figure>`, "",
		},
		"old addresses": {
			`<a href="https://www.kurier.example/?p=12">jedna</a> <a ` +
				`href="http://kurier.example/2018/x/#h">dve</a> <a href="https://iny.example/">tri</a>`,
			`<p><a href="/?p=12">jedna</a> <a href="/2018/x/#h">dve</a> <a href="https://iny.example/">tri</a></p>`, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, said := convert(t, c.in, "")
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			all := strings.Join(said.notes, "\n")
			if c.note == "" && all != "" || !strings.Contains(all, c.note) {
				t.Errorf("notes %q, want %q", all, c.note)
			}
		})
	}
}

func TestFootnotes(t *testing.T) {
	t.Parallel()
	mark := func(id string) string {
		return `<sup data-fn="` + id + `" class="fn"><a href="#` + id + `" id="` + id + `-link">9</a></sup>`
	}
	text := "<!-- wp:paragraph --><p>Prvá" + mark("b") + " a druhá" + mark("a") + ".</p><!-- /wp:paragraph -->"
	notes := `[{"id":"a","content":"Áčko <em>tu</em>"},{"id":"b","content":"Béčko"},{"id":"c","content":"Zvyšok"}]`
	want := "<p>Prvá<sup>1</sup> a druhá<sup>2</sup>.</p>\n<hr/>\n<ol><li>Béčko</li><li>Áčko " +
		"<em>tu</em></li><li>Zvyšok</li></ol>"
	for name, in := range map[string]string{"with their block": text + "<!-- wp:footnotes /-->", "without it": text} {
		if got, _ := convert(t, in, notes); got != want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
	if _, said := convert(t, text, "{broken"); len(said.notes) != 1 {
		t.Errorf("broken notes: %v", said.notes)
	}
}

func TestCountsAreOfEveryBlock(t *testing.T) {
	t.Parallel()
	_, said := convert(t, `<!-- wp:query --><div><!-- wp:post-template --><!-- wp:post-title /--><!-- wp:post-title `+
		`/--><!-- /wp:post-template --></div><!-- /wp:query --><!-- wp:spacer /--><p>Voľný text</p>`, "")
	for name, want := range map[string]tally{
		"query": {0, 1}, "post-template": {0, 1}, "post-title": {0, 2},
		"spacer": {0, 1}, "classic": {1, 0},
	} {
		if said.blocks[name] != want {
			t.Errorf("%s: %v", name, said.blocks[name])
		}
	}
}

// FuzzConvert holds that no text breaks the converter, that no comment of the editor is left, and that words that stand
// outside of tags stay.
func FuzzConvert(f *testing.F) {
	for _, s := range []string{
		`<!-- wp:group {"a":[1,{"b":"-->"}]} --><div><!-- wp:x /--></div><!-- /wp:group -->`, "<!-- wp:", "<!-- /wp:a -->",
		`[caption]x[/caption][gallery ids=","]`,
		"<table><tr><td><ul><li><figure><img src=x></figure>", "<pre><code>[a]</pre>", "<details><summary><h2>x",
		"<!-- wp:block {\"ref\":5} /-->", "[[a]] [a b='c' /]", "<p>a<p>b<br><br>c",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.NewReplacer("\x00", "", "\x01", "").Replace(s) // an export cannot hold them
		body, _ := convert(t, s, "")
		if strings.Contains(body, "<!--") {
			t.Errorf("%q became %q", s, body)
		}
		const word = "Kontrolneslovo"
		if body, _ := convert(t, word+"\n\n<!-- wp:spacer /-->"+s, ""); !strings.HasPrefix(body, "<p>"+word) {
			t.Errorf("the word before %q is lost: %q", s, body)
		}
	})
}
