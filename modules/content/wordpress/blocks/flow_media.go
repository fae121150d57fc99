package blocks

import (
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// media takes what is seen or heard; false for anything else.
func (f *flow) media(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Figure:
		f.figure(n)
	case atom.Img:
		f.image(n, nil)
	case atom.Video, atom.Audio:
		f.player(n, nil)
	case atom.Iframe, atom.Embed, atom.Object:
		src := attr(n, "src")
		if src == "" {
			src = attr(n, "data")
		}
		if src == "" || hasClass(n, "wp-block-file__embed") {
			return true // a preview of a file that is linked beside it
		}
		f.embed(src, nil)
	case atom.Picture:
		if img := find(n, atom.Img); img != nil {
			f.image(img, nil)
		}
	case atom.A:
		if hasClass(n, "wp-block-file__button") {
			return true // "Download", beside the link that has the name
		}
		return false
	default:
		return false
	}
	return true
}

// figure sorts the figures of the editor by what is in them.
func (f *flow) figure(n *html.Node) {
	var caption *html.Node
	for c := range n.ChildNodes() {
		if c.DataAtom == atom.Figcaption {
			caption = c
		}
	}
	if address := attr(n, "data-address"); address != "" {
		f.embed(address, caption)
		return
	}
	inner, img, player := 0, (*html.Node)(nil), (*html.Node)(nil)
	for c := range n.Descendants() {
		switch c.DataAtom {
		case atom.Figure, atom.Table, atom.Blockquote, atom.Iframe, atom.P, atom.Ul:
			inner++
		case atom.Img:
			if img != nil {
				inner++
			}
			img = c
		case atom.Video, atom.Audio:
			player = c
		}
	}
	switch {
	case inner == 0 && img != nil:
		f.image(img, caption)
	case inner == 0 && player != nil:
		f.player(player, caption)
	default:
		f.gathered(n, caption)
	}
}

// gathered opens a figure that holds blocks of its own; its caption goes to the last of them that can have one.
func (f *flow) gathered(n, caption *html.Node) {
	f.flush()
	if caption != nil {
		n.RemoveChild(caption)
	}
	blocks := f.sub(n)
	f.out = append(f.out, blocks...)
	if caption == nil || silent(words(caption)) {
		return
	}
	text := element(atom.Figcaption)
	f.running(caption, text)
	if len(blocks) == 0 {
		f.c.Left(f.line, "caption "+strings.TrimSpace(collapse(words(caption))), "nothing is left that it belongs to")
		return
	}
	switch last := f.out[len(f.out)-1]; {
	case last.DataAtom == atom.Table:
		figure := element(atom.Figure)
		figure.AppendChild(last)
		figure.AppendChild(text)
		f.out[len(f.out)-1] = figure
	case last.DataAtom == atom.Figure && find(last, atom.Figcaption) == nil && !hasAttr(last, "data-embed"):
		last.AppendChild(text)
	default:
		p := element(atom.P)
		move(text, p)
		f.out = append(f.out, p)
	}
}

var imageClass = regexp.MustCompile(`\bwp-image-(\d+)\b`)

// image makes the figure of a picture that could be taken.
func (f *flow) image(n, caption *html.Node) {
	ref := PictureRef{Src: attr(n, "src")}
	for _, name := range []string{"data-src", "data-lazy-src", "data-orig-file"} {
		if v := attr(n, name); v != "" && (ref.Src == "" || strings.HasPrefix(ref.Src, "data:")) {
			ref.Src = v
		}
	}
	if m := imageClass.FindStringSubmatch(attr(n, "class")); m != nil {
		ref.ID = ParseID(m[1])
	} else if v := attr(n, "data-id"); v != "" {
		ref.ID = ParseID(v)
	}
	if ref.Src == "" && ref.ID == 0 || attr(n, "width") == "1" && attr(n, "height") == "1" {
		return // a pixel that counts readers
	}
	p, reason, err := f.c.Picture(f.c.Ctx, ref)
	if err != nil && f.c.failed == nil {
		f.c.failed = err
	}
	if err != nil || reason != "" {
		name := FileName(ref.Src)
		if caption != nil && !silent(words(caption)) {
			name += " (" + strings.TrimSpace(collapse(words(caption))) + ")"
		}
		f.c.Left(f.line, "image "+name, reason)
		return
	}
	alt := attr(n, "alt")
	if alt == "" {
		alt = p.Alt
	}
	figure := element(atom.Figure)
	figure.AppendChild(element(atom.Img, "src", "/img/"+p.ID+"?w=960", "alt", alt, "width", strconv.Itoa(p.Width),
		"height", strconv.Itoa(p.Height)))
	f.caption(figure, caption)
	f.aside(figure)
}

