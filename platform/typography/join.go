package typography

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	opening = "(„“”‚‘’\"'«»‹›[–—-+−±~<>≈"
	closing = ".,;:!?…)]“”‘’\"'»«›‹"
)

// join reports whether a word belongs on the line of the word before it.
func (r *rules) join(words []word, i int) bool {
	left, right := strings.TrimLeft(words[i-1].text, opening), strings.TrimLeft(words[i].text, opening)
	bare := strings.TrimRight(right, closing)
	chained := i > 1 && words[i-1].joined
	switch {
	case words[i].text == "–" || words[i].text == "—": // a line does not begin with a dash
		return true
	case slices.Contains(r.Single, strings.ToLower(left)):
		return true
	case initial(left) && (initial(right) || startsUpper(left) && startsUpper(right)): // z. B., a. s., J. Novák
		return true
	case slices.Contains(r.Before, left):
		return startsDigit(right)
	case slices.Contains(r.Titles, left):
		return startsUpper(right) || strings.HasSuffix(right, ".")
	case isDay(left):
		return slices.Contains(r.Months, bare) || isDay(right) || isYear(bare)
	case slices.Contains(r.Months, left):
		return chained && isYear(bare)
	case begins(left, r.Magnitudes):
		return chained && begins(bare, r.Currencies)
	case isNumber(left):
		return r.counts(words, i, left, right, bare)
	}
	return false
}

// counts reports whether a word belongs to the number before it.
func (r *rules) counts(words []word, i int, left, right, bare string) bool {
	switch {
	case slices.Contains(r.symbols, bare) || slices.Contains(r.symbols, right):
		return true
	case begins(bare, r.Magnitudes) || begins(right, r.Magnitudes) || begins(bare, r.Currencies) || begins(bare, r.Units):
		return true
	case threeDigits(bare) && groupable(left): // 14 000
		return true
	case len(left) == 3 && allDigits(left) && len(bare) == 2 && allDigits(bare): // 811 09
		return true
	case !startsUpper(right) || !allDigits(left):
		return false
	case len(left) == 2: // 811 09 Bratislava
		return i > 1 && words[i-1].joined && len(words[i-2].text) == 3 && allDigits(words[i-2].text)
	}
	// 1070 Wien, where an address says it
	return (len(left) == 4 || len(left) == 5) && (words[i-1].first || strings.HasSuffix(words[i-2].text, ","))
}

// hyphens finds the hyphens of a word at which no line may break: those of e-mail and of numbers of documents.
func hyphens(w *word) (at []int) {
	if w.start < 0 || !strings.Contains(w.text, "-") || strings.ContainsAny(w.text, "@/&=") {
		return nil
	}
	text := strings.TrimLeft(w.text, opening)
	skipped := len(w.text) - len(text)
	if len(text) > 2 && (text[0] == 'e' || text[0] == 'E') && text[1] == '-' &&
		strings.EqualFold(text[2:min(6, len(text))], "mail") {
		return []int{skipped + 1}
	}
	if !isDocumentNumber(strings.TrimRight(text, closing)) {
		return nil
	}
	for i := range len(text) {
		if text[i] == '-' {
			at = append(at, skipped+i)
		}
	}
	return at
}

// isDocumentNumber reports whether a word is like FV-2026-000117 or FV-AT-2026-000117.
func isDocumentNumber(s string) bool {
	parts := strings.Split(s, "-")
	n := len(parts) - 2
	if n < 1 || n > 2 || !isYear(parts[n]) || !allDigits(parts[n+1]) {
		return false
	}
	return !slices.ContainsFunc(parts[:n], func(p string) bool {
		return p == "" || strings.Trim(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != ""
	})
}

// begins reports whether a word is one of some, in any of its cases: they are given by their beginnings. Of the short
// ones, which many other words begin with, only the whole word counts.
func begins(w string, beginnings []string) bool {
	for _, b := range beginnings {
		if rest, ok := strings.CutPrefix(w, b); ok &&
			(rest == "" || utf8.RuneCountInString(b) >= 3 && utf8.RuneCountInString(rest) <= 4) {
			return true
		}
	}
	return false
}

// isNumber reports whether a word is a number that something may follow: 1,2 or 10:38 or 5–7 or 14'000.
func isNumber(s string) bool {
	return s != "" && isDigit(s[len(s)-1]) && isDigit(s[0]) && strings.Trim(s, "0123456789.,:'’–-×/") == ""
}

// isDay reports whether a word is the day of a date, or an ordinal: 22.
func isDay(s string) bool {
	digits, ok := strings.CutSuffix(s, ".")
	return ok && len(digits) <= 2 && allDigits(digits)
}

func isYear(s string) bool { return len(s) == 4 && allDigits(s) }

// initial reports whether a word is one letter with its dot.
func initial(s string) bool {
	s = strings.TrimRight(s, ",;:)")
	letter, size := utf8.DecodeRuneInString(s)
	return size > 0 && s[size:] == "." && unicode.IsLetter(letter)
}

// groupable reports whether a word can be the beginning of a number in groups of three: 14 of 14 000.
func groupable(s string) bool { return len(s) <= 3 && allDigits(s) && s[0] != '0' }

func threeDigits(s string) bool {
	if whole, cents, ok := strings.Cut(s, ","); ok && allDigits(cents) {
		s = whole
	}
	return len(s) == 3 && allDigits(s)
}

func allDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func startsDigit(s string) bool { return s != "" && isDigit(s[0]) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func startsUpper(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(c)
}
