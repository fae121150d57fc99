package stem

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", "plain": "plain", "ČAS": "cas", "Ľubľaňa": "lublana", "Straße": "strasse", "ẞ": "ss",
		"Österreich": "osterreich", "žlťoučký kôň": "zltoucky kon",
		"e\u0301": "e", "Łódź": "lodz", "Ångström": "angstrom", "œuvre": "oeuvre", "Ή": "η", "МОСКВА": "москва", "ﬁn": "fin",
		"roz\u00adpočet": "rozpocet", "\xff": "\uFFFD",
	} {
		if got := Fold(in); got != want {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
}

// Forms of one word meet, typed with or without diacritics; the forms of others do not.
func TestStem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lang, one, other string
		same             bool
	}{
		{"sk", "rozpočtu", "ROZPOCET", true},
		{"sk", "voľbách", "volby", true},
		{"sk", "rada", "strada", false},
		{"sk", "u", "u", true},
		{"de", "Häuser", "Haus", true},
		{"de", "Oesterreich", "Österreichs", true},
		{"de", "Wahlen", "wahl", true},
		{"de", "Quelle", "Quellen", true},
		{"de", "Straßen", "Strasse", true},
		{"de", "Wahl", "Wal", false},
		{"de", "neuen", "neue", true},
		{"en", "elections", "election", true},
		{"en", "running", "run", true},
		{"en", "new", "news", false},
		{"sk", "covid19", "covid19", true},
		{"sk", "2026", "2025", false},
		{"cs", "Vlády", "vlady", true},
		{"cs", "vlády", "vláda", false},
	} {
		if got := Stem(c.lang, c.one) == Stem(c.lang, c.other); got != c.same {
			t.Errorf("%s: %s is %q, %s is %q", c.lang, c.one, Stem(c.lang, c.one), c.other, Stem(c.lang, c.other))
		}
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	text := "Vláda, a rozpo\u00adčet – 1,5 mld. eur; Rakúsko-Uhorsko e\u0301t \xff 日本"
	var words, folded []string
	common := 0
	for _, tok := range Tokens("sk", text) {
		words, folded = append(words, text[tok.Start:tok.End]), append(folded, tok.Folded)
		if tok.Stem == "" {
			common++
		}
	}
	if want := []string{
		"Vláda", "a", "rozpo\u00adčet", "1", "5", "mld", "eur", "Rakúsko", "Uhorsko", "e\u0301t",
		"日本",
	}; !slices.Equal(words, want) {
		t.Errorf("%q", words)
	}
	if want := []string{
		"vlada", "a", "rozpocet", "1", "5", "mld", "eur", "rakusko", "uhorsko", "et",
		"日本",
	}; !slices.Equal(folded, want) {
		t.Errorf("%q", folded)
	}
	if common != 1 {
		t.Errorf("%d common words", common)
	}
	n := 0
	Each("sk", text, func(Token) bool { n++; return n < 2 })
	if n != 2 {
		t.Errorf("%d tokens after the end", n)
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("sk", "Najväčší \xc3 ludia'ich\u0301")
	f.Add("de", strings.Repeat("ß", 100))
	f.Add("en", "'s's y's \u00ad\u00ada")
	f.Fuzz(func(t *testing.T, lang, text string) {
		last := 0
		for _, tok := range Tokens(lang, text) {
			if tok.Start < last || tok.End <= tok.Start || tok.End > len(text) {
				t.Fatalf("%+v after %d", tok, last)
			}
			last = tok.End
			if len(tok.Stem) > MaxLength || !utf8.ValidString(tok.Stem) || strings.ContainsAny(tok.Stem, " '\\:|&!()<>*\"") {
				t.Fatalf("stem %q", tok.Stem)
			}
			if again := Fold(tok.Folded); again != tok.Folded {
				t.Fatalf("%q folds to %q", tok.Folded, again)
			}
		}
	})
}

func BenchmarkTokens(b *testing.B) {
	text := strings.Repeat("Vláda v stredu schválila návrh rozpočtu na budúci rok, opozícia s ním nesúhlasí. ", 40)
	for _, lang := range []string{"sk", "de", "en"} {
		b.Run(lang, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Each(lang, text, func(Token) bool { return true })
			}
		})
	}
}
