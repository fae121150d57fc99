package markup

import (
	"net/url"
	"path"
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Embed is a piece of another service in a post. The page shows a placeholder; nothing of the service loads before the
// reader asks for it, and without scripts there is a link.
type Embed struct{ Kind, ID string }

var embedID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}(/[A-Za-z0-9_-]{1,64})?$`)

// services are the ones that have placeholders: how their addresses look, and where an id lives.
var services = []struct {
	kind  string
	hosts []string
	ids   *regexp.Regexp // over path and query; the groups, joined by "/", are the id
	valid *regexp.Regexp
	link  string
}{
	{
		"youtube",
		[]string{"youtube.com", "m.youtube.com", "youtube-nocookie.com", "youtu.be"},
		regexp.MustCompile(`^(?:/watch\?(?:.*&)?v=|/embed/|/shorts/|/live/|/v/|/)([A-Za-z0-9_-]{11})(?:[?&/].*)?$`),
		regexp.MustCompile(`^[A-Za-z0-9_-]{11}$`), "https://www.youtube.com/watch?v=",
	},
	{
		"vimeo",
		[]string{"vimeo.com", "player.vimeo.com"},
		regexp.MustCompile(`^/(?:video/)?([0-9]{5,12})(?:[?/].*)?$`),
		regexp.MustCompile(`^[0-9]{5,12}$`), "https://vimeo.com/",
	},
	{
		"twitter",
		[]string{"twitter.com", "mobile.twitter.com", "x.com"},
		regexp.MustCompile(`^/[A-Za-z0-9_]+(?:/web)?/status(?:es)?/([0-9]{1,25})(?:[?/].*)?$`),
		regexp.MustCompile(`^[0-9]{1,25}$`), "https://x.com/i/status/",
	},
	{
		"instagram",
		[]string{"instagram.com"},
		regexp.MustCompile(`^/(p|reel|tv)/([A-Za-z0-9_-]{5,40})(?:[?/].*)?$`),
		regexp.MustCompile(`^(p|reel|tv)/[A-Za-z0-9_-]{5,40}$`), "https://www.instagram.com/",
	},
	{
		"tiktok",
		[]string{"tiktok.com"},
		regexp.MustCompile(`^/(?:@[A-Za-z0-9_.-]+/video|embed(?:/v2)?)/([0-9]{5,25})(?:[?/].*)?$`),
		regexp.MustCompile(`^[0-9]{5,25}$`), "https://www.tiktok.com/embed/",
	},
	{
		"spotify",
		[]string{"open.spotify.com"},
		regexp.MustCompile(`^/(?:embed/|intl-[a-z]+/)?(track|album|playlist|episode|show)/([A-Za-z0-9]{10,40})(?:[?/].*)?$`),
		regexp.MustCompile(`^(track|album|playlist|episode|show)/[A-Za-z0-9]{10,40}$`), "https://open.spotify.com/",
	},
}

// EmbedOf recognises an address of a known service.
func EmbedOf(address string) (Embed, bool) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http" && u.Scheme != "") {
		return Embed{}, false
	}
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	for _, s := range services {
		for _, h := range s.hosts {
			if h != host {
				continue
			}
			if g := s.ids.FindStringSubmatch(u.EscapedPath() + query(u)); g != nil {
				return Embed{s.kind, strings.Join(g[1:], "/")}, true
			}
		}
	}
	return Embed{}, false
}

func query(u *url.URL) string {
	if u.RawQuery == "" {
		return ""
	}
	return "?" + u.RawQuery
}

// address is where the piece can be seen at its service; "" when the id is none of this service.
func (e Embed) address() string {
	for _, s := range services {
		if s.kind == e.Kind && s.valid.MatchString(e.ID) {
			return s.link + e.ID
		}
	}
	return ""
}

// node is the placeholder; caption is a figcaption to keep, or nil.
func (e Embed) node(caption *html.Node) *html.Node {
	to := e.address()
	f := element(atom.Figure, "data-embed", e.Kind, "data-id", e.ID)
	f.AppendChild(link(to, strings.TrimPrefix(strings.TrimPrefix(to, "https://"), "www.")))
	if caption != nil && !blank(caption) {
		caption.Parent.RemoveChild(caption)
		f.AppendChild(caption)
	}
	return f
}

// HTML is the placeholder as text.
func (e Embed) HTML() string {
	var b strings.Builder
	_ = html.Render(&b, e.node(nil)) // a Builder does not fail
	return b.String()
}

// Opening is how the placeholder begins in text that was sanitised.
func (e Embed) Opening() string {
	return `<figure data-embed="` + e.Kind + `" data-id="` + e.ID + `">`
}

// Without takes the placeholders of a piece out of sanitised text, where the piece itself stands beside it. Their
// captions stay, as paragraphs.
func (e Embed) Without(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, e.Opening())
		b.WriteString(before)
		if !found {
			return strings.TrimSpace(b.String())
		}
		var figure string
		figure, text, _ = strings.Cut(rest, "</figure>")
		if _, caption, ok := strings.Cut(figure, "<figcaption>"); ok {
			b.WriteString("<p>" + strings.TrimSuffix(caption, "</figcaption>") + "</p>")
			continue
		}
		text = strings.TrimPrefix(text, "\n")
	}
}

// embedIn recognises a figure or paragraph that holds nothing but an embed: a placeholder, or a bare address.
func embedIn(n *html.Node) (Embed, bool) {
	if n.DataAtom == atom.Figure {
		if e := (Embed{attr(n, "data-embed"), attr(n, "data-id")}); e.address() != "" {
			return e, true
		}
		delAttr(n, "data-embed")
		delAttr(n, "data-id")
		if inner := find(n, atom.Figure); inner != nil {
			// A wrapper around an iframe that has become a placeholder already.
			if e := (Embed{attr(inner, "data-embed"), attr(inner, "data-id")}); e.address() != "" && words(n) == words(inner) {
				return e, true
			}
		}
	}
	text := words(n)
	if text == "" || strings.ContainsAny(text, " \n\t") || find(n, atom.Img) != nil {
		return Embed{}, false
	}
	return EmbedOf(text)
}

// quotedPost recognises the quote that services give out for embedding; its last link is the post.
func quotedPost(n *html.Node) (Embed, bool) {
	class := attr(n, "class")
	if !strings.Contains(class, "twitter-") && !strings.Contains(class, "instagram-media") &&
		!strings.Contains(class, "tiktok-embed") {
		return Embed{}, false
	}
	for _, name := range []string{"cite", "data-instgrm-permalink"} {
		if e, ok := EmbedOf(attr(n, name)); ok {
			return e, true
		}
	}
	var found Embed
	ok := false
	for c := range n.Descendants() {
		if c.DataAtom == atom.A {
			if e, is := EmbedOf(attr(c, "href")); is {
				found, ok = e, true
			}
		}
	}
	return found, ok
}

// embedOrLink is what an element that would load something from elsewhere becomes; nil when there is nothing to it.
func embedOrLink(n *html.Node) *html.Node {
	src := attr(n, "src")
	if src == "" {
		src = attr(n, "data")
	}
	if src == "" {
		if s := find(n, atom.Source); s != nil {
			src = attr(s, "src")
		}
	}
	if e, ok := EmbedOf(src); ok {
		return e.node(nil)
	}
	u, err := url.Parse(strings.TrimSpace(src))
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return nil
	}
	name := u.Hostname()
	if base := path.Base(u.Path); strings.Contains(base, ".") {
		name = base
	}
	p := element(atom.P)
	p.AppendChild(link(u.String(), name))
	return p
}

func element(a atom.Atom, attrs ...string) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: a.String(), DataAtom: a}
	for i := 0; i+1 < len(attrs); i += 2 {
		n.Attr = append(n.Attr, html.Attribute{Key: attrs[i], Val: attrs[i+1]})
	}
	return n
}

func link(to, text string) *html.Node {
	a := element(atom.A, "href", to)
	a.AppendChild(&html.Node{Type: html.TextNode, Data: text})
	return a
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

func setAttr(n *html.Node, name, value string) {
	delAttr(n, name)
	n.Attr = append(n.Attr, html.Attribute{Key: name, Val: value})
}

func delAttr(n *html.Node, name string) {
	for i, a := range n.Attr {
		if a.Key == name {
			n.Attr = append(n.Attr[:i:i], n.Attr[i+1:]...)
			return
		}
	}
}

func find(n *html.Node, a atom.Atom) *html.Node {
	for c := range n.Descendants() {
		if c.DataAtom == a {
			return c
		}
	}
	return nil
}

// words is the text of a node without its caption.
func words(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		for c := n.FirstChild; c != nil && n.DataAtom != atom.Figcaption; c = c.NextSibling {
			walk(c)
		}
	}
	walk(n)
	return strings.TrimSpace(b.String())
}
