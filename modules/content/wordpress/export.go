package wordpress

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
)

// maxItem bounds the text of one item in bytes; maxDepth the nesting of elements.
const (
	maxItem  = 64 << 20
	maxDepth = 64
)

// header is what stands above the items.
type header struct {
	version, site, home string // "1.2", base_site_url, base_blog_url
	link                string
}

type author struct {
	line                                  int
	login, name, first, last, description string
}

type category struct {
	line                            int
	slug, parent, name, description string
}

type term struct{ domain, slug, name string }

// item is one <item>: a post, a page, an attachment or anything else.
type item struct {
	line, contentLine                           int
	id, parent                                  int64
	title, link, pubDate, creator               string
	content, excerpt                            string
	date, dateGMT, modified, modifiedGMT        string
	slug, status, kind, password, attachmentURL string
	sticky                                      bool
	terms                                       []term
	meta                                        map[string]string
	comments                                    int // all kinds, approved or not
	approved                                    int // of those, the words of readers that are shown there
}

// visitor is told what a file holds, in its order. A nil function is not told.
type visitor struct {
	header   func(header) error // before the first item
	author   func(author) error
	category func(category) error
	tag      func(line int, name string) error
	item     func(*item) error
}

// reader walks the tokens of an export. Its first error is the last.
type reader struct {
	ctx   context.Context
	d     *xml.Decoder
	src   *source // nil when the file has been checked before
	depth int
	open  []string // names and lines of open elements, for words
	lines []int
	size  int // bytes of the item's text so far
}

// read walks a whole export.
func read(ctx context.Context, r io.Reader, v visitor) error {
	x := &reader{ctx: ctx, d: xml.NewDecoder(r)}
	x.src, _ = r.(*source)
	x.d.Entity = xml.HTMLEntity
	// The bytes are UTF-8 by now, whatever the declaration says.
	x.d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	return x.document(v)
}

func (x *reader) line() int {
	line, _ := x.d.InputPos()
	return line
}

// next returns a token; at the end of a whole document io.EOF.
func (x *reader) next() (xml.Token, error) {
	if err := x.ctx.Err(); err != nil {
		return nil, err
	}
	t, err := x.d.Token()
	if x.src != nil {
		x.src.progress()
	}
	if err != nil {
		return nil, x.explain(err)
	}
	switch t := t.(type) {
	case xml.StartElement:
		x.depth++
		if x.depth > maxDepth {
			return nil, broken(x.line(), "elements are nested more than %d deep, this is no export", maxDepth)
		}
		x.open, x.lines = append(x.open, short(t.Name)), append(x.lines, x.line())
	case xml.EndElement:
		x.depth--
		x.open, x.lines = x.open[:x.depth], x.lines[:x.depth]
	case xml.Directive:
		if strings.Contains(strings.ToUpper(string(t)), "<!ENTITY") {
			return nil, broken(x.line(), "the file declares entities of its own, an export does not")
		}
	}
	return t, nil
}

// explain turns the decoder's errors into words for whoever made the file.
func (x *reader) explain(err error) error {
	var b *BrokenError
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &b):
		return b
	case errors.As(err, &syntax) && strings.Contains(syntax.Msg, "unexpected EOF"):
		if x.depth == 0 {
			return broken(syntax.Line, "the file ends in the middle, or is not XML")
		}
		return broken(syntax.Line, "the file ends in the middle: <%s> of line %d is not closed; export or copy it again",
			x.open[x.depth-1], x.lines[x.depth-1])
	case errors.As(err, &syntax):
		return broken(syntax.Line, "not well-formed XML: %s", syntax.Msg)
	case errors.Is(err, io.EOF), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case strings.HasPrefix(err.Error(), "xml: "):
		return broken(x.line(), "%s", strings.TrimPrefix(err.Error(), "xml: "))
	default:
		return err
	}
}

var wxr = regexp.MustCompile(`^http://wordpress\.org/export/1\.\d+/(excerpt/)?$`)

// short names an element as exports usually spell it: "wp:post_id".
func short(n xml.Name) string {
	// Tools that rewrite the addresses of a site to https rewrite the names of the format, too.
	space := strings.Replace(n.Space, "https://", "http://", 1)
	switch m := wxr.FindStringSubmatch(space); {
	case m != nil && m[1] != "":
		return "excerpt:" + n.Local
	case m != nil:
		return "wp:" + n.Local
	case space == "http://purl.org/rss/1.0/modules/content/":
		return "content:" + n.Local
	case space == "http://purl.org/dc/elements/1.1/":
		return "dc:" + n.Local
	case n.Space != "":
		return n.Space + ":" + n.Local
	}
	return n.Local
}

