package search

import (
	"context"
	"maps"
	"slices"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"example.org/broadsheet/platform/db"
)

// countWords changes in how many posts words stand: old are the words of posts as they were, rows as they are.
func countWords(ctx context.Context, tx db.Tx, old [][]string, rows map[int64]indexRow) error {
	change, shown := map[string]int{}, map[string]string{}
	for _, words := range old {
		for _, w := range words {
			change[w]--
		}
	}
	for _, r := range rows {
		for folded, word := range r.words {
			change[folded]++
			shown[folded] = word
		}
	}
	var more, shownAs, fewer []string
	var by, less []int
	// In one order, so that two writers never wait for each other.
	for _, folded := range slices.Sorted(maps.Keys(change)) {
		switch n := change[folded]; {
		case n > 0:
			more, shownAs, by = append(more, folded), append(shownAs, shown[folded]), append(by, n)
		case n < 0:
			fewer, less = append(fewer, folded), append(less, -n)
		}
	}
	if len(more) > 0 {
		_, err := tx.NewRaw(`INSERT INTO content_search_words AS w (folded, word, posts, trigrams)
			SELECT v.folded, v.word, v.n, ARRAY(SELECT DISTINCT substr(' ' || v.folded || ' ', i, 3) FROM generate_series(1,
			length(v.folded)) i)
			FROM unnest(?::text[], ?::text[], ?::integer[]) v(folded, word, n)
			ON CONFLICT (folded) DO UPDATE SET posts = w.posts + EXCLUDED.posts`, pgdialect.Array(more),
			pgdialect.Array(shownAs), pgdialect.Array(by)).Exec(ctx)
		if err != nil {
			return err
		}
	}
	if len(fewer) == 0 {
		return nil
	}
	_, err := tx.NewRaw(`UPDATE content_search_words w SET posts = w.posts - v.n FROM unnest(?::text[], ?::integer[]) `+
		`v(folded, n) WHERE w.folded = v.folded`,
		pgdialect.Array(fewer), pgdialect.Array(less)).Exec(ctx)
	if err != nil {
		return err
	}
	_, err = tx.NewRaw("DELETE FROM content_search_words WHERE posts <= 0 AND folded = ANY(?::text[])",
		pgdialect.Array(fewer)).Exec(ctx)
	return err
}

// similar is a known word that looks like one that nobody wrote.
type similar struct {
	Folded string
	Word   string
	Posts  int
}

// findSimilar returns the known words of about the same length that share the most groups of three letters with one.
func findSimilar(ctx context.Context, tx db.Tx, folded string, trigrams []string,
	limit int,
) (out []similar, err error) {
	err = tx.NewRaw(`SELECT folded, word, posts FROM content_search_words
		WHERE trigrams && ?0::text[] AND length(folded) BETWEEN length(?1) - ?2 AND length(?1) + ?2
		ORDER BY (SELECT count(*) FROM unnest(trigrams) t WHERE t = ANY(?0::text[])) DESC, posts DESC, folded LIMIT ?3`,
		pgdialect.Array(trigrams), folded, maxEdits, limit).Scan(ctx, &out)
	return out, err
}

// findKnown returns which of some stems stand in any post.
func findKnown(ctx context.Context, tx db.Tx, stems []string) (known map[string]bool, err error) {
	known = map[string]bool{}
	var rows []string
	err = tx.NewRaw(`SELECT v.stem FROM unnest(?::text[]) v(stem)
		WHERE EXISTS (SELECT FROM content_search s WHERE s.terms @@ ('''' || v.stem || '''')::tsquery AND s.published_at
		<= ?)`, pgdialect.Array(stems), tx.Now).Scan(ctx, &rows)
	for _, r := range rows {
		known[r] = true
	}
	return known, err
}

// addSearches writes what was searched for, by term: what is new on a day only while there is room for it.
func addSearches(ctx context.Context, tx db.Tx, counts map[string]tally) error {
	type row struct {
		bun.BaseModel `bun:"table:content_searches"`
		Day           string `bun:"type:date"`
		Term          string
		Hits, Times   int
		Networks      int64
	}
	day := tx.Now.In(tx.Edition.Location).Format("2006-01-02")
	var written int
	var known []string
	err := tx.NewRaw("SELECT count(*) FROM content_searches WHERE day = ?", day).Scan(ctx, &written)
	if err == nil {
		err = tx.NewRaw("SELECT term FROM content_searches WHERE day = ? AND term IN (?)", day,
			bun.List(slices.Collect(maps.Keys(counts)))).Scan(ctx, &known)
	}
	if err != nil {
		return err
	}
	slices.Sort(known)
	var rows []row
	for _, term := range slices.Sorted(maps.Keys(counts)) {
		if _, there := slices.BinarySearch(known, term); !there {
			if written >= maxTermsADay {
				continue
			}
			written++
		}
		c := counts[term]
		rows = append(rows, row{Day: day, Term: term, Hits: c.hits, Times: c.times, Networks: int64(c.networks)})
	}
	if len(rows) == 0 {
		return nil
	}
	_, err = tx.NewInsert().Model(&rows).On("CONFLICT (day, term) DO UPDATE").
		Set("hits = EXCLUDED.hits, times = row.times + EXCLUDED.times, networks = row.networks | EXCLUDED.networks").Exec(ctx)
	return err
}

// findMostSearched returns what was searched for most in some days: only what found something, and what was searched
// for from so many networks that it is nobody's alone.
func findMostSearched(ctx context.Context, tx db.Tx, days, limit int) (list []string, err error) {
	since := tx.Now.In(tx.Edition.Location).AddDate(0, 0, -days).Format("2006-01-02")
	err = tx.NewRaw(`SELECT term FROM content_searches WHERE day > ? GROUP BY term
		HAVING bit_count(bit_or(networks)::bit(64)) >= ? AND max(hits) > 0
		ORDER BY sum(times) DESC, max(day) DESC, term LIMIT ?`, since, minNetworks, limit).Scan(ctx, &list)
	return list, err
}
