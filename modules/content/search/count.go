package search

import (
	"context"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/maypok86/otter/v2"

	"example.org/broadsheet/modules/content/seen"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/stem"
	"example.org/broadsheet/platform/web"
)

const (
	keepSearches     = 30 * 24 * time.Hour
	mostSearchedDays = 7
	mostSearchedTop  = 10
	mostSearchedLife = time.Minute
	maxShownTerm     = 40     // runes of a term that may be shown to others
	maxShownDigits   = 5      // a longer number may be somebody's
	maxTermsCounted  = 10_000 // of an edition, between two writes
	minNetworks      = 5      // that searched for a term before others are shown it
	maxTermsOfOne    = 50     // that one network has counted on a day
	maxTermsADay     = 5_000  // of an edition
)

// tally is how often a term was searched for, and one of 64 bits for each network that did.
type tally struct {
	hits, times int
	networks    uint64
}

// searcher names a network's search for a term on one day, and without a term how many it has searched for. It is kept
// in memory alone, and only so long that nobody counts twice.
type searcher struct {
	edition, term string
	day           int // of the year
	visitor       uint64
}

// buffer counts searches in memory: a search must not cost a write.
type buffer struct {
	mu     sync.Mutex
	counts map[string]*editionSearches
	seen   *seen.Counter[searcher]
}

type editionSearches struct {
	ed    *edition.Edition
	terms map[string]tally
}

// Searched counts a search whose answer a cache may have given. It must have been answered before.
func (en *Engine) Searched(ctx context.Context, term string) {
	web.Each(ctx, func(ctx context.Context) {
		ed, err := edition.From(ctx)
		if err != nil {
			return
		}
		if hits, known := en.totals.GetIfPresent(termKey{ed.ID, term}); known {
			en.count(ctx, term, hits)
		}
	})
}

// count counts a search that found posts, once a day for each network. Whoever cannot be told from a machine is not
// counted, and neither is what may be more than a subject: an address, a number.
func (en *Engine) count(ctx context.Context, term string, hits int) {
	ed, err := edition.From(ctx)
	visitor := web.Visitor(ctx)
	if err != nil || hits == 0 || visitor == 0 || !presentable(term) {
		return
	}
	one := searcher{edition: ed.ID, day: en.db.Clock().Now().In(ed.Location).YearDay(), visitor: visitor}
	of := one
	of.term = term
	if en.searches.seen.Within(of, 1) && en.searches.seen.Within(one, maxTermsOfOne) {
		en.searches.add(ed, term, tally{hits, 1, 1 << (visitor % 64)})
	}
}

// presentable reports whether a term may be shown to others: words, and no more than a short number among them.
func presentable(term string) bool {
	letters, digits := 0, 0
	for i, r := range term {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		case r == '.': // of an abbreviation, and not within an address
			if next := term[i+1:]; next != "" && next[0] != ' ' {
				return false
			}
		case !unicode.IsMark(r) && !strings.ContainsRune(" -–'’&,\"„“", r):
			return false
		}
	}
	return letters > 0 && digits <= maxShownDigits && utf8.RuneCountInString(term) <= maxShownTerm
}

func (b *buffer) add(ed *edition.Edition, term string, s tally) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.counts == nil {
		b.counts = map[string]*editionSearches{}
	}
	e := b.counts[ed.ID]
	if e == nil {
		e = &editionSearches{terms: map[string]tally{}}
		b.counts[ed.ID] = e
	}
	e.ed = ed
	if was, known := e.terms[term]; known || len(e.terms) < maxTermsCounted {
		e.terms[term] = tally{s.hits, was.times + s.times, was.networks | s.networks}
	}
}

func (b *buffer) take() map[string]*editionSearches {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := b.counts
	b.counts = nil
	return taken
}

// Flush writes what this process has counted, for all editions. What cannot be written is counted on.
func (en *Engine) Flush(ctx context.Context) {
	for id, e := range en.searches.take() {
		err := en.db.InTx(edition.With(ctx, e.ed), func(ctx context.Context, tx db.Tx) error {
			return addSearches(ctx, tx, e.terms)
		})
		if err == nil {
			en.wanted.Invalidate(id)
			continue
		}
		en.log.WarnContext(ctx, "searches not written", "edition", id, "error", err)
		for term, s := range e.terms {
			en.searches.add(e.ed, term, s)
		}
	}
}

// MostSearched returns what readers searched for most in the last week.
func (en *Engine) MostSearched(ctx context.Context) (list []string, err error) {
	err = en.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { list, err = en.mostSearched(ctx, tx); return err })
	return list, err
}

// mostSearched is read once a minute. Of terms that mean the same the first stands for all.
func (en *Engine) mostSearched(ctx context.Context, tx db.Tx) ([]string, error) {
	return en.wanted.Get(ctx, tx.Edition.ID,
		otter.LoaderFunc[string, []string](func(ctx context.Context, _ string) ([]string, error) {
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
