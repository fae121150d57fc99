package content

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/maypok86/otter/v2"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
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
	term := markup.OneLine(strings.ToLower(strings.ReplaceAll(text, "?", "")))
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
	posts      []*post.Post
	texts      map[int64]string // public text, by post
	total      int
	suggestion string
}

// find searches for a term.
func (m *Module) find(ctx context.Context, term string, limit, offset int) (f found, err error) {
	err = post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		f, err = m.findIn(ctx, tx, t, term, limit, offset)
		return err
	})
	return f, err
}

func (m *Module) findIn(ctx context.Context, tx db.Tx, t *post.Tree, term string, limit,
	offset int,
) (f found, err error) {
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
	posts, err := post.Load(ctx, tx, t, ids)
	if err != nil {
		return f, err
	}
	f.posts = post.InOrder(posts, ids)
	f.texts, err = loadTexts(ctx, tx, ids)
	return f, err
}

// FoundEntity is a post that a search has found.
type FoundEntity struct {
	post.Entity
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
		list[i] = FoundEntity{p.Entity(ed), title, snippet}
	}
	return list, f.total, f.suggestion, err
}

// SearchAuthors returns the authors whose names hold all words of a term, in order of their names.
func (m *Module) SearchAuthors(ctx context.Context, term string, limit, offset int) ([]post.EntityAuthor, error) {
	var list []post.Byline
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = findAuthors(ctx, tx, term)
		return err
	})
	return post.AuthorEntities(list[min(offset, len(list)):min(offset+limit, len(list))]), err
}

// findAuthors compares names with a term in Go: a paper has hundreds of authors, not thousands.
func findAuthors(ctx context.Context, tx db.Tx, term string) ([]post.Byline, error) {
	lang := tx.Edition.Lang()
	wanted := stem.Tokens(lang, term)
	if len(wanted) == 0 {
		return nil, nil
	}
	writers, err := findWriters(ctx, tx)
	if err != nil {
		return nil, err
	}
	var list []post.Byline
	for _, w := range writers {
		if isCalled(stem.Tokens(lang, w.Name), wanted) {
			list = append(list, w)
		}
	}
	return list, nil
}

// isCalled reports whether every wanted word is a name, one of its cases, or its beginning.
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

// MostReadAuthors returns the authors of the most read posts of the last week, the one of the most read first.
func (m *Module) MostReadAuthors(ctx context.Context, limit int) ([]post.EntityAuthor, error) {
	var list []post.Byline
	err := post.Read(ctx, m.db, func(ctx context.Context, tx db.Tx, t *post.Tree) (err error) {
		list, err = m.mostReadAuthors(ctx, tx, t, limit)
		return err
	})
	return post.AuthorEntities(list), err
}

// mostReadAuthors is read once a minute.
func (m *Module) mostReadAuthors(ctx context.Context, tx db.Tx, t *post.Tree, limit int) ([]post.Byline, error) {
	list, err := m.writers.Get(ctx, tx.Edition.ID,
		otter.LoaderFunc[string, []post.Byline](func(ctx context.Context, _ string) ([]post.Byline, error) {
			return findMostReadAuthors(ctx, tx, t)
		}))
	return slices.Clone(list[:min(limit, len(list))]), err
}

func findMostReadAuthors(ctx context.Context, tx db.Tx, t *post.Tree) ([]post.Byline, error) {
	ids, err := post.MostRead(ctx, tx, maxPerPage, 0, mostReadAuthorDays)
	if err != nil {
		return nil, err
	}
	posts, err := post.Load(ctx, tx, t, ids)
	if err != nil {
		return nil, err
	}
	list := []post.Byline{}
	seen := map[string]bool{}
	for _, p := range post.InOrder(posts, ids) {
		for _, a := range p.Authors {
			if !seen[a.Slug] {
				seen[a.Slug] = true
				list = append(list, a)
			}
		}
	}
	return list, nil
}
