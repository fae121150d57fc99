package content

import (
	"context"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/maypok86/otter/v2"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/stem"
	"example.org/broadsheet/platform/web"
)

const (
	keepSearches     = 30 * 24 * time.Hour
	mostSearchedDays = 7
	mostSearchedTop  = 10
	mostSearchedLife = time.Minute
	maxShownTerm     = 40      // runes of a term that may be shown to others
	maxShownDigits   = 5       // a longer number may be somebody's
	maxRemembered    = 100_000 // visitors and what they searched for on one day
)

// searched is how often a term was searched for.
type searched struct{ hits, times int }

// once names a visitor's search for a term on one day. It is kept in memory alone, under a number that another process
// does not know, and only so long that nobody counts twice.
type once struct {
	edition, day, term string
	visitor            uint64
}

// searchBuffer counts searches in memory: a search must not cost a write.
type searchBuffer struct {
	mu     sync.Mutex
	counts map[string]*editionSearches
	seen   *otter.Cache[once, struct{}]
}

type editionSearches struct {
	ed    *edition.Edition
	terms map[string]searched
}

func newSeen() *otter.Cache[once, struct{}] {
	return otter.Must(&otter.Options[once, struct{}]{MaximumSize: maxRemembered, ExpiryCalculator: otter.ExpiryWriting[once, struct{}](24 * time.Hour)})
}

// Searched counts a search that found posts, once a day for each visitor. Whoever can not be told from a machine is not
// counted, and neither is what may be more than a subject: an address, a number.
func (m *Module) Searched(ctx context.Context, term string, hits int) {
	ed, err := edition.From(ctx)
	visitor := web.Visitor(ctx)
	if err != nil || hits == 0 || visitor == 0 || !presentable(term) {
		return
	}
	day := m.db.Clock().Now().In(ed.Location).Format(time.DateOnly)
	if _, first := m.searches.seen.SetIfAbsent(once{ed.ID, day, term, visitor}, struct{}{}); first {
		m.searches.add(ed, term, searched{hits, 1})
	}
}

// presentable tells whether a term may be shown to others.
func presentable(term string) bool {
	digits := 0
	for _, r := range term {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return utf8.RuneCountInString(term) <= maxShownTerm && digits <= maxShownDigits && !strings.ContainsAny(term, "@:/\\<>")
}

func (b *searchBuffer) add(ed *edition.Edition, term string, s searched) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.counts == nil {
		b.counts = map[string]*editionSearches{}
	}
	e := b.counts[ed.ID]
	if e == nil {
		e = &editionSearches{terms: map[string]searched{}}
		b.counts[ed.ID] = e
	}
	e.ed = ed
	if was, known := e.terms[term]; known || len(e.terms) < maxCounted {
		e.terms[term] = searched{s.hits, was.times + s.times}
	}
}

func (b *searchBuffer) take() map[string]*editionSearches {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := b.counts
	b.counts = nil
	return taken
}

// FlushSearches writes what this process has counted, for all editions. What can not be written is counted on.
func (m *Module) FlushSearches(ctx context.Context) {
	for id, e := range m.searches.take() {
		err := m.db.Update(edition.With(ctx, e.ed), func(ctx context.Context, tx db.Tx) error { return addSearches(ctx, tx, e.terms) })
		if err == nil {
			m.wanted.Invalidate(id)
			continue
		}
		m.log.WarnContext(ctx, "searches not written", "edition", id, "error", err)
		for term, s := range e.terms {
			m.searches.add(e.ed, term, s)
		}
	}
}

// MostSearched returns what readers searched for most in the last week.
func (m *Module) MostSearched(ctx context.Context) (list []string, err error) {
	err = m.db.View(ctx, func(ctx context.Context, tx db.Tx) error { list, err = m.mostSearched(ctx, tx); return err })
	return list, err
}

// mostSearched is read once a minute. Of terms that mean the same the first stands for all.
func (m *Module) mostSearched(ctx context.Context, tx db.Tx) ([]string, error) {
	return m.wanted.Get(ctx, tx.Edition.ID, otter.LoaderFunc[string, []string](func(ctx context.Context, _ string) ([]string, error) {
		terms, err := findMostSearched(ctx, tx, mostSearchedDays, 5*mostSearchedTop)
		list, seen := []string{}, map[string]bool{}
		for _, t := range terms {
			key := ""
			for _, tok := range stem.Tokens(tx.Edition.Lang(), t) {
				key += tok.Stem + " "
			}
			if !seen[key] && len(list) < mostSearchedTop {
				seen[key] = true
				list = append(list, t)
			}
		}
		return list, err
	}))
}
