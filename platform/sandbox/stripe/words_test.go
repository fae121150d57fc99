package sandbox

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestWordsInEveryLanguage(t *testing.T) {
	t.Parallel()
	placeholder := regexp.MustCompile(`%\d*[sd]`)
	for key, texts := range words {
		for _, lang := range languages {
			if strings.TrimSpace(texts[lang]) == "" {
				t.Errorf("%s has no %s text", key, lang)
			}
			if got, want := placeholder.FindAllString(texts[lang], -1),
				placeholder.FindAllString(texts["en"], -1); len(got) != len(want) {
				t.Errorf("%s: %s has the placeholders %v, en %v", key, lang, got, want)
			}
		}
		if len(texts) != len(languages) {
			t.Errorf("%s has %d languages", key, len(texts))
		}
	}
	used := regexp.MustCompile(`\.W "([a-z_.0-9]+)"`)
	err := fs.WalkDir(pageFiles, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".html") {
			return err
		}
		page, err := fs.ReadFile(pageFiles, path)
		for _, found := range used.FindAllStringSubmatch(string(page), -1) {
			if words[found[1]] == nil {
				t.Errorf("%s uses the unknown text %s", path, found[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range testCards {
		if words["test."+c.behaviour()] == nil || cardByNumber(c.number) == nil || !luhn(c.number) {
			t.Errorf("the card %s has no description or a wrong number", c.number)
		}
	}
}

func TestMoneyAndDates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lang     string
		minor    int64
		currency string
		want     string
	}{
		{"sk", 796, "eur", "7,96 €"},
		{"sk", 123456789, "eur", "1 234 567,89 €"},
		{"sk", -696, "eur", "−6,96 €"},
		{"de", 8900, "eur", "89,00 €"},
		{"de", 123456, "chf", "1.234,56 CHF"},
		{"en", 796, "eur", "€7.96"},
		{"en", -123456, "eur", "−€1,234.56"},
		{"en", 5, "chf", "CHF 0.05"},
	} {
		if got := strings.ReplaceAll(money(c.lang, c.minor, c.currency), "\u00a0", " "); got != c.want {
			t.Errorf("%s %d %s is %q, want %q", c.lang, c.minor, c.currency, got, c.want)
		}
	}
	zone := time.FixedZone("CET", 3600)
	late := time.Date(2026, 3, 1, 23, 30, 0, 0, time.UTC).Unix()
	if got := date("sk", late, zone); got != "02.03.2026" {
		t.Errorf("in its zone the day is %s", got)
	}
	for accept, want := range map[string]string{
		"de-AT,en;q=0.8": "de", "fr,sk;q=0.5": "sk", "": "en",
		"auto": "en", "sk": "sk",
	} {
		if got := language(accept); got != want {
			t.Errorf("%q is %s, want %s", accept, got, want)
		}
	}
}

func TestKindsHaveBlanks(t *testing.T) {
	t.Parallel()
	for kind, blank := range blanks {
		if got := blank().kind(); got != kind {
			t.Errorf("the blank of %s is a %s", kind, got)
		}
	}
	var ids []string
	for range 1000 {
		ids = append(ids, newID("x_"))
	}
	slices.Sort(ids)
	if len(slices.Compact(ids)) != 1000 || len(ids[0]) != 26 {
		t.Error("ids repeat or have another length")
	}
}
