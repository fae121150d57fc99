package stem

import "strings"

// slovakEndings are the endings of nouns, adjectives and possessives by case and number, folded, the longest first: the
// first that leaves enough of the word is cut. "rest" is how many letters must be left; for an ending of
// more than one letter these must make a syllable too.
var slovakEndings = []struct {
	rest    int
	endings []string
}{
	{3, []string{"ovymi", "ovych"}},
	{3, []string{"iami", "iach", "ieho", "iemu", "ovho", "ovmu", "ovej", "ovou", "ovom", "ovym", "ovia"}},
	{3, []string{
		"ami", "ach", "och", "iam", "iou", "iom", "iej", "ich", "ych", "ymi", "imi", "eho", "emu", "ovi", "ova",
		"ove", "ovo", "ovu", "ovy",
	}},
	{3, []string{"ov", "om", "am", "ou", "ej", "ym", "im", "mi", "ia", "ie", "iu", "ii"}},
	{2, []string{"a", "e", "i", "o", "u", "y"}},
}

// inner are endings that may also be the end of a word's own stem ("program", "hokej", "ostrov"). They are cut once
// more where another ending was cut before them, so that all forms of the word lose the same.
var inner = []string{"ov", "om", "am", "ej", "ym", "im", "och", "ach"}

// irregular are forms that no rule brings together, by what the rules make of them.
var irregular = map[string]string{
	"clovk": "lud", "dieta": "det", "dietat": "det", "dna": "den", "dni": "den", "dnom": "den", "dnami": "den",
	"dnoch": "den", "dnu": "den", "dn": "den",
}

// slovak is a light stemmer: it cuts endings and levels the letters that change before them. w is folded.
func slovak(w string) string {
	if s, ok := irregular[w]; ok {
		return s
	}
	if rest, ok := strings.CutPrefix(w, "naj"); ok && len(rest) > 5 && strings.Contains(rest, "si") {
		w = rest // superlative
	}
	s := slovakCut(w)
	if s != w {
		for _, e := range inner {
			if t, ok := strings.CutSuffix(s, e); ok && enough(t, e, 3) {
				s = t
				break
			}
		}
	}
	if t, ok := strings.CutSuffix(s, "ejs"); ok && enough(t, "ejs", 3) {
		s = t // comparative
	}
	s = slovakLevel(s)
	if t, ok := irregular[s]; ok {
		return t
	}
	return s
}

func slovakCut(w string) string {
	for _, group := range slovakEndings {
		for _, e := range group.endings {
			if s, ok := strings.CutSuffix(w, e); ok && enough(s, e, group.rest) {
				return s
			}
		}
	}
	return w
}

func enough(s, ending string, rest int) bool {
	return len(s) >= rest && (len(ending) == 1 || syllable(s))
}

// syllable reports whether there is a vowel, or an r or l between consonants that stands for one ("vrch", "vlk").
func syllable(s string) bool {
	for i := range len(s) {
		if vowel(s[i]) || (s[i] == 'r' || s[i] == 'l') && i > 0 && i < len(s)-1 {
			return true
		}
	}
	return false
}

// slovakLevel undoes what an ending does to the letters before it: the vowel that comes and goes ("rozpočet, rozpočtu",
// "matka, matiek"), the long one in the genitive ("cesta, ciest"), k that becomes c ("politik, politici").
func slovakLevel(s string) string {
	n := len(s)
	// ie, before one or two consonants at the end
	for end := 1; end <= 2 && n-end >= 3; end++ {
		if !consonants(s[n-end:]) {
			break
		}
		if s[n-end-2:n-end] == "ie" && !vowel(s[n-end-3]) {
			s = s[:n-end-2] + s[n-end-1:]
			n--
			break
		}
	}
	if n >= 4 && (s[n-2] == 'e' || s[n-2] == 'o') && strings.IndexByte("bcklmnrtv", s[n-1]) >= 0 && !vowel(s[n-3]) {
		s = s[:n-2] + s[n-1:]
		n--
	}
	if n >= 3 && s[n-1] == 'c' && vowel(s[n-2]) {
		s = s[:n-1] + "k"
	}
	return s
}

func vowel(c byte) bool { return strings.IndexByte("aeiouy", c) >= 0 }

func consonants(s string) bool {
	for i := range len(s) {
		if vowel(s[i]) || s[i] >= 0x80 {
			return false
		}
	}
	return true
}