func (x *reader) document(v visitor) error {
	seen := false
	for {
		t, err := x.next()
		switch {
		case errors.Is(err, io.EOF) && !seen:
			return broken(x.line(), "there is no XML in the file")
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if name := short(t.Name); name != "rss" {
				return broken(x.line(), "the file begins with <%s>; an export of WordPress begins with <rss>", name)
			}
			if seen {
				return broken(x.line(), "a second <rss>: the file was put together of several")
			}
			seen = true
			if err := x.each(func(name string) error {
				if name == "channel" {
					return x.channel(v)
				}
				return x.skip()
			}); err != nil {
				return err
			}
		case xml.CharData:
			if strings.TrimSpace(string(t)) != "" {
				if seen {
					return broken(x.line(), "there is text after the end of the export")
				}
				return broken(x.line(), "the file is not XML; an export of WordPress begins with <?xml or <rss>")
			}
		}
	}
}

// each calls f for every element inside the open one; f must read up to its end.
func (x *reader) each(f func(name string) error) error {
	for {
		t, err := x.next()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if err := f(short(t.Name)); err != nil {
				return err
			}
		case xml.EndElement:
			return nil
		}
	}
}

func (x *reader) skip() error { return x.each(func(string) error { return x.skip() }) }

// text is the text of the open element and of those inside it.
func (x *reader) text() (string, error) {
	var b strings.Builder
	for end := x.depth - 1; x.depth > end; {
		t, err := x.next()
		if err != nil {
			return "", err
		}
		if c, ok := t.(xml.CharData); ok {
			if x.size += len(c); x.size > maxItem {
				return "", broken(x.line(), "one item holds more than %d MB of text, this is no export", maxItem>>20)
			}
			b.Write(c)
		}
	}
	return b.String(), nil
}

// fields reads the elements inside the open one into the given strings; others are skipped.
func (x *reader) fields(into map[string]*string) error {
	return x.each(func(name string) error {
		p, ok := into[name]
		if !ok {
			return x.skip()
		}
		s, err := x.text()
		*p = strings.TrimSpace(s)
		return err
	})
}

func (x *reader) channel(v visitor) error {
	var h header
	told := false
	tell := func() error {
		if told {
			return nil
		}
		told = true
		if h.version == "" {
			return broken(x.line(), "an RSS feed, but no export of WordPress: <wp:wxr_version> is missing")
		}
		if !strings.HasPrefix(h.version, "1.") {
			return broken(x.line(), "version %s of the export format is not known, those that begin with 1. are", h.version)
		}
		if v.header != nil {
			return v.header(h)
		}
		return nil
	}
	top := map[string]*string{
		"wp:wxr_version": &h.version, "wp:base_site_url": &h.site, "wp:base_blog_url": &h.home,
		"link": &h.link,
	}
	err := x.each(func(name string) error {
		line := x.line()
		x.size = 0
		switch name {
		case "wp:author":
			a, err := x.author(line)
			if err == nil && v.author != nil {
				err = v.author(a)
			}
			return err
		case "wp:category":
			c, err := x.category(line)
			if err == nil && v.category != nil {
				err = v.category(c)
			}
			return err
		case "wp:tag":
			var name string
			err := x.fields(map[string]*string{"wp:tag_name": &name})
			if err == nil && v.tag != nil {
				err = v.tag(line, name)
			}
			return err
		case "item":
			if err := tell(); err != nil {
				return err
			}
			it, err := x.item(line)
			if err == nil && v.item != nil {
				err = v.item(it)
			}
			return err
		}
		if p := top[name]; p != nil && *p == "" {
			s, err := x.text()
			*p = strings.TrimSpace(s)
			return err
		}
		return x.skip()
	})
	if err != nil {
		return err
	}
	return tell() // an export of nothing is one, too
}

func (x *reader) author(line int) (author, error) {
	a := author{line: line}
	err := x.fields(map[string]*string{
		"wp:author_login": &a.login, "wp:author_display_name": &a.name,
		"wp:author_first_name": &a.first, "wp:author_last_name": &a.last, "wp:author_description": &a.description,
	})
	return a, err
}

func (x *reader) category(line int) (category, error) {
	c := category{line: line}
	err := x.fields(map[string]*string{
		"wp:category_nicename": &c.slug, "wp:category_parent": &c.parent, "wp:cat_name": &c.name,
		"wp:category_description": &c.description,
	})
	return c, err
}
