// Package stem takes words apart for searching: it finds the words of a text, folds their letters to plain ones, and
// cuts their endings, so that one form of a word finds the others. What it makes is for comparing, never for showing.
package stem

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/german"
	"golang.org/x/text/unicode/norm"
)

// MaxLength is the most bytes that a stem has; longer words are known by their beginning.
const MaxLength = 40

// softHyphen may stand inside a word and is no part of it.
const softHyphen = '\u00ad'

// Token is one word of a text.
type Token struct {
	Start, End int    // bytes in the text
	Folded     string // the word in plain letters
	Stem       string // what its forms have in common; "" for a word that is too common to search for
}

// Stem cuts the ending off a word of a language ("sk", "de", "en"; of any other it only folds). The word may have
// diacritics or lack them, which makes no difference.
func Stem(lang, word string) string { return stemFolded(lang, Fold(word)) }

func stemFolded(lang, w string) string {
	if strings.ContainsFunc(w, unicode.IsDigit) {
		return bounded(w)
	}
	switch lang {
	case "sk":
		w = slovak(w)
	case "de":
		env := snowballstem.NewEnv(umlauts(w))
		german.Stem(env)
		w = env.Current()
	case "en":
		env := snowballstem.NewEnv(w)
		english.Stem(env)
		w = env.Current()
	}
	return bounded(w)
}

// bounded cuts a word at a whole letter.
func bounded(w string) string {
	if len(w) <= MaxLength {
		return w
	}
	n := MaxLength
	for !utf8.RuneStart(w[n]) {
		n--
	}
	return w[:n]
}

// umlauts takes the way in which German words are typed without them ("Oesterreich") for the folded one ("Osterreich").
// After a vowel or a q the e is a letter of its own ("neue", "Quelle").
func umlauts(w string) string {
	if !strings.Contains(w, "ae") && !strings.Contains(w, "oe") && !strings.Contains(w, "ue") {
		return w
	}
	b := make([]byte, 0, len(w))
	for i := range len(w) {
		if w[i] == 'e' && i > 0 && strings.IndexByte("aou", w[i-1]) >= 0 &&
			(i == 1 || strings.IndexByte("aeiouyq", w[i-2]) < 0) {
			continue
		}
		b = append(b, w[i])
	}
	return string(b)
}

// Letters that decomposition does not take apart.
var whole = map[rune]string{
	'ß': "ss", 'ẞ': "ss", 'đ': "d", 'ð': "d", 'þ': "th", 'ł': "l", 'ø': "o", 'æ': "ae", 'œ': "oe", 'ı': "i",
	softHyphen: "",
}

// plain holds what becomes of the letters of Latin alphabets, so that they need no decomposition.
var plain = func() (table [0x250]string) {
	for r := range rune(len(table)) {
		table[r] = decompose(unicode.ToLower(r))
	}
	return table
}()

func decompose(r rune) string {
	if s, ok := whole[r]; ok {
		return s
	}
	if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
		return string(r)
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(string(r)) {
		r = unicode.ToLower(r)
		if s, ok := whole[r]; ok {
			b.WriteString(s)
		} else if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Fold writes text in lower case without diacritics; ß is ss.
func Fold(word string) string {
	simple := true
	for i := range len(word) {
		if c := word[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			simple = false
			break
		}
	}
	if simple {
		return word
	}
	var b strings.Builder
	b.Grow(len(word))
	for _, r := range word {
		switch {
		case r < rune(len(plain)):
			b.WriteString(plain[r])
		case unicode.Is(unicode.Mn, r):
		default:
			b.WriteString(decompose(unicode.ToLower(r)))
		}
	}
	return b.String()
}

// Tokens finds the words of a text, in order. Hyphens and apostrophes part words.
func Tokens(lang, text string) []Token {
	tokens := make([]Token, 0, len(text)/7)
	Each(lang, text, func(t Token) bool {
		tokens = append(tokens, t)
		return true
	})
	return tokens
}

// Each is Tokens, one at a time, until found returns false.
func Each(lang, text string, found func(Token) bool) {
	start := -1
	for i, r := range text {
		if inWord(r, start >= 0) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			if !found(token(lang, text, start, i)) {
				return
			}
			start = -1
		}
	}
	if start >= 0 {
		found(token(lang, text, start, len(text)))
	}
}

func inWord(r rune, begun bool) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || begun && (unicode.Is(unicode.Mn, r) || r == softHyphen)
}

func token(lang, text string, start, end int) Token {
	t := Token{Start: start, End: end, Folded: Fold(text[start:end])}
	if !stopWords[lang][t.Folded] {
		t.Stem = stemFolded(lang, t.Folded)
	}
	return t
}
