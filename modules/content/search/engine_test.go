package search

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

func TestEdits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		n    int
	}{
		{"", "", 0},
		{"a", "", 1},
		{"abc", "abc", 0},
		{"abc", "acb", 1},
		{"abc", "abd", 1},
		{"abcd", "acbd", 1},
		{"kitten", "sitting", 3},
		{"ca", "abc", 3},
		{"жук", "жку", 1},
	} {
		if n := edits(c.a, c.b); n != c.n {
			t.Errorf("%s %s: %d, want %d", c.a, c.b, n, c.n)
		}
		if n := edits(c.b, c.a); n != c.n {
			t.Errorf("%s %s: %d, want %d", c.b, c.a, n, c.n)
		}
	}
}

func TestSnippets(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("lorem ipsum dolor ", 30)
	for name, c := range map[string]struct{ term, text, want string }{
		"nothing":   {"mesto", "Žiadne slovo sem nepatrí.", ""},
		"empty":     {"mesto", "", ""},
		"all of it": {"mesto", "V meste <b> & \"inde\".", "V <mark>meste</mark> &lt;b&gt; &amp; &#34;inde&#34;."},
		"in a long": {
			"mesto", filler + "Naše mesto rastie. " + filler,
			"… dolor lorem ipsum dolor lorem ipsum dolor Naše <mark>mesto</mark> rastie. " +
				strings.Repeat("lorem ipsum dolor ", 7) + "lorem …",
		},
		"both are best": {"mesto rieka", "Mesto spí. " + filler + " Rieka tečie cez mesto. " + filler, ""},
	} {
		q := parseQuery("sk", c.term)
		got := q.snippet("sk", c.text)
		if name == "both are best" {
			if !strings.Contains(got, "<mark>Rieka</mark> tečie cez <mark>mesto</mark>.") {
				t.Errorf("%s: %s", name, got)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add("mesto", "<script>mesto</script>")
	f.Add("a\" b", "a b \" &amp; <mark>a</mark>")
	f.Fuzz(func(t *testing.T, term, text string) {
		q := parseQuery("sk", term)
		_ = q.String()
		got := q.snippet("sk", text)
		plain := strings.NewReplacer("<mark>", "", "</mark>", "").Replace(got)
		if strings.ContainsAny(plain, "<>\"'") || strings.Count(got, "<mark>") != strings.Count(got, "</mark>") ||
			got != "" && !strings.Contains(got, "<mark>") {
			t.Fatalf("%q", got)
		}
	})
}

// What others are shown are words.
func TestPresentable(t *testing.T) {
	t.Parallel()
	for term, want := range map[string]bool{
		"vláda": true, "voľby 2026": true, "J. D. Vance": true, "Česko-Slovensko": true, "l’État": true,
		"R&D": true, "9/11": false,
		"vláda 🖕": false, "🖕": false, "2026": false, "0905123456": false, "číslo 123456": false, "jana@posta.example": false,
		"www.example.org": false, "example.org": false, "<b>": false, "a:b": false, "": false, "…": false, "---": false,
		strings.Repeat("a", maxShownTerm): true, strings.Repeat("a", maxShownTerm+1): false,
	} {
		if got := presentable(term); got != want {
			t.Errorf("%q: %t", term, got)
		}
	}
}

// One machine fills neither the list nor the table: a network has so many terms a day, and a day has so many.
func TestSearchesHaveACeiling(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	en := New(d, nil, slog.New(slog.DiscardHandler))
	word := func(i int) string {
		return "slovo" + strings.Map(func(r rune) rune { return 'a' + r - '0' }, fmt.Sprint(i))
	}
	for i := range 3 * maxTermsOfOne {
		en.count(web.WithVisitor(ctx, 7), word(i), 1)
	}
	en.Flush(t.Context())
	if n := number(t, ctx, d, "SELECT count(*) FROM content_searches"); n != maxTermsOfOne {
		t.Errorf("one network has counted %d terms", n)
	}
	execute(t, ctx, d,
		fmt.Sprintf("INSERT INTO content_searches (day, term, hits, times) SELECT day, 'x' || n, 1, 1 FROM "+
			"content_searches, generate_series(1, %d) n WHERE term = '%s'",
			maxTermsADay-maxTermsOfOne-1, word(0)))
	for v := range uint64(4) {
		en.count(web.WithVisitor(ctx, 20+v), word(0), 1)
		en.count(web.WithVisitor(ctx, 20+v), "new "+word(int(v)), 1)
	}
	en.Flush(t.Context())
	if n := number(t, ctx, d, "SELECT count(*) FROM content_searches"); n != maxTermsADay {
		t.Errorf("the day has %d terms", n)
	}
	if n := number(t, ctx, d, "SELECT count(*) FROM content_searches WHERE term LIKE 'new %'"); n != 1 {
		t.Errorf("%d new terms found room for one", n)
	}
	if n := number(t, ctx, d, "SELECT bit_count(networks::bit(64)) FROM content_searches WHERE term = '"+word(0)+
		"'"); n != minNetworks {
		t.Errorf("a known term is of %d networks", n)
	}
}

func TestSearchesSurviveAFailure(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	en := New(d, nil, slog.New(slog.DiscardHandler))
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatal(err)
	}
	en.count(web.WithVisitor(ctx, 1), "mesto", 3)
	if err := d.Detach(ed.ID); err != nil {
		t.Fatal(err)
	}
	en.Flush(t.Context())
	d.Attach(ed.ID, ed.Schema)
	en.count(web.WithVisitor(ctx, 2), "mesto", 4)
	en.Flush(t.Context())
	if n := number(t, ctx, d, "SELECT 10 * times + hits FROM content_searches"); n != 24 {
		t.Errorf("%d", n)
	}
	for i := range maxTermsCounted + 10 {
		en.count(web.WithVisitor(ctx, uint64(i)), "t"+fmt.Sprint(i%10)+strings.Repeat("a", i/10%30)+
			strings.Repeat("b", i/300), 1)
	}
	if n := len(en.searches.counts[ed.ID].terms); n > maxTermsCounted {
		t.Errorf("%d terms are counted", n)
	}
}

func execute(t *testing.T, ctx context.Context, d *db.DB, query string) {
	t.Helper()
	err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(query).Exec(ctx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func number(t *testing.T, ctx context.Context, d *db.DB, query string) (n int) {
	t.Helper()
	err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error { return tx.NewRaw(query).Scan(ctx, &n) })
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Whatever is searched for, the term is short and of one line, and the query that Postgres gets holds words and its own
// marks alone.
func FuzzTerm(f *testing.F) {
	f.Add("vláda \"nová vláda\" 2026?")
	f.Add("'); DROP TABLE outbox; --")
	f.Add("a & !b | c:* <-> \\")
	f.Fuzz(func(t *testing.T, text string) {
		term, err := ParseTerm(text)
		if err != nil {
			return
		}
		if term == "" || utf8.RuneCountInString(term) > MaxTerm || strings.ContainsAny(term, "\r\n\x00") {
			t.Fatalf("the term %q", term)
		}
		for _, lang := range []string{"sk", "de"} {
			q := parseQuery(lang, term)
			if q.empty() {
				continue
			}
			for i, part := range strings.Split(q.String()+" | "+q.any(), "'") {
				word := i%2 == 1
				if word && strings.IndexFunc(part, func(r rune) bool {
					return !unicode.IsLetter(r) && !unicode.IsNumber(r) &&
						!unicode.IsMark(r)
				}) >= 0 {
					t.Fatalf("the word %q", part)
				}
				if !word && strings.Trim(part, "() &|<>0123456789") != "" {
					t.Fatalf("between words %q", part)
				}
			}
		}
	})
}
