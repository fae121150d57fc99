package content

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const maxSlug = 90 // bytes

// Letters that decomposition does not take apart, and how German writes its own.
var (
	letters = strings.NewReplacer("ß", "ss", "đ", "d", "ð", "d", "þ", "th", "ł", "l", "ø", "o", "æ", "ae", "œ",
		"oe", "ı", "i")
	umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue")
)

// slugify makes a word of an address from any text: lower case letters without marks, digits and single hyphens.
func slugify(lang, text string) string {
	text = norm.NFC.String(strings.ToLower(text))
	if lang == "de" {
		text = umlauts.Replace(text)
	}
	text = norm.NFD.String(letters.Replace(text))
	var b strings.Builder
	gap := false
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Mn, r) || r == '\'' || r == '’':
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		default:
			gap = true
		}
	}
	s := b.String()
	if len(s) > maxSlug {
		s = strings.ToValidUTF8(s[:maxSlug], "")
		if i := strings.LastIndexByte(s, '-'); i > maxSlug/2 {
			s = s[:i]
		}
	}
	return s
}

// cleanPath is the form in which old addresses are kept and looked up; "" is none.
func cleanPath(p string) string {
	p, _, _ = strings.Cut(p, "#")
	p, _, _ = strings.Cut(p, "?")
	parts := strings.FieldsFunc(strings.ToLower(oneLine(p)), func(r rune) bool { return r == '/' })
	if len(parts) == 0 {
		return ""
	}
	return "/" + strings.Join(parts, "/")
}

// oneLine is plain text as the store takes it: valid, without control characters, single spaces.
func oneLine(s string) string {
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

// Slug makes a word of an address from any text, as the posts, authors and categories of an edition in lang have it.
func Slug(lang, text string) string { return slugify(lang, text) }

// storable tells whether a word of an address can be one of the database's at all: it takes no NUL and no broken
// letters.
func storable(s string) bool { return !strings.ContainsRune(s, 0) && utf8.ValidString(s) }
