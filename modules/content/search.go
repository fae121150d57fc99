package content

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/maypok86/otter/v2"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/stem"
	"example.org/broadsheet/platform/web"
)

const (
	searchPage = 52
	maxFound   = 1000 // posts that one search finds, the newest; more nobody turns to
	maxTerm    = 200  // runes
	maxWords   = 12   // of a term that are searched for

	mostReadAuthorDays = 7
)

// ErrTermTooLong is a search for more than maxTerm characters.
var ErrTermTooLong = fault.New(fault.Malformed, "SEARCH_TOO_LONG").On("term") // params: max

// SearchTerm is what is searched for: trimmed, in lower case, without question marks. A term with nothing in it is
// web.ErrInvalidArgs on "term", one that is too long ErrTermTooLong.
func SearchTerm(text string) (string, error) {
	term := oneLine(strings.ToLower(strings.ReplaceAll(text, "?", "")))
	switch {
	case term == "":
		return "", web.ErrInvalidArgs.On("term").Becausef("there is nothing to search for in %q", text)
	case utf8.RuneCountInString(term) > maxTerm:
		return "", ErrTermTooLong.With("max", maxTerm)
	}
	return term, nil
}

// found is a page of what a search finds.
type found struct {
	query      searchQuery
	posts      []*post
	texts      map[int64]string // public text, by post
	total      int
	suggestion string
}

// find searches for a term.
func (m *Module) find(ctx context.Context, term string, limit, offset int) (f found, err error) {
	err = m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) error {
		f, err = m.findIn(ctx, tx, t, term, limit, offset)
		return err
	})
	return f, err
}

func (m *Module) findIn(ctx context.Context, tx db.Tx, t *tree, term string, limit, offset int) (f found, err error) {
	f.query = parseQuery(tx.Edition.Lang(), term)
	if f.query.empty() || offset >= maxFound {
		return f, nil
	}
	ids, total, err := findPosts(ctx, tx, f.query, min(limit, maxFound-offset), offset)
	if err != nil {
		return f, err
	}
	if f.total = total; len(ids) == 0 {
		if offset == 0 {
			f.suggestion, err = suggest(ctx, tx, f.query)
		}
		return f, err
	}
	posts, err := loadPosts(ctx, tx, t, ids)
	if err != nil {
		return f, err
	}
	f.posts = inOrder(posts, ids)
	f.texts, err = loadTexts(ctx, tx, ids)
	return f, err
}

// FoundEntity is a post that a search has found.
type FoundEntity struct {
	Entity
	TitleMarked string `json:"title_marked,omitempty"`
	Snippet     string `json:"snippet,omitempty"`
}

// Search returns posts that hold all words of a term, the best first, how many there are (at most 1000), and where
// there is none, what may have been meant. The term is one of SearchTerm.
func (m *Module) Search(ctx context.Context, term string, limit,
	offset int,
) (list []FoundEntity, total int, suggestion string, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, 0, "", err
	}
	f, err := m.find(ctx, term, limit, offset)
	list = make([]FoundEntity, len(f.posts))
	for i, p := range f.posts {
		title, snippet := f.marked(ed, p)
		list[i] = FoundEntity{p.entity(ed), title, snippet}
	}
	return list, f.total, f.suggestion, err
}

// SearchAuthors returns the authors whose names hold all words of a term, in order of their names.
func (m *Module) SearchAuthors(ctx context.Context, term string, limit, offset int) ([]EntityAuthor, error) {
	var list []Byline
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = findAuthors(ctx, tx, term)
		return err
	})
	return authorEntities(list[min(offset, len(list)):min(offset+limit, len(list))]), err
}

// findAuthors compares names with a term in Go: a paper has hundreds of authors, not thousands.
func findAuthors(ctx context.Context, tx db.Tx, term string) ([]Byline, error) {
	lang := tx.Edition.Lang()
	wanted := stem.Tokens(lang, term)
	if len(wanted) == 0 {
		return nil, nil
	}
	writers, err := findWriters(ctx, tx)
	if err != nil {
		return nil, err
	}
	var list []Byline
	for _, w := range writers {
		if isCalled(stem.Tokens(lang, w.Name), wanted) {
			list = append(list, w)
		}
	}
	return list, nil
}

// isCalled tells whether every wanted word is a name, one of its cases, or its beginning.
func isCalled(name, wanted []stem.Token) bool {
	for _, w := range wanted {
		if !slices.ContainsFunc(name, func(n stem.Token) bool {
			return strings.HasPrefix(n.Folded, w.Folded) || n.Stem != "" && n.Stem == w.Stem
		}) {
			return false
		}
	}
	return true
}

func authorEntities(list []Byline) []EntityAuthor {
	out := make([]EntityAuthor, len(list))
	for i, b := range list {
		out[i] = b.entity()
	}
	return out
}

// MostReadAuthors returns the authors of the most read posts of the last week, the one of the most read first.
func (m *Module) MostReadAuthors(ctx context.Context, limit int) ([]EntityAuthor, error) {
	var list []Byline
	err := m.read(ctx, func(ctx context.Context, tx db.Tx, t *tree) (err error) {
		list, err = m.mostReadAuthors(ctx, tx, t, limit)
		return err
	})
	return authorEntities(list), err
}

// mostReadAuthors is read once a minute.
func (m *Module) mostReadAuthors(ctx context.Context, tx db.Tx, t *tree, limit int) ([]Byline, error) {
	list, err := m.writers.Get(ctx, tx.Edition.ID,
		otter.LoaderFunc[string, []Byline](func(ctx context.Context, _ string) ([]Byline, error) {
			return findMostReadAuthors(ctx, tx, t)
		}))
	return slices.Clone(list[:min(limit, len(list))]), err
}

func findMostReadAuthors(ctx context.Context, tx db.Tx, t *tree) ([]Byline, error) {
	ids, err := findMostRead(ctx, tx, maxPerPage, 0, mostReadAuthorDays)
	if err != nil {
		return nil, err
	}
	posts, err := loadPosts(ctx, tx, t, ids)
	if err != nil {
		return nil, err
	}
	list := []Byline{}
	seen := map[string]bool{}
	for _, p := range inOrder(posts, ids) {
		for _, a := range p.authors {
			if !seen[a.Slug] {
				seen[a.Slug] = true
				list = append(list, a)
			}
		}
	}
	return list, nil
}
