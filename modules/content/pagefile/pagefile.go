// Package pagefile is the form in which the pages of an edition, such as its history or its terms, are written down and
// kept in files: YAML with Markdown in it. The sample content has it, and operators change pages by it.
package pagefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/staticpage"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
)

// Page is one page as a file has it. Bodies are Markdown, in which HTML may stand.
type Page struct {
	Slug    string `yaml:"slug"`
	Title   string `yaml:"title"`
	Excerpt string `yaml:"excerpt,omitempty"`
	Status  string `yaml:"status,omitempty"` // draft or withdrawn; "": published
	// Updated is the day, such as 2025-09-01, on which its words were last changed; "": that of saving it.
	Updated string `yaml:"updated,omitempty"`
	Route   string `yaml:"route,omitempty"`
	Layout  string `yaml:"layout,omitempty"`
	Lang    string `yaml:"lang,omitempty"`
	// Picture is a media id or a file beside the document, Alt what is to be seen in it.
	Picture string  `yaml:"picture,omitempty"`
	Alt     string  `yaml:"alt,omitempty"`
	Caption string  `yaml:"caption,omitempty"`
	Body    string  `yaml:"body,omitempty"`
	Blocks  []Block `yaml:"blocks,omitempty"`

	at   *yaml.Node
	file string
}

// Block is a part of a page.
type Block struct {
	Kind  string `yaml:"kind"`
	Title string `yaml:"title,omitempty"`
	Body  string `yaml:"body,omitempty"`
	Items []Item `yaml:"items,omitempty"`
}

// Item is an entry of a block.
type Item struct {
	Title    string `yaml:"title"`
	Subtitle string `yaml:"subtitle,omitempty"`
	Date     string `yaml:"date,omitempty"`
	Picture  string `yaml:"picture,omitempty"` // as of a page
	Author   string `yaml:"author,omitempty"`
	Email    string `yaml:"email,omitempty"`
	URL      string `yaml:"url,omitempty"`
	Body     string `yaml:"body,omitempty"`
}

// Read reads a document and checks all that can be checked without a database. Errors name file, line and key.
func Read(file string, text []byte) ([]*Page, error) {
	var pages []*Page
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&pages); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("there are no pages")
		}
		return nil, located(file, err)
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: there is a second document after ---", file)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return nil, located(file, err)
	}
	if len(pages) == 0 {
		return nil, fmt.Errorf("%s: there are no pages", file)
	}
	for i, p := range pages {
		at := root.Content[0].Content[i]
		if p == nil {
			return nil, fmt.Errorf("%s:%d: there is no page", file, at.Line)
		}
		p.at, p.file = at, file
	}
	return pages, Check(pages)
}

