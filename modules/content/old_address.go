package content

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.org/broadsheet/modules/content/feed"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/search"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/web"
)

// oldAddress is a path that is no page here, taken apart in the way in which WordPress puts addresses together.
type oldAddress struct {
	whole string   // in the form in which old addresses are stored, "" for the front page
	parts []string // without what WordPress appends to an address: feeds, parts of a list, other forms of a page
	feed  bool     // it was the feed of what parts name
}

var (
	oldYear  = regexp.MustCompile(`^(19|20)\d\d$`)
	oldMonth = regexp.MustCompile(`^(0[1-9]|1[0-2])$`)
	oldDay   = regexp.MustCompile(`^(0[1-9]|[12]\d|3[01])$`)
	digits   = regexp.MustCompile(`^\d{1,18}$`)
	// appended is what WordPress takes at the end of any address. None of it changes what the address is about.
	appended = regexp.MustCompile(`/(feed(/(rss2?|rdf|atom))?|amp|embed|trackback|page/\d{1,6}|comment-page-\d{1,6})$`)
)

// oldBases are first words under which WordPress keeps lists and files; a number below them is never that of a post.
var oldBases = []string{
	"page", "category", "tag", "author", "feed", "comments", "search", "attachment", "wp-content", "wp-includes",
	"wp-admin", "wp-json",
}

func parseOldAddress(path string) oldAddress {
	a := oldAddress{whole: post.CleanPath(unescaped(path))}
	rest := strings.TrimPrefix(a.whole, "/index.php")
	for {
		end := appended.FindStringIndex(rest)
		if end == nil {
			break
		}
		a.feed = a.feed || strings.HasPrefix(rest[end[0]:], "/feed")
		rest = rest[:end[0]]
	}
	a.parts = strings.FieldsFunc(rest, func(r rune) bool { return r == '/' })
	return a
}

func (a oldAddress) path() string { return "/" + strings.Join(a.parts, "/") }

// dated reports how many parts are the date at the beginning: year and month, and perhaps the day.
func (a oldAddress) dated() int {
	switch {
	case len(a.parts) < 2 || !oldYear.MatchString(a.parts[0]) || !oldMonth.MatchString(a.parts[1]):
		return 0
	case len(a.parts) > 2 && oldDay.MatchString(a.parts[2]):
		return 3
	}
	return 2
}

// number is the number of a post in the address, 0 for none: the only number, as a whole part, with more behind it.
// What is part of a date, of a list or of a file is none.
func (a oldAddress) number() (id int64) {
	if len(a.parts) < 2 || a.dated() > 0 || slices.Contains(oldBases, a.parts[0]) {
		return 0
	}
	for i, p := range a.parts {
		if !digits.MatchString(p) {
			continue
		}
		if id != 0 || i == len(a.parts)-1 || i > 0 && oldYear.MatchString(p) {
			return 0
		}
		id, _ = strconv.ParseInt(p, 10, 64) // of 18 digits at most
	}
	return id
}

// stored are the forms in which the address may have been taken over, the most exact one first.
func (a oldAddress) stored() (paths []string) {
	paths = []string{a.whole, a.path()}
	last := len(a.parts) - 1
	if last > 0 && a.dated() != len(a.parts) && digits.MatchString(a.parts[last]) {
		paths = append(paths, "/"+strings.Join(a.parts[:last], "/")) // a part of a post that has several
	}
	if len(a.parts) > 0 && len(a.parts) < 3 && a.dated() == 0 && digits.MatchString(a.parts[0]) {
		paths = append(paths, "/"+a.parts[0])
	}
	return post.Unique(slices.DeleteFunc(paths, func(p string) bool { return p == "/" }))
}

// list is the page here for a list of the old site: what stands last names it, whatever it was filed under there.
func (a oldAddress) list(ed *edition.Edition) string {
	if len(a.parts) < 2 {
		return ""
	}
	last := post.Slug(ed.Lang(), a.parts[len(a.parts)-1])
	switch {
	case last == "":
		return ""
	case a.parts[0] == "category":
		return ed.Href(edition.CategoryPage, last)
	case a.parts[0] == "tag" && len(a.parts) == 2:
		return ed.Href(edition.Topic, last)
	case a.parts[0] == "author" && len(a.parts) == 2:
		return ed.Href(edition.Author, last)
	}
	return ""
}

