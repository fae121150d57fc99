package payqr

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// typographic are signs of printed texts, and the ones in their place that every banking app knows.
var typographic = strings.NewReplacer(
	"‘", "'", "’", "'", "‚", "'", "‛", "'", "‹", "'", "›", "'", "′", "'", "ʼ", "'",
	"“", `"`, "”", `"`, "„", `"`, "‟", `"`, "″", `"`,
	"‐", "-", "‑", "-", "‒", "-", "–", "-", "—", "-", "―", "-", "−", "-",
	"…", "...", "•", "·", "‧", "·", "⁄", "/", "∕", "/", "№", "No.", "™", "(TM)", "℠", "(SM)", "℮", "e",
	"ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st", "ẞ", "SS", "ə", "e", "Ə", "E",
)

// letters are those without an accent for the ones that Unicode does not take apart.
var letters = strings.NewReplacer(
	"ß", "ss", "ł", "l", "Ł", "L", "đ", "d", "Đ", "D", "ø", "o", "Ø", "O", "æ", "ae", "Æ", "AE", "œ", "oe", "Œ", "OE",
	"ı", "i", "þ", "th", "Þ", "Th", "ð", "d", "Ð", "D", "ħ", "h", "Ħ", "H",
)

// plain replaces typographic quotation marks, dashes, dots and ligatures, and drops invisible characters.
func plain(s string) string {
	return typographic.Replace(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Cc, r), unicode.Is(unicode.Variation_Selector, r):
			return -1
		}
		return r
	}, norm.NFC.String(s)))
}

// inSwissCode reports whether a QR-bill may have a letter: the character set of the Swiss Implementation Guidelines
// 2.3, section 4.1.1.
func inSwissCode(r rune) bool {
	return r >= 0x20 && r <= 0x7e || r >= 0xa0 && r <= 0x17f || strings.ContainsRune("ȘșȚț€", r)
}

// SwissText returns a text with the letters that a QR-bill may have: typographic signs are replaced, other letters lose
// their accents, and each of those that are still not allowed becomes a question mark. refused are these.
func SwissText(s string) (text, refused string) {
	var b, left strings.Builder
	for _, r := range plain(s) {
		bare := withoutAccents(string(r))
		switch {
		case inSwissCode(r):
			b.WriteRune(r)
		case bare != "" && strings.IndexFunc(bare, func(r rune) bool { return !inSwissCode(r) }) < 0:
			b.WriteString(bare)
		default:
			b.WriteByte('?')
			left.WriteRune(r)
		}
	}
	return strings.Join(strings.Fields(b.String()), " "), left.String()
}

// swiss is a field of a QR-bill: the length counts after letters are replaced.
func swiss(s string, maxLetters int) string {
	text, _ := SwissText(s)
	return line(text, maxLetters)
}

// withoutAccents returns the base letters of a text. Some banking apps fail at a PAY by square code with others.
func withoutAccents(s string) string {
	return letters.Replace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s)))
}
