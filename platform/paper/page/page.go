// Package page is the contract between a module that knows what a page holds and
// the server that renders, caches and answers it. The function that loads a page for
// the server is the one that answers the browser's call on navigation.
package page

import (
	"context"
	"net/url"
	"time"

	"example.org/broadsheet/platform/paper/edition"
)

// Tier is what a cached page was made for. A page of one tier never holds what
// another tier may not read, and never anything personal.
type Tier string

// The tiers.
const (
	Anonymous Tier = "anonymous" // nobody is signed in
	Member    Tier = "member"    // signed in, no right to this page's locked text
	// May read all that the page holds: by a subscription, on any page, or one article by a credit.
	Entitled Tier = "entitled"
)

// Request asks for one page.
type Request struct {
	Edition *edition.Edition // that of the context
	Route   edition.Route
	Path    string            // "/politika/…", without the query
	Params  map[string]string // by name of the path pattern, unescaped
	Query   url.Values        // only the parameters that the source lists
	Tier    Tier
	// Speculative marks a prefetch: it must not cost the reader anything.
	Speculative bool
	// Automated marks a crawler: it reads, and is no reader.
	Automated bool
	// InApp names the app in whose built-in browser the page is asked for ("Instagram"), or is "". Only a Personal source
	// learns it: every other page is kept, and the same for all browsers.
	InApp string
	// RawQuery is the whole query, also what the source does not list, for the same reason of a Personal source alone.
	RawQuery string
}

// Page is the answer. JSON names are the wire form that browser and renderer get.
type Page struct {
	Route  edition.Route     `json:"route"`
	URL    string            `json:"url"`
	Status int               `json:"status"`
	Params map[string]string `json:"params"`
	Tier   Tier              `json:"tier"`
	Today  string            `json:"today"` // the edition's calendar day when it was made, "2026-11-21"
	Meta   Meta              `json:"meta"`
	Data   any               `json:"data"`
	Reader int64             `json:"reader,omitempty"` // the page was made for this reader alone; the server sets it
	Unsent any               `json:"unsent,omitempty"` // a form that this reader could not send; the server sets it
	Video  any               `json:"video,omitempty"`  // the card of the video that the address lays over the page

	Redirect string   `json:"-"` // path or URL; Status then is 301, 302 or 308
	Tags     []string `json:"-"` // what invalidates a cached copy: "post:17", "category:politika", "front"
	NoStore  bool     `json:"-"` // personal or of the moment: never cached
	// When it stops being right by itself, before the day ends that it calls today; zero for never.
	Until   time.Time `json:"-"`
	Preload *Image    `json:"-"` // the picture to fetch first
	// Path to go on to after five seconds where there are no scripts; those do it by themselves.
	Refresh string `json:"-"`
}

// Meta is a page's metadata; Go alone writes it, renderer and browser print it.
type Meta struct {
	Title       string      `json:"title"`
	Description string      `json:"description"`
	Canonical   string      `json:"canonical"`
	Robots      string      `json:"robots,omitempty"`
	Type        string      `json:"type,omitempty"` // og:type, "website" unless told
	Image       *Image      `json:"image,omitempty"`
	Alternates  []Alternate `json:"alternates,omitempty"`
	Published   string      `json:"published,omitempty"` // RFC 3339
	Modified    string      `json:"modified,omitempty"`  // RFC 3339
	Section     string      `json:"-"`                   // of an article
	Feeds       []Feed      `json:"-"`
	JSONLD      []any       `json:"-"`
}

// Image is a picture of the page.
type Image struct {
	URL    string `json:"url"`
	Width  int    `json:"width,omitempty"`
	Height int    `json:"height,omitempty"`
	Alt    string `json:"alt,omitempty"`
	SrcSet string `json:"-"` // for the preload header
	Sizes  string `json:"-"`
}

// Alternate is the same page in another language.
type Alternate struct {
	Lang string `json:"lang"`
	URL  string `json:"url"`
}

// Feed is a feed of the page's stories.
type Feed struct{ Title, URL string }

// Video is a video that an address can lay over any page.
type Video struct {
	Card   any
	URL    string // of its own page
	Locked bool   // it is played on its own page alone, to those who may see it
	Tag    string // as in Page.Tags
}

// Source is one route's pages.
type Source struct {
	// Load builds the page. It runs once per cache entry.
	Load func(context.Context, *Request) (*Page, error)
	// Tier says, before the cache is asked, which tier this visitor gets; it is the place
	// where a credit is spent. Nil: Anonymous for visitors, Member for readers. A Member who subscribes is Entitled on
	// every page.
	Tier func(context.Context, *Request) (Tier, error)
	// Query lists the query parameters that the page depends on.
	Query []string
	// Value reports whether a value of such a parameter changes the page: any other is as good as none. If it is nil,
	// every value does.
	Value func(ed *edition.Edition, name, value string) bool
	// Spent lists those of Query that a redirect has used up: they do not go along to its target, as all others do.
	Spent []string
	// Personal marks pages that tell one reader something. Their answers are never kept, and shared with no other request,
	// not even one of the same moment.
	Personal bool
	// PersonalToReaders is Personal for those who are signed in; visitors share one answer.
	PersonalToReaders bool
}

// Sources maps routes to what fills them.
type Sources map[edition.Route]Source

// Redirect answers with another address for good (301).
func Redirect(to string) *Page { return &Page{Status: 301, Redirect: to} }

// LoginFirst sends a visitor to the login, which leads back to the page; a message goes along.
func LoginFirst(ed *edition.Edition, r *Request) *Page {
	back, err := url.ParseQuery(r.RawQuery)
	if err != nil {
		back = url.Values{} // a query that nobody can read leads nowhere
	}
	back.Del("status")
	to, q := r.Path, url.Values{}
	if len(back) > 0 {
		to += "?" + back.Encode()
	}
	q.Set("referrer", to)
	if status := r.Query.Get("status"); status != "" {
		q.Set("status", status)
	}
	return &Page{Status: 302, Redirect: ed.Href(edition.Login) + "?" + q.Encode(), NoStore: true}
}