func (f *flow) caption(figure, caption *html.Node) {
	if caption == nil {
		return
	}
	made := element(atom.Figcaption)
	if f.running(caption, made); !silent(words(made)) {
		figure.AppendChild(made)
	}
}

// player links a recording: the paper plays none from elsewhere.
func (f *flow) player(n, caption *html.Node) {
	src := attr(n, "src")
	for c := range n.Descendants() {
		if src == "" && (c.DataAtom == atom.Source || c.DataAtom == atom.A) {
			src = attr(c, "src") + attr(c, "href")
		}
	}
	what := "Audio"
	if n.DataAtom == atom.Video {
		what = "Video"
	}
	if placeable(src) {
		f.embed(src, caption)
		return
	}
	href := f.c.href(src, f.line)
	if href == "" {
		f.c.Left(f.line, strings.ToLower(what), "it has no address that can be followed")
		return
	}
	name := element(atom.Span)
	if caption != nil {
		f.running(caption, name)
	}
	if text := strings.TrimSpace(collapse(words(name))); text != "" {
		f.aside(linkLine(what+": ", href, text))
	} else {
		f.aside(linkLine(what+": ", href, FileName(src)))
	}
	f.c.Changed(f.line, strings.ToLower(what)+" "+FileName(src),
		"became a link: the paper plays no recordings from elsewhere")
}

func linkLine(before, href, text string) *html.Node {
	p := element(atom.P)
	if before != "" {
		p.AppendChild(textNode(before))
	}
	a := element(atom.A, "href", href)
	a.AppendChild(textNode(text))
	p.AppendChild(a)
	return p
}

// embed makes a placeholder where the paper has one, else a link.
func (f *flow) embed(address string, caption *html.Node) {
	if strings.HasPrefix(address, "//") {
		address = "https:" + address
	}
	if placeable(address) {
		figure := element(atom.Figure)
		figure.AppendChild(textNode(address)) // saving recognises it
		f.caption(figure, caption)
		f.aside(figure)
		return
	}
	href := f.c.href(address, f.line)
	u, err := url.Parse(href)
	if err != nil || href == "" {
		f.c.Left(f.line, "embed", "it has no address that can be followed")
		return
	}
	name := strings.TrimPrefix(u.Hostname(), "www.")
	if base := path.Base(u.Path); base != "." && base != "/" {
		name += "/" + base
	}
	if caption != nil && !silent(words(caption)) {
		name = strings.TrimSpace(collapse(words(caption)))
	}
	f.aside(linkLine("", href, name))
	f.c.Changed(f.line, "embed "+u.Hostname(), "became a link: there is no placeholder for it")
}

// FileName is the last part of an address, for words.
func FileName(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Path == "" || strings.HasSuffix(u.Path, "/") {
		return u.String()
	}
	return path.Base(u.Path)
}

// href is an address as it may stand in an article; "" makes the link plain text. Addresses of the old site lose their
// host: its posts are here now, and their old paths lead to them.
func (c *Converter) href(address string, line int) string {
	address = strings.TrimSpace(address)
	u, err := url.Parse(address)
	if err != nil {
		c.Left(line, "link", "its address cannot be read")
		return ""
	}
	switch strings.ToLower(u.Scheme) {
	case "", "http", "https":
	case "mailto", "tel":
		return address
	default:
		c.Left(line, "link", "an address of "+u.Scheme+": cannot be followed")
		return ""
	}
	if u.Host == "" && u.Path == "" && u.RawQuery == "" {
		return "" // a place on the page itself, which is not kept
	}
	if u.Host == "" && u.Scheme != "" {
		return ""
	}
	old := c.Home != nil && BareHost(u.Hostname()) == BareHost(c.Home.Hostname())
	if !old || strings.Contains(u.Path, "/wp-content/") || strings.Contains(u.Path, "/wp-admin/") {
		return u.String()
	}
	if id := u.Query().Get("p") + u.Query().Get("page_id"); ParseID(id) > 0 {
		return "/?p=" + id // the number is that of the old site: /12 is another post here
	}
	u.Scheme, u.Host, u.User = "", "", nil
	if u.Path == "" {
		u.Path = "/"
	}
	return u.String()
}

// BareHost is a host in lower case, without www.
func BareHost(host string) string { return strings.TrimPrefix(strings.ToLower(host), "www.") }
