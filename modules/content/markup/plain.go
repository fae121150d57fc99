package markup

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// OneLine is plain text as the store takes it: valid, without control characters, single spaces.
func OneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) && r != '\u00a0' && r != '\u202f'
	}), " ")
}

// CountParagraphs counts the paragraphs of a sanitised body: its top-level <p>.
func CountParagraphs(body string) int {
	nodes, err := parse(body)
	if err != nil {
		return 0
	}
	n := 0
	for _, c := range nodes {
		if c.DataAtom == atom.P {
			n++
		}
	}
	return n
}

// inlineTag is a tag inside a line, which parts no words.
var inlineTag = regexp.MustCompile(
	`</?(a|abbr|b|bdi|bdo|cite|code|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr)\b[^>]*>`)

// PlainText is the words of HTML, on one line.
func PlainText(body string) string {
	words := strings.ReplaceAll(inlineTag.ReplaceAllString(body, ""), "<", " <")
	return OneLine(html.UnescapeString(bluemonday.StrictPolicy().Sanitize(words)))
}

// Shorten shortens text at a word to at most n runes.
func Shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	s = string([]rune(s)[:n-1])
	if i := strings.LastIndexByte(s, ' '); i > 0 {
		s = s[:i]
	}
	return s + "…"
}

// wordsPerMinute is how fast a newspaper is read.
const wordsPerMinute = 200

// ReadingMinutes is how long a text takes, in whole minutes, rounded up; 0 where there are no words.
func ReadingMinutes(body string) int {
	words := 0
	for z := html.NewTokenizer(strings.NewReader(body)); z.Next() != html.ErrorToken; {
		if t := z.Token(); t.Type == html.TextToken {
			words += len(strings.Fields(t.Data))
		}
	}
	return (words + wordsPerMinute - 1) / wordsPerMinute
}
