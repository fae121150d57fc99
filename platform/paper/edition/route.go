package edition

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// Route is the stable name of a page. Addresses differ by edition, routes never do.
type Route string

// The closed list of routes.
const (
	Front          Route = "front"
	CategoryPage   Route = "category"
	CategoryWithID Route = "categoryWithId"
	TopicIndex     Route = "topicIndex"
	Topic          Route = "topic"
	Minutes        Route = "minutes"
	Videos         Route = "videos"
	Search         Route = "search"
	SearchTerm     Route = "searchTerm"
	AuthorWithID   Route = "authorWithId"
	Author         Route = "author"
	Account        Route = "account"
	Registration   Route = "registration"
	Login          Route = "login"
	Sent           Route = "sent"
	Profile        Route = "profile"
	Focus          Route = "focus"
	Invoice        Route = "invoice"
	Logout         Route = "logout"
	EmailChange    Route = "emailChange"
	SecurityCheck  Route = "securityCheck"
	ConsentPage    Route = "consent"
	Sale           Route = "sale"
	PaymentSuccess Route = "paymentSuccess"
	PaymentFailure Route = "paymentFailure"
	Static         Route = "static"
	ArticleID      Route = "articleId"
	Article        Route = "article"
	Career         Route = "career"
	Contacts       Route = "contacts"
	History        Route = "history"
	Principles     Route = "principles"
	Organisation   Route = "organisation"
	Company        Route = "company"
	Christmas      Route = "christmas"
	Discussion     Route = "discussion"
	Newsletters    Route = "newsletters"
	NewsletterStep Route = "newsletterStep"
	NotFound       Route = "notFound"
)

var standard = map[Route]string{
	Front:          "/",
	CategoryPage:   "/category/:categorySlug",
	CategoryWithID: "/category/:categoryId/:categorySlug",
	TopicIndex:     "/tema",
	Topic:          "/tema/:tagSlug",
	Minutes:        "/minuta",
	Videos:         "/videa",
	Search:         "/search",
	SearchTerm:     "/search/:searchSlug",
	AuthorWithID:   "/author/:authorId/:authorSlug",
	Author:         "/author/:authorSlug",
	Account:        "/account",
	Registration:   "/account/registration",
	Login:          "/account/login",
	Sent:           "/account/sent",
	Profile:        "/account/profile",
	Focus:          "/account/focus",
	Invoice:        "/account/invoice/:invoiceId",
	Logout:         "/account/logout",
	EmailChange:    "/account/email",
	SecurityCheck:  "/security-check",
	ConsentPage:    "/account/consent",
	Sale:           "/account/:saleStep", // coupon, campaign, gift, withdrawal
	PaymentSuccess: "/payment/success",
	PaymentFailure: "/payment/failure",
	Static:         "/static/:articleSlug",
	ArticleID:      "/:articleId",
	Article:        "/:articleId/:articleSlug",
	Career:         "/kariera",
	Contacts:       "/kontakty",
	History:        "/historia",
	Principles:     "/nase-principy",
	Organisation:   "/organizacia",
	Company:        "/firma",
	Christmas:      "/vianoce",
	Discussion:     "/discussion/:discussionSlug",
	Newsletters:    "/newsletters",
	NewsletterStep: "/newsletters/:step", // sent, confirm, settings, leave
	NotFound:       "/404",
}

var german = map[Route]string{
	TopicIndex:   "/topic",
	Topic:        "/topic/:tagSlug",
	Minutes:      "/minutes",
	Videos:       "/videos",
	Company:      "/company",
	Organisation: "/organisation",
	Principles:   "/our-principles",
	Contacts:     "/contact",
	History:      "/history",
	Career:       "/karriere",
	Christmas:    "",
}

var routeSets = map[string]map[Route]string{
	"standard":     standard,
	"standard_at":  over(standard, german),
	"standard_com": over(standard, german),
}

func over(base, top map[Route]string) map[Route]string {
	m := maps.Clone(base)
	maps.Copy(m, top)
	return m
}

// RouteSets lists the names of the sets that ship.
func RouteSets() []string { return slices.Sorted(maps.Keys(routeSets)) }

// Table maps routes to path patterns and paths to routes. A pattern's segments are
// literals or ":name"; "articleId" and the other "…Id" parameters take digits only.
type Table struct {
	paths    map[Route]string
	patterns []pattern // most specific first
}

type pattern struct {
	route    Route
	segments []string
}

