package content

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"example.org/broadsheet/modules/content/feed"
	"example.org/broadsheet/modules/content/legacy"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/search"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/web"
)

// legacyAddress finds where an address of the site before this one leads; "" where nothing of it is here. Tags are
// those of what it may lead to one day.
func (m *Module) legacyAddress(ctx context.Context, ed *edition.Edition,
	r *page.Request,
) (to string, tags []string, err error) {
	a := legacy.Parse(r.Path)
	var numbers []int64
	if route, _, known := ed.Routes.Match(r.Path); !known || route == edition.Article || route == edition.ArticleID {
		// No other page of the edition has this address.
		if id := a.Number(); id != 0 {
			numbers = append(numbers, id)
		}
	}
	for _, id := range numbers {
		tags = append(tags, post.Tag(id))
	}
	if len(a.Parts) == 1 && legacy.Digits.MatchString(a.Parts[0]) {
		if id, err := strconv.ParseInt(a.Parts[0], 10, 64); err == nil {
			tags = append(tags, post.Tag(id)) // once it is published, it is there
		}
	}
	if id, err := strconv.ParseInt(r.Query.Get("video-komentar"), 10, 64); err == nil && id > 0 {
		numbers = append(numbers, id)
	}
	found, err := m.legacyPost(ctx, a, numbers)
	if err != nil {
		return "", nil, err
	}
	if found != nil {
		return found.Path(ed), append(tags, post.Tag(found.ID)), nil
	}
	author, err := m.legacyAuthor(ctx, ed, a)
	if err != nil {
		return "", nil, err
	}
	for _, path := range []string{author, a.List(ed), (&url.URL{Path: a.Path()}).EscapedPath()} {
		if path == "" || path == r.Path {
			continue
		}
		tags = append(tags, tagsOfMissing(ed, path)...)
		if to, err = m.findAddress(ctx, ed, path, a.Feed); err != nil || to != "" {
			return to, tags, err
		}
	}
	return "", tags, nil
}

// legacyPost finds the post of an old address: the one that was taken over with it, the one of that day and name, or
// else the first of some numbers that is one of a post; nil when none is.
func (m *Module) legacyPost(ctx context.Context, a legacy.Address, numbers []int64) (p *post.Post, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		ids := numbers
		id, err := legacy.FindPost(ctx, tx, a.Stored())
		if n := a.DateParts(); err == nil && id == 0 && n > 0 && len(a.Parts) == n+1 {
			id, err = legacy.FindDated(ctx, tx, post.Slug(tx.Edition.Lang(), a.Parts[n]), strings.Join(a.Parts[:n], "-"))
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

// legacyAuthor is the page of the author whom the address names as the site before did, "" for nobody.
func (m *Module) legacyAuthor(ctx context.Context, ed *edition.Edition, a legacy.Address) (path string, err error) {
	if len(a.Parts) != 2 || a.Parts[0] != "author" {
		return "", nil
	}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		slug, err := legacy.FindAuthor(ctx, tx, post.Slug(ed.Lang(), a.Parts[1]))
		if slug != "" {
			path = ed.Href(edition.Author, slug)
		}
		return err
	})
	return path, err
}

// findAddress returns the address of the page that stands at a path, or where wantsFeed that of its feed; "" where
// there is none.
func (m *Module) findAddress(ctx context.Context, ed *edition.Edition, path string, wantsFeed bool) (string, error) {
	route, params, known := ed.Routes.Match(path)
	source, ours := m.Pages()[route]
	if !known || !ours || route == edition.NotFound {
		return "", nil
	}
	p, err := source.Load(ctx, &page.Request{
		Edition: ed, Route: route, Path: path, Params: params, Query: url.Values{}, Tier: page.Anonymous, Speculative: true,
	})
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
		if !legacy.Digits.MatchString(number) {
			continue
		}
		if to := ed.Redirects["/"+number]; to != "" {
			return to, nil, nil
		}
		p, err := m.legacyPost(ctx, legacy.Address{Whole: "/" + number}, nil)
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

// isShortAddress reports whether a parameter of shortQuery with this value can lead to another address.
func isShortAddress(_ *edition.Edition, name, value string) bool {
	switch name {
	case "feed":
		return value != ""
	case "s":
		_, err := search.ParseTerm(value)
		return err == nil
	default:
		return legacy.Digits.MatchString(value)
	}
}
