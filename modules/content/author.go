package content

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/page"
	"example.org/broadsheet/platform/web"
)

const (
	authorPosts  = 20
	authorVideos = 15
)

// AuthorData is what an author's page shows.
type AuthorData struct {
	Author     Byline `json:"author"`
	Cards      []Card `json:"cards"`
	Videos     []Card `json:"videos"`
	Offset     int    `json:"offset"`
	NextOffset int    `json:"nextOffset,omitempty"`
	Next       string `json:"next,omitempty"`
}

// writings are a part of an author's posts, newest first.
type writings struct {
	id       int64
	byline   Byline
	articles []*post
	videos   []*post
	run      run
}

// readAuthor reads an author with a part of the articles and the newest videos; web.ErrNotFound when there is none.
func (m *Module) readAuthor(ctx context.Context, slug string, w Window, videos int) (a writings, err error) {
	err = m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) (err error) {
		if a.id, a.byline, err = findAuthor(ctx, tx, slug); err != nil {
			return err
		}
		if a.run, err = findShelved(ctx, tx, byAuthor, []int64{a.id}, "article", w); err != nil {
			return err
		}
		var clips run
		if videos > 0 {
			if clips, err = findShelved(ctx, tx, byAuthor, []int64{a.id}, "video", Window{Limit: videos}); err != nil {
				return err
			}
		}
		posts, err := loadPosts(ctx, tx, t, slices.Concat(a.run.ids, clips.ids))
		a.articles, a.videos = inOrder(posts, a.run.ids), inOrder(posts, clips.ids)
		return err
	})
	return a, err
}

func (m *Module) loadAuthor(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	w, err := readWindow(r.Query, authorPosts, authorPosts)
	if err != nil {
		return nil, err
	}
	videos := 0
	if w.first() {
		videos = authorVideos
	}
	slug := r.Params["authorSlug"]
	a, err := m.readAuthor(ctx, slug, w, videos)
	if err != nil {
		return nil, err
	}
	if !w.first() && len(a.articles) == 0 {
		return nil, web.ErrNotFound
	}
	d := &AuthorData{
		Author: bylines(ed, []Byline{a.byline})[0], Cards: asCards(ed, a.articles),
		Videos: asCards(ed, a.videos), Offset: w.Offset,
	}
	path := ed.Href(edition.Author, slug)
	d.NextOffset, d.Next = w.following(path, a.run)
	p := &page.Page{Data: d, Tags: carrying([]string{authorTag(slug)}, d.Cards, d.Videos)}
	p.Meta = listMeta(ed, a.byline.Name, a.byline.Bio, w.canonical(ed.URL(path)))
	p.Meta.Type, p.Meta.Image = "profile", shareImage(ed, a.byline.Portrait)
	p.Meta.Feeds = feeds(ed, page.Feed{Title: a.byline.Name + " – " + ed.Name, URL: ed.URL(authorFeed(slug))})
	p.Meta.JSONLD = []any{
		profile(ed, p.Meta, a.byline, cardSteps(ed, d.Cards)),
		breadcrumbs(ed, step{a.byline.Name, ed.URL(path)}),
	}
	return p, nil
}

// loadAuthorWithID answers the address with number and name that the paper has never had: it leads to the page of what
// is not there. It is no move for good, so that nobody remembers it as one.
func (m *Module) loadAuthorWithID(ctx context.Context, _ *page.Request) (*page.Page, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	return &page.Page{Status: http.StatusFound, Redirect: ed.Href(edition.NotFound)}, nil
}

// nameless tells whether an address is that of an author's page without the author, or with a number alone.
func nameless(ed *edition.Edition, path string) bool {
	base, found := strings.CutSuffix(ed.Routes.Path(edition.Author), "/:authorSlug")
	if !found || base == "" {
		return false
	}
	rest, found := strings.CutPrefix(path, base)
	return found && strings.Trim(rest, "/0123456789") == "" && strings.Count(rest, "/") < 2
}
