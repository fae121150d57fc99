// Package staticpage is the form of the pages that an edition keeps about itself, its history or its contacts: what a
// form may hold (this file), at which addresses such pages stand (routes.go), the prices and limits that their texts
// can name (placeholder.go), and how readers get them (shown.go).
//
// The text of a page is sealed in package content as any other. Of modules/content it imports post and markup.
package staticpage

import (
	"fmt"
	"maps"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/language"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/paper/edition"
)

const (
	maxBlocks     = 60
	maxBlockItems = 300
)

// Form is what a post of type page has besides title and text.
type Form struct {
	Route  edition.Route `json:"route,omitempty"`  // whose address it stands at; "": that of its slug
	Layout string        `json:"layout,omitempty"` // one of Layouts; "": running text
	Lang   string        `json:"lang,omitempty"`   // BCP 47, where it is not the edition's
	Blocks []Block       `json:"blocks,omitempty"`
}

// Block is a part of a page that has more form than text.
type Block struct {
	Kind  string `json:"kind"` // one of BlockKinds
	Title string `json:"title,omitempty"`
	HTML  string `json:"html,omitempty"` // sanitised here
	Items []Item `json:"items,omitempty"`
}

// Item is an entry of a block. Which members it may have depends on the kind.
type Item struct {
	Title    string `json:"title"`
	Subtitle string `json:"subtitle,omitempty"`
	HTML     string `json:"html,omitempty"`
	Picture  string `json:"picture,omitempty"` // media id
	Author   string `json:"author,omitempty"`  // slug of the author that it leads to
	Email    string `json:"email,omitempty"`
	URL      string `json:"url,omitempty"`  // path of the edition, or https
	Date     string `json:"date,omitempty"` // 2023-10 or 2023-10-05
}

// Layouts lists what a page can be laid out as, besides running text.
func Layouts() []string {
	out := make([]string, len(Routes))
	for i, r := range Routes {
		out[i] = string(r)
	}
	return out
}

// kinds says which members the entries of each kind of block may have; those with "!" they must have.
var kinds = map[string][]string{
	"text":       nil,
	"timeline":   {"date!", "subtitle", "html"},
	"people":     {"subtitle", "html", "picture", "author", "email"},
	"offices":    {"subtitle", "html!", "email"},
	"principles": {"html!"},
	"positions":  {"subtitle", "html!", "email"},
	"links":      {"url!"},
}

// BlockKinds lists the kinds of blocks.
func BlockKinds() []string { return slices.Sorted(maps.Keys(kinds)) }

// Error is what is wrong with a form, and where.
type Error struct{ Field, Why string }

func (w *Error) Error() string { return w.Field + ": " + w.Why }

func wrong(field, format string, args ...any) error {
	return &Error{field, fmt.Sprintf(format, args...)}
}

// Check checks a page's form and returns it as it is stored.
func Check(t post.Type, f Form) (Form, error) {
	if t != post.TypePage {
		if f.Route != "" || f.Layout != "" || f.Lang != "" || len(f.Blocks) > 0 {
			return f, wrong("route", "only pages have a route, a layout and blocks")
		}
		return Form{}, nil
	}
	if f.Route != "" && !slices.Contains(Routes, f.Route) {
		return f, wrong("route", "%q is none of %s", f.Route, strings.Join(Layouts(), ", "))
	}
	switch {
	case f.Layout == "":
		f.Layout = string(f.Route)
	case f.Layout == "text":
		f.Layout = ""
	case !slices.Contains(Layouts(), f.Layout):
		return f, wrong("layout", "%q is none of text, %s", f.Layout, strings.Join(Layouts(), ", "))
	}
	if f.Lang != "" {
		if _, err := language.Parse(f.Lang); err != nil {
			return f, wrong("lang", "%q is no language such as en or de-AT", f.Lang)
		}
	}
	if len(f.Blocks) > maxBlocks {
		return f, wrong("blocks", "there are more than %d", maxBlocks)
	}
	f.Blocks = slices.Clone(f.Blocks)
	for i := range f.Blocks {
		if err := f.Blocks[i].check(fmt.Sprintf("blocks[%d]", i)); err != nil {
			return f, err
		}
	}
	return f, nil
}

