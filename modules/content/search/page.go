package search

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/typography"
	"example.org/broadsheet/platform/web"
)

const (
	// MaxAuthors stand beside the list.
	MaxAuthors = 10
	// Where nothing was found, some of what was read most is offered.
	emptyCards = 6
	emptyDays  = 3
)

// PageData is what the search page shows, before a search and after one.
type PageData struct {
	Term            string        `json:"term"`
	Cards           []Hit         `json:"cards"`
	Authors         []post.Byline `json:"authors"`
	Offset          int           `json:"offset"`
	NextOffset      int           `json:"nextOffset,omitempty"`
	Total           int           `json:"total"`
	Suggestion      string        `json:"suggestion,omitempty"`
	MostSearched    []string      `json:"mostSearched"`
	MostReadAuthors []post.Byline `json:"mostReadAuthors"`
	MostRead        []post.Card   `json:"mostRead,omitempty"` // where there is nothing else to show
}

// Hit is a card with the words that were searched for in <mark>; both texts are safe HTML.
type Hit struct {
	post.Card
	TitleMarked string `json:"titleMarked,omitempty"`
	Snippet     string `json:"snippet,omitempty"`
}

// LoadPage is the page before a search. A form that was sent without scripts comes here with its term.
func (en *Engine) LoadPage(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	term, err := ParseTerm(r.Query.Get("q"))
	switch {
	case err == nil:
		return &page.Page{Status: http.StatusFound, Redirect: ed.Href(edition.SearchTerm, term), NoStore: true}, nil
	case errors.Is(err, ErrTermTooLong):
		return askAgain(ed, err), nil // nothing to search for: the page asks what to
	}
	d := &PageData{Cards: []Hit{}, Authors: []post.Byline{}}
	if err := post.Read(ctx, en.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		return en.besideSearch(ctx, tx, t, d)
	}); err != nil {
		return nil, err
	}
	return &page.Page{Data: d, Tags: post.WithCardTags(nil, d.MostRead), Meta: page.Meta{
		Title:       i18n.T(ed, "content.search.title", nil) + " – " + ed.Name,
		Description: i18n.T(ed, "content.search.description", map[string]any{"Name": ed.Name}),
		Canonical:   ed.URL(ed.Href(edition.Search)),
	}}, nil
}

// FoundTier counts what is searched for, also where the page is kept; it is the same for all readers.
func (en *Engine) FoundTier(ctx context.Context, r *page.Request) (page.Tier, error) {
	if term, err := ParseTerm(r.Params["searchSlug"]); err == nil && r.Query.Get("offset") == "" && !r.Speculative {
		en.Searched(ctx, term)
	}
	if session.ReaderID(ctx) != 0 {
		return page.Member, nil
	}
	return page.Anonymous, nil
}

// keptParts are how many parts of a list are kept: hardly two readers turn to those behind them.
const keptParts = 10

// LoadFound is the page of what was found. It is kept for a short time, since terms are as many as anybody can think
// of.
func (en *Engine) LoadFound(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	term, err := ParseTerm(r.Params["searchSlug"])
	if err != nil {
		return askAgain(ed, err), nil // nothing to search for: the page asks what to
	}
	d := &PageData{Term: term, Cards: []Hit{}, Authors: []post.Byline{}}
	if q := r.Query.Get("offset"); q != "" {
		if d.Offset, err = strconv.Atoi(q); err != nil || d.Offset < 0 || d.Offset > maxFound {
			return nil, web.ErrNotFound
		}
	}
	err = post.Read(ctx, en.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		f, err := en.findIn(ctx, tx, t, term, PageSize, d.Offset)
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
		d.Authors = post.ShortBylines(d.Authors[:min(len(d.Authors), MaxAuthors)])
		return en.besideSearch(ctx, tx, t, d)
	})
	if err != nil {
		return nil, err
	}
	if d.Offset > 0 && len(d.Cards) == 0 {
		return nil, web.ErrNotFound
	}
	if d.Offset == 0 && !r.Speculative {
		en.count(ctx, term, d.Total)
	}
	shown := d.MostRead
	for _, c := range d.Cards {
		shown = append(shown, c.Card)
	}
	return &page.Page{
		Data: d, NoStore: d.Offset > keptParts*PageSize, Until: en.db.Now().Add(Kept),
		Tags: post.WithCardTags([]string{post.FrontTag}, shown), Meta: page.Meta{
			Title: i18n.T(ed, "content.search.found", map[string]any{"Term": term}) + " – " + ed.Name, Robots: "noindex",
			Description: i18n.T(ed, "content.search.description", map[string]any{"Name": ed.Name}),
			Canonical:   ed.URL(ed.Href(edition.SearchTerm, term)),
		},
	}, nil
}

// askAgain leads to the search page, which says what is wrong with a term where there is one.
func askAgain(ed *edition.Edition, err error) *page.Page {
	to := ed.Href(edition.Search)
	if errors.Is(err, ErrTermTooLong) {
		to = web.WithStatus(to, ErrTermTooLong.Code)
	}
	return &page.Page{Status: http.StatusFound, Redirect: to, NoStore: true}
}

func (d *PageData) show(ed *edition.Edition, f found) {
	d.Total, d.Suggestion = f.total, f.suggestion
	for _, p := range f.posts {
		title, snippet := f.marked(ed, p)
		c := p.Card(ed)
		if snippet != "" {
			c.Excerpt = "" // the snippet stands in its place
		}
		d.Cards = append(d.Cards, Hit{c, typography.HTML(ed.IntlLocale, title), typography.HTML(ed.IntlLocale, snippet)})
	}
	if next := d.Offset + PageSize; next < f.total {
		d.NextOffset = next
	}
	if d.MostSearched == nil {
		d.MostSearched, d.MostReadAuthors = []string{}, []post.Byline{}
	}
}

// besideSearch is what stands beside the list, and what is offered where there is none.
func (en *Engine) besideSearch(ctx context.Context, tx db.Tx, t *post.Tree, d *PageData) (err error) {
	list, err := en.mostReadAuthors(ctx, tx, t, MaxAuthors)
	if err != nil {
		return err
	}
	d.MostReadAuthors = post.ShortBylines(list)
	if d.MostSearched, err = en.mostSearched(ctx, tx); err != nil || len(d.Cards)+len(d.Authors) > 0 {
		return err
	}
	ids, err := post.MostRead(ctx, tx, emptyCards, 0, emptyDays)
	if err != nil {
		return err
	}
	posts, err := post.Load(ctx, tx, t, ids)
	d.MostRead = post.CardsByID(tx.Edition, posts, ids)
	return err
}
