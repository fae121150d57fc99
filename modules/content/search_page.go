package content

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/page"
	"example.org/broadsheet/platform/web"
)

const searchAuthors = 10 // authors beside the list

// SearchData is what the search page shows, before a search and after one.
type SearchData struct {
	Term            string      `json:"term"`
	Cards           []SearchHit `json:"cards"`
	Authors         []Byline    `json:"authors"`
	Offset          int         `json:"offset"`
	NextOffset      int         `json:"nextOffset,omitempty"`
	Total           int         `json:"total"`
	Suggestion      string      `json:"suggestion,omitempty"`
	MostSearched    []string    `json:"mostSearched"`
	MostReadAuthors []Byline    `json:"mostReadAuthors"`
	MostRead        []Card      `json:"mostRead,omitempty"` // where there is nothing else to show
}

// SearchHit is a card with the words that were searched for in <mark>; both texts are safe HTML.
type SearchHit struct {
	Card
	TitleMarked string `json:"titleMarked,omitempty"`
	Snippet     string `json:"snippet,omitempty"`
}

// loadSearch is the page before a search. A form that was sent without scripts comes here with its term.
func (m *Module) loadSearch(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	term, err := SearchTerm(r.Query.Get("q"))
	switch {
	case err == nil:
		return &page.Page{Status: http.StatusFound, Redirect: ed.Href(edition.SearchTerm, term), NoStore: true}, nil
	case errors.Is(err, ErrTermTooLong):
		return askAgain(ed, err), nil // nothing to search for: the page asks what to
	}
	d := &SearchData{Cards: []SearchHit{}, Authors: []Byline{}}
	if err := m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) error {
		return m.besideSearch(ctx, tx, t, d)
	}); err != nil {
		return nil, err
	}
	return &page.Page{Data: d, Tags: carrying(nil, d.MostRead), Meta: page.Meta{
		Title:       i18n.T(ed, "content.search.title", nil) + " – " + ed.Name,
		Description: i18n.T(ed, "content.search.description", map[string]any{"Name": ed.Name}),
		Canonical:   ed.URL(ed.Href(edition.Search)),
	}}, nil
}

// loadFound is the page of what was found. It is kept in no cache: terms are as many as anybody can think of, and a
// search that is answered from one would not be counted.
func (m *Module) loadFound(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	term, err := SearchTerm(r.Params["searchSlug"])
	if err != nil {
		return askAgain(ed, err), nil // nothing to search for: the page asks what to
	}
	d := &SearchData{Term: term, Cards: []SearchHit{}, Authors: []Byline{}}
	if q := r.Query.Get("offset"); q != "" {
		if d.Offset, err = strconv.Atoi(q); err != nil || d.Offset < 0 || d.Offset > maxFound {
			return nil, web.ErrNotFound
		}
	}
	err = m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) error {
		f, err := m.findIn(ctx, tx, t, term, searchPage, d.Offset)
		if err != nil {
			return err
		}
		d.show(tx.Edition, f)
		if d.Offset > 0 {
			return nil // more of a list; the rest is there already
		}
		if d.Authors, err = findAuthors(ctx, tx, term); err != nil {
			return err
		}
		d.Authors = names(d.Authors[:min(len(d.Authors), searchAuthors)])
		return m.besideSearch(ctx, tx, t, d)
	})
	if err != nil {
		return nil, err
	}
	if d.Offset > 0 && len(d.Cards) == 0 {
		return nil, web.ErrNotFound
	}
	if d.Offset == 0 && !r.Speculative {
		m.Searched(ctx, term, d.Total)
	}
	return &page.Page{Data: d, NoStore: true, Meta: page.Meta{
		Title: i18n.T(ed, "content.search.found", map[string]any{"Term": term}) + " – " + ed.Name, Robots: "noindex",
		Description: i18n.T(ed, "content.search.description", map[string]any{"Name": ed.Name}),
		Canonical:   ed.URL(ed.Href(edition.SearchTerm, term)),
	}}, nil
}

// askAgain leads to the search page, which says what is wrong with a term where there is one.
func askAgain(ed *edition.Edition, err error) *page.Page {
	to := ed.Href(edition.Search)
	if errors.Is(err, ErrTermTooLong) {
		to = web.WithStatus(to, ErrTermTooLong.Code)
	}
	return &page.Page{Status: http.StatusFound, Redirect: to, NoStore: true}
}

func (d *SearchData) show(ed *edition.Edition, f found) {
	d.Total, d.Suggestion = f.total, f.suggestion
	for _, p := range f.posts {
		title, snippet := f.marked(ed, p)
		d.Cards = append(d.Cards, SearchHit{p.card(ed), typesetHTML(ed, title), typesetHTML(ed, snippet)})
	}
	if next := d.Offset + searchPage; next < f.total {
		d.NextOffset = next
	}
	if d.MostSearched == nil {
		d.MostSearched, d.MostReadAuthors = []string{}, []Byline{}
	}
}

// besideSearch is what stands beside the list, and what is offered where there is none.
func (m *Module) besideSearch(ctx context.Context, tx db.Tx, t *tree, d *SearchData) (err error) {
	list, err := m.mostReadAuthors(ctx, tx, t, searchAuthors)
	if err != nil {
		return err
	}
	d.MostReadAuthors = names(list)
	if d.MostSearched, err = m.mostSearched(ctx, tx); err != nil || len(d.Cards)+len(d.Authors) > 0 {
		return err
	}
	ids, err := findMostRead(ctx, tx, notFoundCards, 0, mostReadDays)
	if err != nil {
		return err
	}
	posts, err := loadPosts(ctx, tx, t, ids)
	d.MostRead = cards(tx.Edition, posts, ids)
	return err
}
