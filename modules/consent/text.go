package consent

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"example.org/broadsheet/locales"
	"example.org/broadsheet/platform/paper/edition"
)

// shown are the words of the question about cookies, in the order in which they stand on the page.
var shown = []string{"consent.title", "consent.text", "consent.more", "consent.necessary", "consent.all"}

// dialogWords are the words of the question about the documents.
func dialogWords(ed *edition.Edition) []string {
	if ed.Consent.RejectLogsOut {
		return []string{"terms.title", "terms.text", "terms.leaves", "terms.agree", "terms.later", "terms.reject"}
	}
	return []string{"terms.title", "terms.text", "terms.agree", "terms.later", "terms.reject"}
}

// text is something that somebody agreed to, word for word.
type text struct{ language, words string }

func (t text) hash() string {
	sum := sha256.Sum256([]byte(t.words))
	return hex.EncodeToString(sum[:])
}

// cookieText is the question about cookies as the edition's browsers show it.
func cookieText(ed *edition.Edition) (text, error) {
	words, err := spoken(ed, "consent", shown)
	return text{ed.IntlLocale, words}, err
}

// spoken are the browser's words of an area for the ids, one a line.
func spoken(ed *edition.Edition, area string, ids []string) (string, error) {
	words, err := browserWords(ed, area)
	if err != nil {
		return "", err
	}
	lines := make([]string, len(ids))
	for i, id := range ids {
		if lines[i] = words[id]; lines[i] == "" {
			return "", fmt.Errorf("consent: locales/%s has no words for %s", ed.Locale, id)
		}
	}
	return strings.Join(lines, "\n"), nil
}

// browserWords reads the words of an area, with those of the region over them.
func browserWords(ed *edition.Edition, area string) (map[string]string, error) {
	words := map[string]string{}
	file := ed.Locale + "/web/" + area + ".json"
	b, err := locales.FS.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("consent: %w", err)
	}
	if err := json.Unmarshal(b, &words); err != nil {
		return nil, fmt.Errorf("consent: locales/%s: %w", file, err)
	}
	if b, err = locales.FS.ReadFile(ed.IntlLocale + "/web.json"); err != nil {
		return words, nil //nolint:nilerr // most regions say nothing otherwise than their language
	}
	if err := json.Unmarshal(b, &words); err != nil {
		return nil, fmt.Errorf("consent: locales/%s/web.json: %w", ed.IntlLocale, err)
	}
	return words, nil
}
