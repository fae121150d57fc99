// Package typography sets text for pages the way printers of a language do: words that must not part at the end of a
// line are joined by no-break spaces, and hyphens that must not break become no-break hyphens. Stored text stays as it
// was written; what is searched, copied, fed to machines or put into addresses stays plain.
package typography

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"
)

const (
	nbsp   = '\u00a0'
	hyphen = '\u2011'
)

// rules are what a language keeps together. The script that compiles the browser's words reads the same file.
type rules struct {
	Single     []string `json:"single"`     // words of one letter that do not end a line
	Before     []string `json:"before"`     // what stands before its number: § 5
	Titles     []string `json:"titles"`     // what stands before a name: Dr. Novák
	Months     []string `json:"months"`     // as dates have them
	Magnitudes []string `json:"magnitudes"` // beginnings of words
	Currencies []string `json:"currencies"` // beginnings of words
	Units      []string `json:"units"`      // beginnings of words
	symbols    []string // whole words, of all languages
}

//go:embed rules.json
var rulesJSON []byte

var languages = sync.OnceValue(func() map[string]*rules {
	var raw map[string]json.RawMessage
	out, symbols := map[string]*rules{}, []string(nil)
	err := json.Unmarshal(rulesJSON, &raw)
	for name, text := range raw {
		if name == "symbols" {
			err = errorOr(err, json.Unmarshal(text, &symbols))
			continue
		}
		out[name] = &rules{}
		err = errorOr(err, json.Unmarshal(text, out[name]))
	}
	if err != nil {
		panic(err) // a file of the binary
	}
	for _, r := range out {
		r.symbols = symbols
	}
	return out
})

func errorOr(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// rulesOf finds the rules of a language or of a region's form of it ("de-CH"); nil where there are none.
func rulesOf(lang string) *rules {
	base, _, _ := strings.Cut(lang, "-")
	return languages()[base]
}

// Text sets plain text. Setting it again changes nothing.
func Text(lang, text string) string { return set(lang, text, false) }

// HTML sets the text of a fragment of HTML. Tags with their attributes, comments, code and preformatted text stay as
// they are.
func HTML(lang, fragment string) string { return set(lang, fragment, true) }

// Plain undoes Text, for structured data, plain emails and everything that is searched or copied.
func Plain(text string) string {
	if !strings.ContainsRune(text, nbsp) && !strings.ContainsRune(text, hyphen) {
		return text
	}
	return plain.Replace(text)
}

var plain = strings.NewReplacer(string(nbsp), " ", string(hyphen), "-")

func set(lang, text string, markup bool) string {
	r := rulesOf(lang)
	if r == nil || !strings.ContainsAny(text, " -") {
		return text
	}
	words := split(text, markup)
	var out strings.Builder
	copied := 0
	put := func(at int, c rune) { // in the place of one byte
		out.WriteString(text[copied:at])
		out.WriteRune(c)
		copied = at + 1
	}
	for i := range words {
		w := &words[i]
		if w.space > 0 && r.join(words, i) {
			w.joined = true
			put(w.space-1, nbsp)
		}
		for _, at := range hyphens(w) {
			put(w.start+at, hyphen)
		}
	}
	if copied == 0 {
		return text
	}
	out.WriteString(text[copied:])
	return out.String()
}
