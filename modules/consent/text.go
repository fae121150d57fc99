package consent

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"example.org/broadsheet/locales"
	"example.org/broadsheet/platform/edition"
)

// shown are the words of the question about cookies, in the order in which they stand on the page.
var shown = []string{"consent.title", "consent.text", "consent.more", "consent.necessary", "consent.all"}

// text is something that somebody agreed to, word for word.
type text struct{ language, words string }

func (t text) hash() string {
	sum := sha256.Sum256([]byte(t.words))
	return hex.EncodeToString(sum[:])
}

// cookieText is the question about cookies as the edition's browsers show it.
func cookieText(ed *edition.Edition) (text, error) {
	words, err := browserWords(ed)
	if err != nil {
		return text{}, err
	}
	lines := make([]string, len(shown))
	for i, id := range shown {
		if lines[i] = words[id]; lines[i] == "" {
			return text{}, fmt.Errorf("consent: locales/%s has no words for %s", ed.Locale, id)
		}
	}
	return text{ed.IntlLocale, strings.Join(lines, "\n")}, nil
}

// browserWords reads the words of the page's frame, with those of the region over them.
func browserWords(ed *edition.Edition) (map[string]string, error) {
	words := map[string]string{}
	b, err := locales.FS.ReadFile(ed.Locale + "/web/core.json")
	if err != nil {
		return nil, fmt.Errorf("consent: %w", err)
	}
	if err := json.Unmarshal(b, &words); err != nil {
		return nil, fmt.Errorf("consent: locales/%s/web/core.json: %w", ed.Locale, err)
	}
	if b, err = locales.FS.ReadFile(ed.IntlLocale + "/web.json"); err != nil {
		return words, nil //nolint:nilerr // most regions say nothing otherwise than their language
	}
	if err := json.Unmarshal(b, &words); err != nil {
		return nil, fmt.Errorf("consent: locales/%s/web.json: %w", ed.IntlLocale, err)
	}
	return words, nil
}

// termsText says which documents, in which versions, were to be agreed to, and where they stood.
func termsText(ed *edition.Edition) text {
	var lines []string
	for _, d := range ed.Consent.Documents {
		lines = append(lines, d.ID+" "+d.Version+" "+ed.URL(ed.Href(edition.Static, d.Static)))
	}
	return text{ed.IntlLocale, strings.Join(lines, "\n")}
}
