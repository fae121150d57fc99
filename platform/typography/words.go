package typography

import (
	"strings"
	"unicode/utf8"
)

// word is what stands between two spaces.
type word struct {
	text   string
	start  int  // where it is; -1 where tags part it
	space  int  // where the plain space before it is, plus one; 0 for none
	joined bool // to the word before, by a no-break space
	first  bool // nothing stands before it: the text, a line or a block begins
}

// inline are the tags that do not end a line.
var inline = map[string]bool{
	"a": true, "abbr": true, "b": true, "cite": true, "del": true, "em": true, "i": true, "ins": true, "mark": true,
	"q": true, "s": true,
	"small": true, "span": true, "strong": true, "sub": true, "sup": true, "time": true, "u": true,
}

// opaque are the elements whose text is for machines, or is shown as it was typed.
var opaque = map[string]bool{
	"code": true, "kbd": true, "pre": true, "samp": true, "script": true, "style": true,
	"textarea": true,
}

// splitter cuts a text into words.
type splitter struct {
	words []word
	next  word // what is known of the word that comes
	open  bool // the last word goes on behind a tag
}

func split(text string, markup bool) []word {
	s := splitter{next: word{first: true}, words: make([]word, 0, len(text)/6+1)}
	for at := 0; at < len(text); {
		c, size := rune(text[at]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(text[at:])
		}
		switch {
		case markup && c == '<':
			at = s.tag(text, at)
			continue
		case c == '\n' || c == '\t' || c == '\r':
			s.line()
		case c == ' ' || c == nbsp:
			s.gap(at, c == nbsp)
		default:
			size = wordLength(text[at:], markup)
			s.word(text[at:at+size], at)
		}
		at += size
	}
	return s.words
}

// wordLength is how long the word is that a text begins with.
func wordLength(text string, markup bool) int {
	for i := range len(text) {
		switch text[i] {
		case ' ', '\n', '\t', '\r':
			return i
		case '<':
			if markup {
				return i
			}
		case 0xc2: // which a no-break space begins with
			if strings.HasPrefix(text[i:], string(nbsp)) {
				return i
			}
		}
	}
	return len(text)
}

func (s *splitter) line() { s.next, s.open = word{first: true}, false }

// gap notes a space. Of two in a row browsers show one, and neither is touched.
func (s *splitter) gap(at int, hard bool) {
	switch {
	case s.next.space > 0 || s.next.joined:
		s.next.space, s.next.joined = 0, true
	case hard:
		s.next.joined = true
	default:
		s.next.space = at + 1
	}
	s.open = false
}

func (s *splitter) word(text string, at int) {
	if s.open {
		last := &s.words[len(s.words)-1]
		last.text, last.start = last.text+text, -1
		return
	}
	w := s.next
	w.text, w.start = text, at
	if w.first {
		w.space, w.joined = 0, false
	}
	s.words, s.next, s.open = append(s.words, w), word{}, true
}

// tag steps over a tag or a comment, and over all of an opaque element.
func (s *splitter) tag(text string, at int) (end int) {
	rest := text[at:]
	if strings.HasPrefix(rest, "<!--") {
		return at + until(rest, "-->")
	}
	end = at + tagLength(rest)
	name := strings.ToLower(strings.TrimLeft(rest[1:end-at], "/"))
	if i := strings.IndexAny(name, " \t\n\r/>"); i >= 0 {
		name = name[:i]
	}
	switch {
	case opaque[name] && rest[1] != '/':
		end += until(text[end:], "</"+name)
		s.word("\ufffc", at)
	case !inline[name] && !opaque[name]:
		s.line()
	}
	return end
}

// tagLength is how long the tag is that a text begins with; a > in quotes does not end it.
func tagLength(rest string) int {
	quote := byte(0)
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return len(rest)
}

// until is how far it is behind the end mark.
func until(text, mark string) int {
	for at := 0; ; {
		i := strings.Index(text[at:], mark[:2])
		if i < 0 || at+i+len(mark) > len(text) {
			return len(text)
		}
		if at += i; strings.EqualFold(text[at:at+len(mark)], mark) {
			return at + len(mark)
		}
		at++
	}
}
