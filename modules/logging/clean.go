package logging

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/broadsheet/platform/web"
)

// clean makes a text harmless: one line without control characters, without secrets and addresses of people, of at most
// limit characters.
func clean(s string, limit int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, s)
	s = strings.TrimSpace(web.Redact(s))
	if utf8.RuneCountInString(s) > limit {
		s = string([]rune(s)[:limit])
	}
	return s
}
