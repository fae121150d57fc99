package search

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.org/broadsheet/platform/stem"
)

// query is a term taken apart: single words, and what stood in quotation marks. A post must have all of it.
type query struct {
	lang  string
	parts [][]queryWord // one word each, or the words of a phrase in their order; common words only inside of phrases
	stems map[string]bool
}

type queryWord struct {
	stem.Token
	typed string
}

// quotes are marks that begin or end a phrase.
const quotes = "\"„“”«»"

func parseQuery(lang, term string) query {
	q := query{lang: lang, stems: map[string]bool{}}
	words := 0
	for i, text := range strings.FieldsFunc(" "+term+" ", func(r rune) bool { return strings.ContainsRune(quotes, r) }) {
		var part []queryWord
		for _, tok := range stem.Tokens(lang, text) {
			if words == maxWords {
				break
			}
			words++
			if tok.Stem != "" {
				q.stems[tok.Stem] = true
			}
			part = append(part, queryWord{tok, text[tok.Start:tok.End]})
		}
		if i%2 == 1 {
			q.phrase(part)
			continue
		}
		for _, tok := range part {
			if tok.Stem != "" {
				q.parts = append(q.parts, []queryWord{tok})
			}
		}
	}
	return q
}

// phrase adds words that follow each other. Common words at its ends say nothing.
func (q *query) phrase(part []queryWord) {
	for len(part) > 0 && part[0].Stem == "" {
		part = part[1:]
	}
	for len(part) > 0 && part[len(part)-1].Stem == "" {
		part = part[:len(part)-1]
	}
	if len(part) > 0 {
		q.parts = append(q.parts, part)
	}
}

func (q query) empty() bool { return len(q.parts) == 0 }

// String is the query as Postgres reads it. Stems are letters and digits, so that nothing needs an escape.
func (q query) String() string {
	parts := make([]string, len(q.parts))
	for i, part := range q.parts {
		var b strings.Builder
		gap := 0
		for _, tok := range part {
			gap++
			if tok.Stem == "" {
				continue
			}
			if b.Len() > 0 {
				fmt.Fprintf(&b, " <%d> ", gap)
			}
			b.WriteString("'" + tok.Stem + "'")
			gap = 0
		}
		parts[i] = "(" + b.String() + ")"
	}
	return strings.Join(parts, " & ")
}

// any is the query for any of its words, by which posts are ranked: each word counts where it stands.
func (q query) any() string {
	return "'" + strings.Join(slices.Sorted(maps.Keys(q.stems)), "' | '") + "'"
}