// Check finds what is wrong with pages that are to stand together.
func Check(pages []*Page) error {
	var errs []error
	slugs, routes := map[string]*Page{}, map[string]*Page{}
	for _, p := range pages {
		err := p.check()
		if other := slugs[p.Slug]; other != nil {
			err = errors.Join(err, p.wrong("slug", fmt.Sprintf("%q is that of the page in line %d too", p.Slug, other.at.Line)))
		}
		if other := routes[p.Route]; p.Route != "" && other != nil {
			err = errors.Join(err, p.wrong("route", fmt.Sprintf("%q is that of the page %s too", p.Route, other.Slug)))
		}
		slugs[p.Slug], routes[p.Route] = p, p
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

var mediaID = regexp.MustCompile(`^[0-9a-f]{32}$`)

// placeholder stands for pictures that are not in the library yet.
const placeholder = "00000000000000000000000000000000"

func (p *Page) check() error {
	if p.Slug == "" || post.Slug("", p.Slug) != p.Slug {
		return p.wrong("slug", fmt.Sprintf("%q is not made of lower case letters, digits and hyphens", p.Slug))
	}
	if _, err := p.updated(); err != nil {
		return p.wrong("updated", fmt.Sprintf("%q is no day such as 2025-09-01", p.Updated))
	}
	d, err := p.draft(func(picture) string { return placeholder })
	if err != nil {
		return p.wrong("body", err.Error())
	}
	if _, err := content.Normal("", d); err != nil {
		return p.explain(err)
	}
	return nil
}

// updated is noon of the day that the page names, so that it is the same day in every zone of ours.
func (p *Page) updated() (time.Time, error) {
	if p.Updated == "" {
		return time.Time{}, nil
	}
	day, err := time.Parse(time.DateOnly, p.Updated)
	return day.Add(12 * time.Hour), err
}

// explain puts a fault of the content module where it belongs in the file.
func (p *Page) explain(err error) error {
	f := fault.From(err)
	if !errors.Is(err, post.ErrInvalid) || f.Unwrap() == nil {
		return err
	}
	why := f.Unwrap().Error()
	if _, after, ok := strings.Cut(why, ", "+f.Field+": "); ok {
		why = after
	}
	return p.wrong(strings.ReplaceAll(f.Field, "html", "body"), why)
}

// wrong is an error with file, line and key.
func (p *Page) wrong(key, why string) error {
	return fmt.Errorf("%s:%d: %s: %s", p.file, lineOf(p.at, key), key, why)
}

// lineOf finds the line of a key such as blocks[1].items[0].date, or of the nearest thing around it.
func lineOf(n *yaml.Node, key string) int {
	line := n.Line
	for _, part := range strings.FieldsFunc(key, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		var next *yaml.Node
		if i, err := strconv.Atoi(part); err == nil && n.Kind == yaml.SequenceNode && i < len(n.Content) {
			next = n.Content[i]
		}
		for i := 0; next == nil && n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == part {
				line, next = n.Content[i].Line, n.Content[i+1]
			}
		}
		if next == nil {
			return line
		}
		if n.Kind == yaml.SequenceNode {
			line = next.Line
		}
		n = next
	}
	return line
}

var (
	atLine  = regexp.MustCompile(`line (\d+): `)
	unknown = regexp.MustCompile(`field (\S+) not found in type \S+`)
	foreign = regexp.MustCompile(`cannot unmarshal \S+( ` + "`[^`]*`" + `)? into \S+`)
)

// located rewrites what the YAML library says into file, line and key.
func located(file string, err error) error {
	list := []string{strings.TrimPrefix(err.Error(), "yaml: ")}
	if t := (*yaml.TypeError)(nil); errors.As(err, &t) {
		list = t.Errors
	}
	var errs []error
	for _, s := range list {
		s = unknown.ReplaceAllString(s, "$1: there is no such key")
		s = foreign.ReplaceAllString(s, "this is not what belongs here$1")
		if m := atLine.FindStringSubmatchIndex(s); m != nil && m[0] == 0 {
			s = s[m[2]:m[3]] + ": " + s[m[1]:]
		} else {
			s = " " + s
		}
		errs = append(errs, errors.New(file+":"+s))
	}
	return errors.Join(errs...)
}

// draft is the page as the content module takes it; stored says which picture of the library a named one has become.
func (p *Page) draft(stored func(picture) string) (content.Draft, error) {
	d := content.Draft{
		Type: post.TypePage, Status: post.Status(p.Status), Slug: p.Slug, Title: p.Title, Excerpt: p.Excerpt,
		Alt: p.Alt, Caption: p.Caption,
		Page: staticpage.Form{Route: edition.Route(p.Route), Layout: p.Layout, Lang: p.Lang},
	}
	if d.Status == "" {
		d.Status = post.StatusPublished
	}
	d.Modified, _ = p.updated() // check has read it
	if w, ok := p.picture(); ok {
		d.Picture = stored(w)
	}
	var err error
	if d.Body, err = htmlOf(p.Body); err != nil {
		return d, err
	}
	for _, b := range p.Blocks {
		out := staticpage.Block{Kind: b.Kind, Title: b.Title}
		if out.HTML, err = htmlOf(b.Body); err != nil {
			return d, err
		}
		for _, it := range b.Items {
			item := staticpage.Item{
				Title: it.Title, Subtitle: it.Subtitle, Date: it.Date, Author: it.Author,
				Email: it.Email, URL: it.URL,
			}
			if item.HTML, err = htmlOf(it.Body); err != nil {
				return d, err
			}
			if w, ok := it.picture(); ok {
				item.Picture = stored(w)
			}
			out.Items = append(out.Items, item)
		}
		d.Page.Blocks = append(d.Page.Blocks, out)
	}
	return d, nil
}
