package content

import (
	"context"
	"net/http"
	"strings"

	"example.org/broadsheet/modules/content/feed"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/seo"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/web"
)

const (
	authorPosts  = 20
	authorVideos = 15
)

// AuthorData is what an author's page shows.
type AuthorData struct {
	Author     post.Byline `json:"author"`
	Cards      []post.Card `json:"cards"`
	Videos     []post.Card `json:"videos"`
	Offset     int         `json:"offset"`
	NextOffset int         `json:"nextOffset,omitempty"`
	Next       string      `json:"next,omitempty"`
}

func (m *Module) loadAuthor(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	w, err := post.ReadWindow(r.Query, authorPosts, authorPosts)
	if err != nil {
		return nil, err
	}
	videos := 0
	if w.First() {
		videos = authorVideos
	}
	slug := r.Params["authorSlug"]
	a, err := post.ReadAuthor(ctx, m.db, slug, w, videos)
	if err != nil {
		return nil, err
	}
	if !w.First() && len(a.Articles) == 0 {
		return nil, web.ErrNotFound
	}
	d := &AuthorData{
		Author: bylines(ed, []post.Byline{a.Byline})[0], Cards: post.CardsOf(ed, a.Articles),
		Videos: post.CardsOf(ed, a.Videos), Offset: w.Offset,
	}
	path := ed.Href(edition.Author, slug)
	d.NextOffset, d.Next = w.Next(path, a.Part)
	p := &page.Page{Data: d, Tags: post.WithCardTags([]string{post.AuthorTag(slug)}, d.Cards, d.Videos)}
	p.Meta = seo.ListMeta(ed, a.Byline.Name, a.Byline.Bio, w.Canonical(ed.URL(path)))
	p.Meta.Type, p.Meta.Image = "profile", seo.ShareImage(ed, a.Byline.Portrait)
	p.Meta.Feeds = feeds(ed, page.Feed{Title: a.Byline.Name + " – " + ed.Name, URL: ed.URL(feed.OfAuthor(slug))})
	p.Meta.JSONLD = []any{
		seo.Profile(ed, p.Meta, a.Byline, seo.CardSteps(ed, d.Cards)),
		seo.Breadcrumbs(ed, seo.Step{Name: a.Byline.Name, URL: ed.URL(path)}),
	}
	return p, nil
}

// loadAuthorWithID answers the address with number and name that the paper has never had: it leads to the page of what
// is not there. It is no move for good, so that nobody remembers it as one.
func (m *Module) loadAuthorWithID(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	return &page.Page{Status: http.StatusFound, Redirect: ed.Href(edition.NotFound)}, nil
}

// isAuthorless reports whether an address is that of an author's page without the author, or with a number alone.
func isAuthorless(ed *edition.Edition, path string) bool {
	base, found := strings.CutSuffix(ed.Routes.Path(edition.Author), "/:authorSlug")
	if !found || base == "" {
		return false
	}
	rest, found := strings.CutPrefix(path, base)
	return found && strings.Trim(rest, "/0123456789") == "" && strings.Count(rest, "/") < 2
}