func (b *Block) check(at string) error {
	allowed, known := kinds[b.Kind]
	if !known {
		return wrong(at+".kind", "%q is none of %s", b.Kind, strings.Join(BlockKinds(), ", "))
	}
	b.Title, b.HTML = markup.OneLine(b.Title), markup.Sanitise(b.HTML)
	switch {
	case b.Kind == "text" && b.HTML == "":
		return wrong(at+".html", "a block of text needs one")
	case b.Kind == "text" && len(b.Items) > 0:
		return wrong(at+".items", "a block of text has none")
	case b.Kind != "text" && b.Kind != "positions" && len(b.Items) == 0:
		return wrong(at+".items", "there are none")
	case len(b.Items) > maxBlockItems:
		return wrong(at+".items", "there are more than %d", maxBlockItems)
	case utf8.RuneCountInString(b.Title) > post.MaxTitle:
		return wrong(at+".title", "it is longer than %d characters", post.MaxTitle)
	case len(b.HTML) > markup.MaxBytes:
		return wrong(at+".html", "it is longer than %d bytes", markup.MaxBytes)
	}
	b.Items = slices.Clone(b.Items)
	for i := range b.Items {
		if err := b.Items[i].check(fmt.Sprintf("%s.items[%d]", at, i), b.Kind, allowed); err != nil {
			return err
		}
	}
	return nil
}

func (it *Item) check(at, kind string, allowed []string) error {
	it.Title, it.Subtitle, it.HTML = markup.OneLine(it.Title), markup.OneLine(it.Subtitle), markup.Sanitise(it.HTML)
	if it.Title == "" {
		return wrong(at+".title", "it is empty")
	}
	for _, m := range []struct{ name, value string }{
		{"subtitle", it.Subtitle},
		{"html", it.HTML},
		{"picture", it.Picture},
		{"author", it.Author},
		{"email", it.Email},
		{"url", it.URL},
		{"date", it.Date},
	} {
		switch {
		case m.value == "" && slices.Contains(allowed, m.name+"!"):
			return wrong(at+"."+m.name, "an entry of %s needs it", kind)
		case m.value != "" && !slices.Contains(allowed, m.name) && !slices.Contains(allowed, m.name+"!"):
			return wrong(at+"."+m.name, "an entry of %s has none", kind)
		}
	}
	switch {
	case max(utf8.RuneCountInString(it.Title), utf8.RuneCountInString(it.Subtitle)) > post.MaxTitle:
		return wrong(at+".title", "title or subtitle is longer than %d characters", post.MaxTitle)
	case len(it.HTML) > markup.MaxBytes:
		return wrong(at+".html", "it is longer than %d bytes", markup.MaxBytes)
	case it.Email != "" && !isAddress(it.Email):
		return wrong(at+".email", "%q is no e-mail address", it.Email)
	case it.URL != "" && !isLink(it.URL):
		return wrong(at+".url", "%q is neither a path such as /search nor an https address", it.URL)
	case it.Date != "" && !isMonth(it.Date):
		return wrong(at+".date", "%q is no date such as 2023-10 or 2023-10-05", it.Date)
	}
	return nil
}

func isAddress(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s
}

func isLink(s string) bool {
	u, err := url.Parse(s)
	if err != nil {
		return false
	}
	if u.Scheme == "https" {
		return u.Host != "" && u.User == nil
	}
	return u.Scheme == "" && u.Host == "" && strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "//") &&
		!strings.ContainsAny(s, "\\ ")
}

func isMonth(s string) bool {
	for _, layout := range []string{"2006-01", time.DateOnly} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

// Pictures are the media ids that a form names.
func (f Form) Pictures() (ids []string) {
	for _, b := range f.Blocks {
		for _, it := range b.Items {
			if it.Picture != "" {
				ids = append(ids, it.Picture)
			}
		}
	}
	return ids
}

// Authors are the slugs that a form leads to.
func (f Form) Authors() (slugs []string) {
	for _, b := range f.Blocks {
		for _, it := range b.Items {
			if it.Author != "" {
				slugs = append(slugs, it.Author)
			}
		}
	}
	return post.Unique(slugs)
}
