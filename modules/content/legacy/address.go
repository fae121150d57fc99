// Package legacy is the addresses of the site before this one: an Address is taken apart in the way in which WordPress
// puts addresses together (this file), and found among those that were taken over (store_redirects.go).
//
// Where an address leads is decided in package content. Of modules/content it imports post.
package legacy

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/paper/edition"
)

// Address is a path that is no page here, taken apart in the way in which WordPress puts addresses together.
type Address struct {
	Whole string   // in the form in which old addresses are stored, "" for the front page
	Parts []string // without what WordPress appends to an address: feeds, parts of a list, other forms of a page
	Feed  bool     // it was the feed of what parts name
}

var (
	year  = regexp.MustCompile(`^(19|20)\d\d$`)
	month = regexp.MustCompile(`^(0[1-9]|1[0-2])$`)
	day   = regexp.MustCompile(`^(0[1-9]|[12]\d|3[01])$`)
	// Digits is a number that may be that of a post.
	Digits = regexp.MustCompile(`^\d{1,18}$`)
	// appended is what WordPress takes at the end of any address. None of it changes what the address is about.
	appended = regexp.MustCompile(`/(feed(/(rss2?|rdf|atom))?|amp|embed|trackback|page/\d{1,6}|comment-page-\d{1,6})$`)
)

// bases are first words under which WordPress keeps lists and files; a number below them is never that of a post.
var bases = []string{
	"page", "category", "tag", "author", "feed", "comments", "search", "attachment", "wp-content", "wp-includes",
	"wp-admin", "wp-json",
}

// Parse takes a path apart.
func Parse(path string) Address {
	a := Address{Whole: post.CleanPath(Unescape(path))}
	rest := strings.TrimPrefix(a.Whole, "/index.php")
	for {
		end := appended.FindStringIndex(rest)
		if end == nil {
			break
		}
		a.Feed = a.Feed || strings.HasPrefix(rest[end[0]:], "/feed")
		rest = rest[:end[0]]
	}
	a.Parts = strings.FieldsFunc(rest, func(r rune) bool { return r == '/' })
	return a
}

// Path is the address without what WordPress appends.
func (a Address) Path() string { return "/" + strings.Join(a.Parts, "/") }

// DateParts reports how many parts are the date at the beginning: year and month, and perhaps the day.
func (a Address) DateParts() int {
	switch {
	case len(a.Parts) < 2 || !year.MatchString(a.Parts[0]) || !month.MatchString(a.Parts[1]):
		return 0
	case len(a.Parts) > 2 && day.MatchString(a.Parts[2]):
		return 3
	}
	return 2
}

// Number is the number of a post in the address, 0 for none: the only number, as a whole part, with more behind it.
// What is part of a date, of a list or of a file is none.
func (a Address) Number() (id int64) {
	if len(a.Parts) < 2 || a.DateParts() > 0 || slices.Contains(bases, a.Parts[0]) {
		return 0
	}
	for i, p := range a.Parts {
		if !Digits.MatchString(p) {
			continue
		}
		if id != 0 || i == len(a.Parts)-1 || i > 0 && year.MatchString(p) {
			return 0
		}
		id, _ = strconv.ParseInt(p, 10, 64) // of 18 digits at most
	}
	return id
}

// Stored are the forms in which the address may have been taken over, the most exact one first.
func (a Address) Stored() (paths []string) {
	paths = []string{a.Whole, a.Path()}
	last := len(a.Parts) - 1
	if last > 0 && a.DateParts() != len(a.Parts) && Digits.MatchString(a.Parts[last]) {
		paths = append(paths, "/"+strings.Join(a.Parts[:last], "/")) // a part of a post that has several
	}
	if len(a.Parts) > 0 && len(a.Parts) < 3 && a.DateParts() == 0 && Digits.MatchString(a.Parts[0]) {
		paths = append(paths, "/"+a.Parts[0])
	}
	return post.Unique(slices.DeleteFunc(paths, func(p string) bool { return p == "/" }))
}

// List is the page here for a list of the old site: what stands last names it, whatever it was filed under there.
func (a Address) List(ed *edition.Edition) string {
	if len(a.Parts) < 2 {
		return ""
	}
	last := post.Slug(ed.Lang(), a.Parts[len(a.Parts)-1])
	switch {
	case last == "":
		return ""
	case a.Parts[0] == "category":
		return ed.Href(edition.CategoryPage, last)
	case a.Parts[0] == "tag" && len(a.Parts) == 2:
		return ed.Href(edition.Topic, last)
	case a.Parts[0] == "author" && len(a.Parts) == 2:
		return ed.Href(edition.Author, last)
	}
	return ""
}

// Unescape is a path without percent signs, or as it was where that cannot be.
func Unescape(path string) string {
	if u, err := url.PathUnescape(path); err == nil {
		return u
	}
	return path
}
