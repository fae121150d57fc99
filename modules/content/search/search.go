// Package search finds posts by their words. An Engine keeps an index of what everybody may read (index.go), takes a
// term apart (query.go), finds posts and marks the words in them (snippet.go), offers a word in place of a mistyped one
// (suggest.go), counts what is searched for (count.go), and shows the page (page.go).
//
// It never sees the text of a locked post: whoever makes an Engine gives it PublicTexts. Of modules/content it imports
// post, markup and seen.
package search

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/maypok86/otter/v2"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/seen"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/stem"
	"example.org/broadsheet/platform/typed"
	"example.org/broadsheet/platform/web"
)

// Limits of a search.
const (
	// PageSize is how many posts a page of what was found shows at once.
	PageSize = 10
	maxFound = 1000 // posts that one search finds, the newest; more nobody turns to
	MaxTerm  = 200  // runes
	maxWords = 12   // of a term that are searched for

	mostReadAuthorDays = 7
	mostReadPosts      = 50 // whose authors are listed
)

// Engine searches the posts of all editions, and counts what is searched for.
type Engine struct {
	db    *db.DB
	texts PublicTexts
	log   *slog.Logger

	searches buffer
	wanted   *otter.Cache[string, []string]      // what was searched for most, by edition
	writers  *otter.Cache[string, []post.Byline] // who was read most, by edition
	totals   *otter.Cache[termKey, int]          // how many posts were found, by term
}

// termKey names a term of an edition.
type termKey struct{ edition, term string }

// Kept is for how long what was found for a term may be kept where nothing is published.
const Kept = 30 * time.Second

// totalsKept are the terms of which it is remembered for how many posts they stand: enough to count searches that are
// answered by a cache.
const totalsKept = 20_000

// PublicTexts reads the HTML of posts that everybody may read, by id: of a locked one its preview. What it withholds is
// in no index.
type PublicTexts func(ctx context.Context, tx db.Tx, ids []int64) (map[int64]string, error)

// New makes the search.
func New(d *db.DB, texts PublicTexts, log *slog.Logger) *Engine {
	return &Engine{
		db: d, texts: texts, log: log, searches: buffer{seen: seen.New[searcher]()},
		wanted: otter.Must(&otter.Options[string, []string]{
			MaximumSize:      1000,
			ExpiryCalculator: otter.ExpiryWriting[string, []string](mostSearchedLife),
		}),
		writers: otter.Must(&otter.Options[string, []post.Byline]{
			MaximumSize:      1000,
			ExpiryCalculator: otter.ExpiryWriting[string, []post.Byline](mostSearchedLife),
		}),
		totals: otter.Must(&otter.Options[termKey, int]{
			MaximumSize: totalsKept, ExpiryCalculator: otter.ExpiryWriting[termKey, int](10 * Kept),
		}),
	}
}

// Forget drops what is kept in memory of an edition.
func (en *Engine) Forget(editionID string) {
	en.wanted.Invalidate(editionID)
	en.writers.Invalidate(editionID)
}

// ErrTermTooLong is a search for more than maxTerm characters.
var ErrTermTooLong = fault.New(fault.Malformed, "SEARCH_TOO_LONG").On("term") // params: max

// ParseTerm returns a search term without invisible characters and question marks, in lower case. It returns
// ErrTermTooLong, or web.ErrInvalidArgs on "term" if the text is empty or no UTF-8.
func ParseTerm(text string) (string, error) {
	term, err := typed.Line(strings.ReplaceAll(text, "?", ""), MaxTerm)
	switch {
	case errors.Is(err, typed.ErrTooLong):
		return "", ErrTermTooLong.With("max", MaxTerm)
	case err != nil || term == "":
		return "", web.ErrInvalidArgs.On("term").Becausef("there is nothing to search for in %q", text)
	}
	return strings.ToLower(term), nil
}

// found is a page of what a search finds.
type found struct {
	query      query
	posts      []*post.Post
	texts      map[int64]string // public text, by post
	total      int
	suggestion string
}

// find searches for a term.
func (en *Engine) find(ctx context.Context, term string, limit, offset int) (f found, err error) {
	err = post.Read(ctx, en.db, func(ctx context.Context, tx db.Tx, t *post.Tree) error {
		f, err = en.findIn(ctx, tx, t, term, limit, offset)
		return err
	})
	return f, err
}

func (en *Engine) findIn(ctx context.Context, tx db.Tx, t *post.Tree, term string, limit,
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
	f.total = total
	en.totals.Set(termKey{tx.Edition.ID, term}, total)
	if len(ids) == 0 {
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

// Find returns posts that hold all words of a term, the best first, how many there are (at most 1000), and where
// there is none, what may have been meant. The term is one of SearchTerm.
func (en *Engine) Find(ctx context.Context, term string, limit,
	offset int,
) (list []FoundEntity, total int, suggestion string, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, 0, "", err
	}
	f, err := en.find(ctx, term, limit, offset)
	list = make([]FoundEntity, len(f.posts))
	for i, p := range f.posts {
		title, snippet := f.marked(ed, p)
		list[i] = FoundEntity{p.Entity(ed), title, snippet}
	}
	return list, f.total, f.suggestion, err
}

// FindAuthors returns the authors whose names hold all words of a term, in order of their names.
func (en *Engine) FindAuthors(ctx context.Context, term string, limit, offset int) ([]post.EntityAuthor, error) {
	var list []post.Byline
	err := en.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
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
func (en *Engine) MostReadAuthors(ctx context.Context, limit int) ([]post.EntityAuthor, error) {
	var list []post.Byline
	err := post.Read(ctx, en.db, func(ctx context.Context, tx db.Tx, t *post.Tree) (err error) {
		list, err = en.mostReadAuthors(ctx, tx, t, limit)
		return err
	})
	return post.AuthorEntities(list), err
}

// mostReadAuthors is read once a minute.
func (en *Engine) mostReadAuthors(ctx context.Context, tx db.Tx, t *post.Tree, limit int) ([]post.Byline, error) {
	list, err := en.writers.Get(ctx, tx.Edition.ID,
		otter.LoaderFunc[string, []post.Byline](func(ctx context.Context, _ string) ([]post.Byline, error) {
			return findMostReadAuthors(ctx, tx, t)
		}))
	return slices.Clone(list[:min(limit, len(list))]), err
}

func findMostReadAuthors(ctx context.Context, tx db.Tx, t *post.Tree) ([]post.Byline, error) {
	ids, err := post.MostRead(ctx, tx, mostReadPosts, 0, mostReadAuthorDays)
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
