// Package lettering draws text of any script. Plain reports what the fonts of a document draw by themselves; Visible
// replaces what no font has; Shape joins and orders the rest as its script wants it, into outlines.
package lettering

import (
	"strings"
	"unicode"

	"github.com/go-text/typesetting/segmenter"
	"golang.org/x/text/unicode/norm"
)

// Missing stands for a letter that no font has.
const Missing = "\uFFFD"

// maxMarks is how many marks a letter may bear: more would be drawn over the lines above and below.
const maxMarks = 4

// Plain reports whether the first font has all of a text, and draws it letter by letter from left to right.
func Plain(text string) bool {
	first := fonts()[0]()
	for _, r := range text {
		if _, has := first.NominalGlyph(r); r != '\n' && (!has || r > 0xFFFF || unicode.Is(unicode.M, r)) {
			return false
		}
	}
	return true
}

// Visible returns a text as it can be drawn. What is never seen (controls, marks of direction, bytes that are no text)
// is left away or made a blank; letters that no font has are replaced by plainer ones ("𝓐" is "A"), and the rest by
// Missing, once for each thing that a reader would take for one letter. Lines stay.
func Visible(text string) string {
	text = norm.NFC.String(strings.ToValidUTF8(text, Missing))
	if Plain(text) {
		return text
	}
	var all segmenter.Segmenter
	all.Init([]rune(text))
	var out strings.Builder
	for it := all.GraphemeIterator(); it.Next(); {
		out.WriteString(visible(it.Grapheme().Text))
	}
	return out.String()
}

// visible is Visible for one thing that a reader takes for a letter, with its marks.
func visible(cluster []rune) string {
	switch r := cluster[0]; {
	case r == '\n':
		return "\n"
	case unicode.In(r, unicode.Zl, unicode.Zp) || unicode.IsSpace(r) && len(cluster) == 1 && fontOf(r) < 0:
		return " "
	}
	var out strings.Builder
	lacks, marks := false, 0
	for _, r := range cluster {
		if unicode.Is(unicode.M, r) {
			marks++
		}
		switch {
		case unicode.IsControl(r):
			out.WriteByte(' ')
		case isJoiner(r) && len(cluster) > 1 && !lacks && isJoined(cluster[0]):
			out.WriteRune(r)
		case isUnseen(r):
		case marks > maxMarks || fontOf(r) < 0:
			plain := norm.NFKC.String(string(r))
			if marks > maxMarks || strings.ContainsFunc(plain, func(r rune) bool { return fontOf(r) < 0 || isUnseen(r) }) {
				plain = Missing
			}
			if plain != Missing || !lacks {
				out.WriteString(plain)
			}
			lacks = lacks || plain == Missing
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// isUnseen reports whether a letter has no look of its own.
func isUnseen(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// isJoiner reports whether a letter says how those beside it are joined.
func isJoiner(r rune) bool { return r == '\u200C' || r == '\u200D' }

// isJoined reports whether joiners mean something after a letter. After a picture, they make one picture of two, which
// no font here does.
func isJoined(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }
