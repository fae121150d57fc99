// Package typed cleans the texts that people type or paste into forms and commands, so that two texts that look alike
// are alike: it removes invisible characters that mean nothing, replaces unusual blanks, and normalises letters with
// accents. Characters that scripts and emoji need stay.
//
// It imports no other package of Broadsheet. Start at Line; the rules about single characters are in invisible.go,
// and address.go finds addresses in texts.
package typed

import (
	"errors"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// Errors of Line, Lines and Email.
var (
	ErrNotText = errors.New("typed: invalid UTF-8")
	ErrTooLong = errors.New("typed: the text is too long")
)

// Line cleans a text of one line: a name, an address, a search term. Line ends and tabs become blanks, several blanks
// become one. It returns ErrNotText, or ErrTooLong if the clean text has more than maxRunes characters.
func Line(s string, maxRunes int) (string, error) { return bounded(s, maxRunes, line) }

// Lines cleans a text of several lines: a comment, a message. It keeps at most one empty line between two others. It
// returns ErrNotText, or ErrTooLong if the clean text has more than maxRunes characters.
func Lines(s string, maxRunes int) (string, error) { return bounded(s, maxRunes, lines) }

// maxEmail bounds an address: 64 bytes, "@" and 255 bytes (RFC 5321, 4.5.3.1).
const maxEmail = 320

// Email cleans an email address: like Line, and full-width characters become ASCII. It does not check the address. It
// returns ErrNotText, or ErrTooLong.
func Email(s string) (string, error) {
	return bounded(s, maxEmail, func(s string) string { return line(narrow.Replace(s)) })
}

// maxCode bounds the text in which Code looks for a code, and the code, in characters.
const maxCode = 200

// Code returns the letters and digits of a code, in upper case, in the form that keyboards here type: full-width ones
// and the digits of other scripts become ASCII. Blanks, hyphens of any kind, quotation marks and invisible characters
// between or around them are dropped. It returns "" if there are no letters and digits, if one has an accent that is no
// part of it, or if the text is too long.
func Code(s string) string {
	if !utf8.ValidString(s) || utf8.RuneCountInString(s) > maxCode {
		return ""
	}
	var b strings.Builder
	for _, r := range norm.NFC.String(width.Fold.String(s)) {
		switch {
		case ignorable(r):
		case unicode.IsDigit(r):
			b.WriteRune(asciiDigit(r))
		case unicode.IsLetter(r):
			b.WriteRune(unicode.ToUpper(r))
		case unicode.IsMark(r), r == utf8.RuneError:
			return ""
		}
	}
	if s = norm.NFC.String(b.String()); utf8.RuneCountInString(s) > maxCode {
		return ""
	}
	return s
}

// Shown returns a text of any origin as one line, without what is not seen. Invalid bytes are replaced.
func Shown(s string) string { return line(strings.ToValidUTF8(s, "\uFFFD")) }

// Excerpt returns a text as one line of at most maxRunes characters for a log: like Shown, the rest is cut off.
func Excerpt(s string, maxRunes int) string {
	s = Shown(s)
	if runes := []rune(s); len(runes) > maxRunes {
		s = strings.TrimSpace(string(runes[:maxRunes]))
	}
	return s
}

// Cut returns the longest beginning of s with at most maxBytes bytes that ends between two characters. Bytes that are
// no UTF-8 are left out.
func Cut(s string, maxBytes int) string {
	return strings.ToValidUTF8(s[:min(len(s), maxBytes)], "")
}

func bounded(s string, maxRunes int, clean func(string) string) (string, error) {
	if !utf8.ValidString(s) {
		return "", ErrNotText
	}
	if s = clean(s); utf8.RuneCountInString(s) > maxRunes {
		return "", ErrTooLong
	}
	return s, nil
}

func line(s string) string { return strings.Join(strings.Fields(visible(s)), " ") }

// lineEnds makes one character of each kind of line end.
var lineEnds = strings.NewReplacer(
	"\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n",
)

var (
	trailingBlanks = regexp.MustCompile(` +\n`)
	emptyLines     = regexp.MustCompile(`\n{3,}`)
)

func lines(s string) string {
	s = trailingBlanks.ReplaceAllString(visible(s), "\n")
	return strings.TrimSpace(emptyLines.ReplaceAllString(s, "\n\n"))
}

// narrow makes ASCII of the full-width characters that input methods of East Asia write.
var narrow = func() *strings.Replacer {
	var pairs []string
	for r := rune(0xFF01); r <= 0xFF5E; r++ {
		pairs = append(pairs, string(r), string(r-0xFF01+'!'))
	}
	return strings.NewReplacer(pairs...)
}()

// asciiDigit returns the ASCII digit with the value of a digit of any script. The digits of a script follow each other,
// from 0 to 9.
func asciiDigit(r rune) rune {
	for _, t := range unicode.Nd.R16 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return '0' + (r-rune(t.Lo))%10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return '0' + (r-rune(t.Lo))%10
		}
	}
	return r
}
