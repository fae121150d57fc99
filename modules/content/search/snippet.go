package search

import (
	"html"
	"strings"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/stem"
)

const (
	snippetWords = 32 // a snippet's length
	snippetLead  = 8  // words before the first mark
)

// marked is a post's title with the words that were searched for in <mark>, "" where it has none, and the piece of its
// public text, else of its excerpt, that has most of them. Both are safe HTML.
func (f found) marked(ed *edition.Edition, p *post.Post) (title, snippet string) {
	title = f.query.mark(p.Title)
	if snippet = f.query.snippet(ed.Lang(), f.texts[p.ID]); snippet == "" {
		snippet = f.query.mark(p.Excerpt)
	}
	return title, snippet
}

// mark escapes text and marks the words of the query; "" when there is none.
func (q query) mark(text string) string {
	var b strings.Builder
	last := 0
	stem.Each(q.lang, text, func(t stem.Token) bool {
		if q.stems[t.Stem] {
			b.WriteString(html.EscapeString(text[last:t.Start]) + "<mark>" + html.EscapeString(text[t.Start:t.End]) + "</mark>")
			last = t.End
		}
		return true
	})
	if last == 0 {
		return ""
	}
	b.WriteString(html.EscapeString(text[last:]))
	return b.String()
}

// passage is a run of words.
type passage struct {
	from, to int // bytes
	distinct int // different words of the query in it
	hits     int
}

// snippet cuts the first piece out of a text that has the most different words of the query; "" when it has none.
func (q query) snippet(lang, text string) string {
	type word struct {
		start, end int
		stem       string
	}
	var ring [snippetWords]word
	var best passage
	count := 0
	begin := 0 // number of the word with which the best window begins
	inside := map[string]int{}
	hits := 0
	stem.Each(lang, text, func(t stem.Token) bool {
		slot := count % snippetWords
		if count >= snippetWords {
			if old := ring[slot].stem; old != "" {
				if inside[old]--; inside[old] == 0 {
					delete(inside, old)
				}
				hits--
			}
		}
		w := word{start: t.Start, end: t.End}
		if q.stems[t.Stem] && t.Stem != "" {
			w.stem = t.Stem
			inside[t.Stem]++
			hits++
		}
		ring[slot] = w
		count++
		if w.stem != "" && len(inside) > best.distinct {
			// It begins a few words before the first of the marks that it holds.
			first := max(0, count-snippetWords)
			for ring[first%snippetWords].stem == "" {
				first++
			}
			begin = max(0, count-snippetWords, first-snippetLead)
			best = passage{from: ring[begin%snippetWords].start, to: t.End, distinct: len(inside), hits: hits}
		}
		if best.distinct > 0 && count-begin <= snippetWords {
			best.to = t.End
		}
		return best.distinct == 0 || count-begin < snippetWords || best.distinct < len(q.stems)
	})
	if best.distinct == 0 {
		return ""
	}
	from, to := best.from, best.to
	if from > 0 && strings.TrimSpace(text[:from]) == "" {
		from = 0
	}
	piece := text[from:to]
	rest := strings.TrimLeft(text[to:], ".!?)“”\"»")
	piece += text[to : len(text)-len(rest)]
	out := q.mark(piece)
	if from > 0 {
		out = "… " + out
	}
	if strings.TrimSpace(rest) != "" {
		out += " …"
	}
	return out
}