// former finds where an address of the site before this one leads; "" where nothing of it is here. Tags are those of
// what it may lead to one day.
func (m *Module) former(ctx context.Context, ed *edition.Edition,
	r *page.Request,
) (to string, tags []string, err error) {
	a := parseOldAddress(r.Path)
	var numbers []int64
	if route, _, known := ed.Routes.Match(r.Path); !known || route == edition.Article || route == edition.ArticleID {
		// No other page of the edition has this address.
		if id := a.number(); id != 0 {
			numbers = append(numbers, id)
		}
	}
	for _, id := range numbers {
		tags = append(tags, post.Tag(id))
	}
	if len(a.parts) == 1 && digits.MatchString(a.parts[0]) {
		if id, err := strconv.ParseInt(a.parts[0], 10, 64); err == nil {
			tags = append(tags, post.Tag(id)) // once it is published, it is there
		}
	}
	if id, err := strconv.ParseInt(r.Query.Get("video-komentar"), 10, 64); err == nil && id > 0 {
		numbers = append(numbers, id)
	}
	found, err := m.oldPost(ctx, a, numbers)
	if err != nil {
		return "", nil, err
	}
	if found != nil {
		return found.Path(ed), append(tags, post.Tag(found.ID)), nil
	}
	author, err := m.oldAuthor(ctx, ed, a)
	if err != nil {
		return "", nil, err
	}
	for _, path := range []string{author, a.list(ed), (&url.URL{Path: a.path()}).EscapedPath()} {
		if path == "" || path == r.Path {
			continue
		}
		tags = append(tags, awaited(ed, path)...)
		if to, err = m.standing(ctx, ed, path, a.feed); err != nil || to != "" {
			return to, tags, err
		}
	}
	return "", tags, nil
}

// oldPost finds the post of an old address: the one that was taken over with it, the one of that day and name, or else
// the first of some numbers that is one of a post; nil when none is.
func (m *Module) oldPost(ctx context.Context, a oldAddress, numbers []int64) (p *post.Post, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		ids := numbers
		id, err := findRedirect(ctx, tx, a.stored())
		if n := a.dated(); err == nil && id == 0 && n > 0 && len(a.parts) == n+1 {
			id, err = findDated(ctx, tx, post.Slug(tx.Edition.Lang(), a.parts[n]), strings.Join(a.parts[:n], "-"))
		}
		if err != nil {
			return err
		}
		if id != 0 {
			ids = []int64{id}
		}
		posts, err := post.Load(ctx, tx, post.NewTree(nil), ids)
		for _, id := range ids {
			if p = posts[id]; p != nil {
				break
			}
		}
		return err
	})
	return p, err
}

// oldAuthor is the page of the author whom the address names as the site before did, "" for nobody.
func (m *Module) oldAuthor(ctx context.Context, ed *edition.Edition, a oldAddress) (path string, err error) {
	if len(a.parts) != 2 || a.parts[0] != "author" {
		return "", nil
	}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		slug, err := findAuthorRedirect(ctx, tx, post.Slug(ed.Lang(), a.parts[1]))
		if slug != "" {
			path = ed.Href(edition.Author, slug)
		}
		return err
	})
	return path, err
}

// standing returns the address of the page that stands at a path, or where wantsFeed that of its feed; "" where there
// is none.
func (m *Module) standing(ctx context.Context, ed *edition.Edition, path string, wantsFeed bool) (string, error) {
	route, params, known := ed.Routes.Match(path)
	source, ours := m.Pages()[route]
	if !known || !ours || route == edition.NotFound {
		return "", nil
	}
	p, err := source.Load(ctx,
		&page.Request{Route: route, Path: path, Params: params, Query: url.Values{}, Tier: page.Anonymous, Speculative: true})
	switch {
	case err != nil && fault.From(err).Kind == fault.NotFound:
		return "", nil
	case err != nil:
		return "", err
	case p.Redirect != "":
		return p.Redirect, nil
	case p.Status >= 400:
		return "", nil
	}
	if wantsFeed {
		switch route {
		case edition.Front:
			return feed.Path, nil
		case edition.CategoryPage:
			return feed.OfCategory(params["categorySlug"]), nil
		case edition.Author:
			return feed.OfAuthor(params["authorSlug"]), nil
		}
	}
	return path, nil
}

// shortAddress finds where one of WordPress' addresses without a path leads: /?p=75, /?page_id=75. "" is for one that
// names nothing; an error of the kind NotFound for a post that is not here.
func (m *Module) shortAddress(ctx context.Context, ed *edition.Edition,
	q url.Values,
) (to string, tags []string, err error) {
	if q.Get("feed") != "" {
		return feed.Path, nil, nil
	}
	if term, err := search.ParseTerm(q.Get("s")); err == nil {
		return ed.Href(edition.SearchTerm, term), nil, nil
	}
	for _, name := range []string{"p", "page_id", "attachment_id"} {
		number := q.Get(name)
		if !digits.MatchString(number) {
			continue
		}
		if to := ed.Redirects["/"+number]; to != "" {
			return to, nil, nil
		}
		p, err := m.oldPost(ctx, oldAddress{whole: "/" + number}, nil)
		if err != nil {
			return "", nil, err
		}
		if p == nil {
			return "", nil, web.ErrNotFound
		}
		return p.Path(ed), []string{post.Tag(p.ID)}, nil
	}
	return "", nil, nil
}

// shortQuery are the parameters of such addresses; spentQuery are all that an address of WordPress may have and that
// say nothing here any more.
var (
	shortQuery = []string{"p", "page_id", "attachment_id", "feed", "s"}
	spentQuery = append([]string{"amp", "cat", "paged", "preview", "replytocom", "share", "nb"}, shortQuery...)
)
