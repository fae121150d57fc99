package content

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/page"
	"example.org/broadsheet/platform/stem"
)

const (
	// indexVersion is raised when the index is made in another way: all of it is then made anew, batch by batch.
	indexVersion = 1
	maxPosition  = 16_383   // of a word, as Postgres counts them
	maxPositions = 255      // of one stem
	maxIndexText = 32 << 10 // bytes that are kept for snippets
	partGap      = 20       // places between two parts of a post, so that no phrase reaches over them
	shortestWord = 3        // letters of a word that may be suggested
)

// searchable is the public side of a post, as it is searched: of a locked one the text is its preview.
type searchable struct {
	title, excerpt, names, text string
}

// indexRow is what the index keeps of a post.
type indexRow struct {
	terms string // a tsvector
	head  string // the part of it that is not of the text
	text  string
	words map[string]string // folded to lower case
}

// index brings the search index up to the state of some posts, in the transaction that changed them. A body becomes
// words by the same function as for a visitor's page: what is withheld from visitors can be found by nobody.
func (m *Module) index(ctx context.Context, tx db.Tx, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	sources, err := loadIndexSources(ctx, tx, ids)
	if err != nil {
		return err
	}
	rows := make(map[int64]indexRow, len(sources))
	for _, s := range sources {
		text := m.reveal(s.body, tierAccess(page.Anonymous, s.body))
		rows[s.body.post] = newIndexRow(tx.Edition.Lang(), searchable{s.title, s.excerpt, s.names, searchText(text.HTML)})
	}
	return writeIndex(ctx, tx, ids, sources, rows)
}

// indexBatch indexes posts that are not in the index as they are now, and returns how many there were.
func (m *Module) indexBatch(ctx context.Context) (n int, err error) {
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := lockWriting(ctx, tx); err != nil {
			return err
		}
		ids, err := findUnindexed(ctx, tx, batchSize)
		if err != nil {
			return err
		}
		n = len(ids)
		return m.index(ctx, tx, ids)
	})
	return n, err
}

// fillIndex indexes what is missing: the posts from before there was an index, and those that another version wrote.
// Every batch is a transaction, so it goes on where it was ended.
func (m *Module) fillIndex(ctx context.Context) error {
	for ctx.Err() == nil {
		n, err := m.indexBatch(ctx)
		if err != nil || n < batchSize {
			return err
		}
	}
	return ctx.Err()
}

func newIndexRow(lang string, s searchable) indexRow {
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

// searchText is the running text of HTML in one line. Placeholders of other services say nothing.
func searchText(body string) string {
	nodes, err := parse(body)
	if err != nil {
		return plainText(body)
	}
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
			return
		case n.Type != html.ElementNode, n.DataAtom == atom.A && n.Parent != nil && attr(n.Parent, "data-embed") != "":
			return
		}
		apart := !slices.Contains(inlineElements, n.DataAtom)
		if apart {
			b.WriteByte(' ')
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
		if apart {
			b.WriteByte(' ')
		}
	}
	for _, n := range nodes {
		walk(n)
	}
	return oneLine(b.String())
}

// inlineElements may stand inside a word; any other element ends it.
var inlineElements = []atom.Atom{
	atom.A, atom.Strong, atom.B, atom.Em, atom.I, atom.U, atom.S, atom.Sub, atom.Sup, atom.Small, atom.Mark, atom.Q,
	atom.Abbr, atom.Dfn, atom.Cite,
	atom.Code, atom.Kbd, atom.Samp, atom.Var, atom.Del, atom.Ins, atom.Bdi, atom.Bdo, atom.Wbr, atom.Time,
}

// cutText shortens text at a space to at most n bytes.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if i := strings.LastIndexByte(s[:n], ' '); i > 0 {
		return s[:i]
	}
	return strings.ToValidUTF8(s[:n], "")
}
