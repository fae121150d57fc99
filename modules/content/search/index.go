package search

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/stem"
	"example.org/broadsheet/platform/typed"
)

const (
	indexBatchSize = 200 // posts in one transaction
	// indexVersion is raised when the index is made in another way: all of it is then made anew, batch by batch.
	indexVersion = 1
	maxPosition  = 16_383   // of a word, as Postgres counts them
	maxPositions = 255      // of one stem
	maxIndexText = 32 << 10 // bytes that are kept for snippets
	partGap      = 20       // places between two parts of a post, so that no phrase reaches over them
	shortestWord = 3        // letters of a word that may be suggested
)

// document is the public side of a post, as it is searched: of a locked one the text is its preview.
type document struct {
	title, excerpt, names, text string
}

// indexRow is what the index keeps of a post.
type indexRow struct {
	terms string // a tsvector
	head  string // the part of it that is not of the text
	text  string
	words map[string]string // folded to lower case
}

// Index brings the search index up to the state of some posts, in the transaction that changed them. A body becomes
// words by the same function as for a visitor's page: what is withheld from visitors can be found by nobody.
func (en *Engine) Index(ctx context.Context, tx db.Tx, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	sources, err := loadIndexSources(ctx, tx, ids)
	if err != nil {
		return err
	}
	listed := make([]int64, len(sources))
	for i, s := range sources {
		listed[i] = s.ID
	}
	texts, err := en.texts(ctx, tx, listed)
	if err != nil {
		return err
	}
	rows := make(map[int64]indexRow, len(sources))
	for _, s := range sources {
		rows[s.ID] = newIndexRow(tx.Edition.Lang(),
			document{s.Title, s.Excerpt, s.Names, markup.SearchText(texts[s.ID])})
	}
	return writeIndex(ctx, tx, ids, sources, rows)
}

// FillBatch indexes posts that are not in the index as they are now, and returns how many there were.
func (en *Engine) FillBatch(ctx context.Context) (n int, err error) {
	err = en.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := post.LockWriting(ctx, tx); err != nil {
			return err
		}
		ids, err := findUnindexed(ctx, tx, indexBatchSize)
		if err != nil {
			return err
		}
		n = len(ids)
		return en.Index(ctx, tx, ids)
	})
	return n, err
}

// Fill indexes what is missing: the posts from before there was an index, and those that another version wrote.
// Every batch is a transaction, so it goes on where it was ended.
func (en *Engine) Fill(ctx context.Context) error {
	for ctx.Err() == nil {
		n, err := en.FillBatch(ctx)
		if err != nil || n < indexBatchSize {
			return err
		}
	}
	return ctx.Err()
}

func newIndexRow(lang string, s document) indexRow {
	row := indexRow{text: cutText(s.text, maxIndexText), words: map[string]string{}}
	t := terms{at: map[string][]byte{}, count: map[string]int{}}
	for _, part := range []struct {
		text   string
		weight byte
	}{{s.title, 'A'}, {s.excerpt, 'B'}, {s.names, 'C'}, {s.text, 'D'}} {
		if part.weight == 'D' {
			row.head = t.String()
		} else {
			addWords(row.words, lang, part.text)
		}
		t.add(lang, part.text, part.weight)
	}
	row.terms = t.String()
	return row
}

// terms builds a tsvector.
type terms struct {
	at    map[string][]byte // places with their weights, by stem
	count map[string]int
	place int
}

func (t *terms) add(lang, text string, weight byte) {
	stem.Each(lang, text, func(tok stem.Token) bool {
		if t.place++; t.place > maxPosition {
			return false
		}
		if tok.Stem == "" || t.count[tok.Stem] == maxPositions {
			return true
		}
		b := t.at[tok.Stem]
		if len(b) > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(t.place), 10)
		if weight != 'D' {
			b = append(b, weight)
		}
		t.at[tok.Stem] = b
		t.count[tok.Stem]++
		return true
	})
	t.place += partGap
}

// String is the tsvector as Postgres reads it; stems are letters and digits, so that nothing needs an escape.
func (t *terms) String() string {
	var b strings.Builder
	for s, at := range t.at {
		b.WriteString("'" + s + "':")
		b.Write(at)
		b.WriteByte(' ')
	}
	return b.String()
}

// addWords collects what may be suggested: words of letters alone that are worth searching for.
func addWords(words map[string]string, lang, text string) {
	stem.Each(lang, text, func(tok stem.Token) bool {
		n := utf8.RuneCountInString(tok.Folded)
		if tok.Stem != "" && n >= shortestWord && n <= stem.MaxLength && !strings.ContainsAny(tok.Folded, "0123456789") {
			words[tok.Folded] = strings.ToLower(strings.ReplaceAll(text[tok.Start:tok.End], "\u00ad", ""))
		}
		return true
	})
}

// cutText shortens text at a space to at most n bytes.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if i := strings.LastIndexByte(s[:n], ' '); i > 0 {
		return s[:i]
	}
	return typed.Cut(s, n)
}
