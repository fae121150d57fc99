package post

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/platform/typed"
)

const maxSlug = 90 // bytes

// Letters that decomposition does not take apart, and how German writes its own.
var (
	letters = strings.NewReplacer("ß", "ss", "đ", "d", "ð", "d", "þ", "th", "ł", "l", "ø", "o", "æ", "ae", "œ",
		"oe", "ı", "i")
	umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue")
)

// Slug makes a word of an address from any text, as an edition in lang has it: lower case letters without marks, digits
// and single hyphens.
func Slug(lang, text string) string {
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
		s = typed.Cut(s, maxSlug)
		if i := strings.LastIndexByte(s, '-'); i > maxSlug/2 {
			s = s[:i]
		}
	}
	return s
}

// CleanPath is the form in which old addresses are kept and looked up; "" is none.
func CleanPath(p string) string {
	p, _, _ = strings.Cut(p, "#")
	p, _, _ = strings.Cut(p, "?")
	parts := strings.FieldsFunc(strings.ToLower(markup.OneLine(p)), func(r rune) bool { return r == '/' })
	if len(parts) == 0 {
		return ""
	}
	return "/" + strings.Join(parts, "/")
}

// Storable reports whether a word of an address can be one of the database's at all: it takes no NUL and no broken
// letters.
func Storable(s string) bool { return !strings.ContainsRune(s, 0) && utf8.ValidString(s) }