// NewTable builds the table of a route set with an edition's overrides ("" removes a page).
func NewTable(set string, overrides map[string]string) (*Table, error) {
	base, ok := routeSets[set]
	if !ok {
		return nil, fmt.Errorf("route_set: %q is none of %s", set, strings.Join(RouteSets(), ", "))
	}
	paths := maps.Clone(base)
	known := map[string]Route{}
	for r := range standard {
		known[strings.ToLower(string(r))] = r // viper lower-cases keys
	}
	for name, p := range overrides {
		r, ok := known[strings.ToLower(name)]
		if !ok {
			return nil, fmt.Errorf("paths.%s: there is no such route", name)
		}
		if err := checkPattern(p, standard[r]); err != nil {
			return nil, fmt.Errorf("paths.%s: %w", name, err)
		}
		paths[r] = p
	}
	for _, r := range []Route{
		Front, CategoryPage, Article, ArticleID, Account, Login, Registration, Sent, SecurityCheck,
		ConsentPage, PaymentSuccess, PaymentFailure, Static, NotFound,
	} {
		if paths[r] == "" {
			return nil, fmt.Errorf("paths.%s: this page cannot be left out", r)
		}
	}
	t := &Table{paths: paths}
	shapes := map[string]Route{}
	for r, p := range paths {
		if p == "" {
			continue
		}
		s := segments(p)
		shape := strings.Join(shapeOf(s), "/")
		if other, dup := shapes[shape]; dup {
			return nil, fmt.Errorf("paths.%s: %q is the address of %s too", max(r, other), p, min(r, other))
		}
		shapes[shape] = r
		t.patterns = append(t.patterns, pattern{r, s})
	}
	slices.SortFunc(t.patterns, func(a, b pattern) int {
		return slices.Compare(specificity(a.segments), specificity(b.segments))
	})
	return t, nil
}

// checkPattern wants a local path with exactly the parameters of the original.
func checkPattern(p, original string) error {
	if p == "" {
		return nil
	}
	if !strings.HasPrefix(p, "/") || strings.Contains(p, "//") || strings.ContainsAny(p, "?#\\ %") ||
		(p != "/" && strings.HasSuffix(p, "/")) {
		return fmt.Errorf("%q is not a path such as /topic/:tagSlug", p)
	}
	if a, b := params(p), params(original); !slices.Equal(a, b) {
		return fmt.Errorf("%q must have the parameters %v, it has %v", p, b, a)
	}
	return nil
}

func segments(p string) []string {
	p = strings.Trim(p, "/")
	if p == "" {
		return nil
	}
	return strings.Split(p, "/")
}

func params(p string) (names []string) {
	for _, s := range segments(p) {
		if strings.HasPrefix(s, ":") {
			names = append(names, s[1:])
		}
	}
	slices.Sort(names)
	return names
}

// digits reports whether a parameter takes a number only.
func digits(param string) bool {
	return strings.HasSuffix(param, "Id") && param != ":invoiceId"
}

func shapeOf(s []string) []string {
	out := slices.Clone(s)
	for i, v := range out {
		switch {
		case digits(v) && strings.HasPrefix(v, ":"):
			out[i] = ":digits"
		case strings.HasPrefix(v, ":"):
			out[i] = ":any"
		}
	}
	return out
}

// specificity orders literals before numbers before free parameters, segment by segment.
func specificity(s []string) []int {
	out := make([]int, 0, len(s)+1)
	out = append(out, len(s))
	for _, v := range shapeOf(s) {
		switch v {
		case ":any":
			out = append(out, 2)
		case ":digits":
			out = append(out, 1)
		default:
			out = append(out, 0)
		}
	}
	return out
}

// Match finds the route of an escaped path; a trailing slash is no difference. Without a match ok is false.
func (t *Table) Match(path string) (r Route, ps map[string]string, ok bool) {
	segs := segments(path)
	for _, p := range t.patterns {
		if ps, ok := p.match(segs); ok {
			return p.route, ps, true
		}
	}
	return NotFound, nil, false
}

func (p pattern) match(segs []string) (map[string]string, bool) {
	if len(segs) != len(p.segments) {
		return nil, false
	}
	var ps map[string]string
	for i, want := range p.segments {
		if !strings.HasPrefix(want, ":") {
			if segs[i] != want {
				return nil, false
			}
			continue
		}
		v, err := url.PathUnescape(segs[i])
		if err != nil || v == "" || (digits(want) && !isNumber(v)) {
			return nil, false
		}
		if ps == nil {
			ps = map[string]string{}
		}
		ps[want[1:]] = v
	}
	return ps, true
}

func isNumber(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(s) > 0 && len(s) <= 18
}

// Fold returns a path that no pattern matches, with its fixed words in the case of the pattern that it would match; any
// other path as it is.
func (t *Table) Fold(path string) string {
	if _, _, ok := t.Match(path); ok {
		return path
	}
	segs := segments(path)
	for _, p := range t.patterns {
		if len(p.segments) != len(segs) {
			continue
		}
		folded := slices.Clone(segs)
		for i, want := range p.segments {
			if strings.EqualFold(segs[i], want) {
				folded[i] = want
			}
		}
		if _, ok := p.match(folded); ok {
			return "/" + strings.Join(folded, "/")
		}
	}
	return path
}

// Path returns the pattern of a route, or "" when this edition has no such page.
func (t *Table) Path(r Route) string { return t.paths[r] }

// Paths returns all patterns by route; "" marks an absent page.
func (t *Table) Paths() map[Route]string { return maps.Clone(t.paths) }

// Href fills a route's parameters in the order of its pattern, or returns "" when the page is absent.
func (t *Table) Href(r Route, values ...string) string {
	p := t.paths[r]
	if p == "" || !strings.Contains(p, ":") {
		return p
	}
	segs := segments(p)
	for i, s := range segs {
		if strings.HasPrefix(s, ":") {
			if len(values) == 0 {
				return ""
			}
			segs[i] = url.PathEscape(values[0])
			values = values[1:]
		}
	}
	return "/" + strings.Join(segs, "/")
}
