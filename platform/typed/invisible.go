package typed

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Characters without a shape of their own.
const (
	zeroWidthSpace     = '\u200b' // where a line may be broken
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
	keycap             = '\u20e3'
	blackFlag          = '\U0001F3F4' // tags after it name a part of a country
	cancelTag          = '\U000E007F'
)

var (
	// joining are the scripts in which a joiner or a non-joiner changes the shape of a letter: Persian, Hindi, Sinhala.
	joining = []*unicode.RangeTable{
		unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mandaic, unicode.Mongolian, unicode.Phags_Pa, unicode.Adlam,
		unicode.Hanifi_Rohingya, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya,
		unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Myanmar,
		unicode.Khmer, unicode.Tibetan, unicode.Balinese, unicode.Javanese, unicode.Sundanese, unicode.Meetei_Mayek,
	}
	// unspaced are the scripts that write no blanks between words, and may mark where a line can be broken.
	unspaced = []*unicode.RangeTable{
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Tai_Tham, unicode.Tai_Viet,
		unicode.New_Tai_Lue, unicode.Javanese, unicode.Balinese,
	}
	rightToLeft = []*unicode.RangeTable{
		unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan, unicode.Mandaic,
		unicode.Adlam, unicode.Hanifi_Rohingya,
	}
	// varied are the characters of which variation selectors 1 to 14 and those for ideographs select a form. Names of
	// people in Japan have them.
	varied = []*unicode.RangeTable{unicode.Han, unicode.Myanmar, unicode.Phags_Pa, unicode.Sm}

	// pictures are the blocks that have emoji (Extended_Pictographic of Unicode's emoji-data.txt, rounded to blocks, so
	// that emoji of later versions are among them).
	pictures = &unicode.RangeTable{
		R16: []unicode.Range16{
			{Lo: 0x00a9, Hi: 0x00ae, Stride: 5},
			{Lo: 0x203c, Hi: 0x203c, Stride: 1},
			{Lo: 0x2049, Hi: 0x2049, Stride: 1},
			{Lo: 0x2122, Hi: 0x2122, Stride: 1},
			{Lo: 0x2139, Hi: 0x2139, Stride: 1},
			{Lo: 0x2194, Hi: 0x21aa, Stride: 1},
			{Lo: 0x2300, Hi: 0x23ff, Stride: 1},
			{Lo: 0x24c2, Hi: 0x24c2, Stride: 1},
			{Lo: 0x25aa, Hi: 0x27bf, Stride: 1},
			{Lo: 0x2934, Hi: 0x2935, Stride: 1},
			{Lo: 0x2b05, Hi: 0x2b55, Stride: 1},
			{Lo: 0x3030, Hi: 0x303d, Stride: 13},
			{Lo: 0x3297, Hi: 0x3299, Stride: 2},
		},
		R32:         []unicode.Range32{{Lo: 0x1f000, Hi: 0x1faff, Stride: 1}},
		LatinOffset: 1,
	}

	// signs are of the category Cf and yet visible: they stand before or around a number.
	signs = &unicode.RangeTable{
		R16: []unicode.Range16{
			{Lo: 0x0600, Hi: 0x0605, Stride: 1},
			{Lo: 0x06dd, Hi: 0x06dd, Stride: 1},
			{Lo: 0x070f, Hi: 0x070f, Stride: 1},
			{Lo: 0x0890, Hi: 0x0891, Stride: 1},
			{Lo: 0x08e2, Hi: 0x08e2, Stride: 1},
		},
		R32: []unicode.Range32{{Lo: 0x110bd, Hi: 0x110bd, Stride: 1}, {Lo: 0x110cd, Hi: 0x110cd, Stride: 1}},
	}
)

// maxMarks bounds the accents of one letter. No language has as many; more are piled up to cover the lines around.
const maxMarks = 8

// visible removes the characters that have no shape and no effect, and writes the rest in one form (NFC). Every kind of
// blank becomes a blank, and every kind of line end a line feed.
func visible(s string) string {
	runes := []rune(norm.NFC.String(lineEnds.Replace(s)))
	rtl := strings.ContainsFunc(s, func(r rune) bool { return letterOf(r, rightToLeft) })
	var b strings.Builder
	var base, last rune // the last character without its marks, and the last one at all, of those that stay
	marks := 0
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		if n := flagTags(runes[i:]); base == blackFlag && n > 0 {
			b.WriteString(string(runes[i : i+n]))
			i += n - 1
			continue
		}
		next := rune(-1)
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		switch {
		case r == '\n':
		case r == '\t' || unicode.Is(unicode.Zs, r) || r == '\u2800':
			r = ' '
		case ignorable(r):
			if !needed(r, base, last, next, rtl) {
				continue
			}
			b.WriteRune(r)
			last = r
			continue
		case unicode.IsMark(r):
			if marks++; marks > maxMarks {
				continue
			}
			b.WriteRune(r)
			last = r
			continue
		}
		b.WriteRune(r)
		base, last, marks = r, r, 0
	}
	return norm.NFC.String(b.String())
}

// ignorable reports whether a character has no shape: controls, formats, fillers, selectors, private and invalid ones.
func ignorable(r rune) bool {
	switch {
	case unicode.Is(unicode.Cf, r):
		return !unicode.Is(signs, r)
	case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Co, r), unicode.Is(unicode.Variation_Selector, r),
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r), unicode.Is(unicode.Noncharacter_Code_Point, r):
		return true
	}
	return r == '\ufffc' // stands for a picture of the program from which the text was copied
}

// needed reports whether a character without a shape has a meaning between its neighbours. base is the last letter or
// picture, last the character before.
func needed(r, base, last, next rune, rtl bool) bool {
	switch {
	case r == last: // twice is once
		return false
	case r == zeroWidthJoiner && unicode.Is(pictures, base):
		return unicode.Is(pictures, next)
	case r == zeroWidthJoiner, r == zeroWidthNonJoiner:
		return last != zeroWidthJoiner && last != zeroWidthNonJoiner && letterOf(base, joining)
	case r == zeroWidthSpace:
		return letterOf(base, unspaced) && letterOf(next, unspaced)
	case r == '\u200e' || r == '\u200f' || r == '\u061c':
		return rtl
	case r == '\ufe0e' || r == '\ufe0f':
		if last == base && strings.ContainsRune("#*0123456789", base) {
			return next == keycap
		}
		return last == base && (unicode.Is(pictures, base) || unicode.Is(unicode.Han, base))
	case r >= '\u180b' && r <= '\u180f':
		return unicode.Is(unicode.Mongolian, base)
	case unicode.Is(unicode.Variation_Selector, r):
		return last == base && unicode.In(base, varied...)
	}
	return false
}

func letterOf(r rune, scripts []*unicode.RangeTable) bool {
	return unicode.IsLetter(r) && unicode.In(r, scripts...)
}

// maxTags bounds the tags of a flag; "gbeng" has five.
const maxTags = 6

// flagTags returns how many of the first characters are the tags of a flag with their end; 0 if they are not.
func flagTags(runes []rune) int {
	for i, r := range runes[:min(len(runes), maxTags+1)] {
		switch {
		case r == cancelTag && i > 0:
			return i + 1
		case r < '\U000E0030' || r > '\U000E007A':
			return 0
		}
	}
	return 0
}
