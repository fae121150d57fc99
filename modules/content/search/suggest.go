package search

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"example.org/broadsheet/platform/db"
)

const (
	maxEdits     = 2  // letters that a mistyped word may be off by
	maxCandidate = 40 // words that are compared letter by letter
)

// suggest is a term that finds something in place of one that found nothing: each word that no post has gives way to
// the known one that is nearest to it. "" when there is none.
func suggest(ctx context.Context, tx db.Tx, q query) (string, error) {
	known, err := findKnown(ctx, tx, slices.Sorted(maps.Keys(q.stems)))
	if err != nil {
		return "", err
	}
	var words []string
	changed := false
	for _, part := range q.parts {
		for _, tok := range part {
			switch {
			case tok.Stem == "":
			case known[tok.Stem]:
				words = append(words, tok.typed)
			default:
				near, err := nearest(ctx, tx, tok.Folded)
				if err != nil || near == "" {
					return "", err
				}
				words, changed = append(words, near), true
			}
		}
	}
	if !changed {
		return "", nil
	}
	term := strings.Join(words, " ")
	// A word may stand in posts that nobody can read yet. Only what is found may be told.
	ids, _, err := findPosts(ctx, tx, parseQuery(q.lang, term), 1, 0)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	return term, nil
}

// nearest is the known word with the fewest edits, then the one that most posts have; "" when none is near enough.
func nearest(ctx context.Context, tx db.Tx, folded string) (string, error) {
	allowed := 1
	if n := utf8.RuneCountInString(folded); n < shortestWord {
		return "", nil
	} else if n > 4 {
		allowed = maxEdits
	}
	list, err := findSimilar(ctx, tx, folded, trigrams(folded), maxCandidate)
	best, fewest := "", allowed+1
	for posts, i := 0, 0; i < len(list); i++ {
		s := list[i]
		if n := edits(folded, s.Folded); n < fewest || n == fewest && n <= allowed && s.Posts > posts {
			best, fewest, posts = s.Word, n, s.Posts
		}
	}
	return best, err
}

// trigrams are the groups of three letters of a word between spaces, each once.
func trigrams(folded string) []string {
	r := []rune(" " + folded + " ")
	var out []string
	for i := range len(r) - 2 {
		out = append(out, string(r[i:i+3]))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// edits counts letters that are missing, too many, wrong, or in the place of their neighbour.
func edits(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, above, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			change := 1
			if x[i-1] == y[j-1] {
				change = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+change)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(y)]
}
