package i18n

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"example.org/broadsheet/locales"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

func ed(t *testing.T, change func(*edition.Document)) *edition.Edition {
	t.Helper()
	doc := testkit.Document(0)
	change(&doc)
	e, err := edition.New(doc, testkit.Origin)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestShippedWordsAreComplete(t *testing.T) {
	t.Parallel()
	w, err := Load(locales.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range w.Check() {
		t.Error(wrong)
	}
}

// What a page is called and whose it is are parted alike everywhere: "Subscription – Standard".
func TestTitlesArePartedByDashes(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(locales.FS, "*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	title, titles := regexp.MustCompile(`"(page\.[^"]+\.title)": "([^"]+)"`), 0
	for _, file := range files {
		text, err := fs.ReadFile(locales.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range title.FindAllStringSubmatch(string(text), -1) {
			titles++
			if !strings.HasSuffix(m[2], " – {{.Name}}") || strings.Contains(m[2], "|") {
				t.Errorf("%s: %s is %q", file, m[1], m[2])
			}
		}
	}
	if titles < 60 {
		t.Errorf("there are %d titles", titles)
	}
}

func set(change map[string]string) fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"sk/a.json": `{"hello": "Ahoj {{.Name}}", "days": {"one": "{{.PluralCount}} deň", "few": "{{.PluralCount}} dni",` +
			` "other": "{{.PluralCount}} dní"}}`,
		"de/a.json": `{"hello": "Hallo {{.Name}}, Straße", "days": {"one": "{{.PluralCount}} Tag", "other": ` +
			`"{{.PluralCount}} Tage"}}`,
		"en/a.json": `{"hello": "Hello {{.Name}}", "days": {"one": "{{.PluralCount}} day", "other": "{{.PluralCount}} ` +
			`days"}}`,
		"de-CH/a.json": `{"hello": "Grüezi {{.Name}}, Strasse"}`, "de-CH/web.json": `{"x": "ß {a}"}`,
		"sk/web/errors.json": `{"status.BAD": "Zle", "other": "x"}`, "de/web/errors.json": `{"status.BAD": "Schlecht"}`,
		"en/web/errors.json": `{}`,
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, text := range change {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

func TestWords(t *testing.T) {
	t.Parallel()
	w, err := Load(set(nil))
	if err != nil {
		t.Fatal(err)
	}
	if wrong := w.Check(); len(wrong) > 0 {
		t.Errorf("complete words: %v", wrong)
	}
	for name, want := range map[string][4]string{
		"sk sk-SK": {"Ahoj Eva", "1 deň", "3 dni", "5 dní"},
		"de de-AT": {"Hallo Eva, Straße", "1 Tag", "3 Tage", "5 Tage"},
		"de de-CH": {"Grüezi Eva, Strasse", "1 Tag", "3 Tage", "5 Tage"},
		"de de-DE": {"Hallo Eva, Straße", "1 Tag", "3 Tage", "5 Tage"},
		"en en-GB": {"Hello Eva", "1 day", "3 days", "5 days"},
	} {
		lang, intl, _ := strings.Cut(name, " ")
		e := ed(t, func(d *edition.Document) { d.Locale, d.IntlLocale = lang, intl })
		got := [4]string{
			w.T(e, "hello", map[string]any{"Name": "Eva"}), w.N(e, "days", 1, nil), w.N(e, "days", 3, nil),
			w.N(e, "days", 5, nil),
		}
		if got != want {
			t.Errorf("%s: %q", name, got)
		}
		if w.T(e, "unknown", nil) != "unknown" {
			t.Error("an unknown id")
		}
	}
}

func TestCheckFinds(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change map[string]string
		want   string
	}{
		"a missing id": {map[string]string{"en/b.json": `{"more": "x"}`}, "sk: more is missing"},
		"an empty text": {map[string]string{
			"sk/b.json": `{"m": " "}`, "de/b.json": `{"m": "m"}`,
			"en/b.json": `{"m": "m"}`,
		}, `sk: m has no text for "other"`},
		"a missing form": {map[string]string{"sk/a.json": `{"hello": "{{.Name}}", "days": {"one": "{{.PluralCount}}",` +
			` "other": "{{.PluralCount}}"}}`}, `sk: days has no text for "few"`},
		"another placeholder": {map[string]string{"de/a.json": `{"hello": "{{.Nam}}", "days": {"one": "{{.PluralCount}}", ` +
			`"other": "{{.PluralCount}}"}}`}, "de: hello has the placeholders [{{.Nam}}], not [{{.Name}}]"},
		"a broken placeholder": {map[string]string{"de-CH/a.json": `{"hello": "{{.Name"}`}, "de-CH: hello: "},
		"a Swiss ß":            {map[string]string{"de-CH/a.json": `{"hello": "{{.Name}} ß"}`}, "de-CH: hello has a ß"},
		"an inherited ß":       {map[string]string{"de-CH/a.json": `{}`}, "de-CH: hello has a ß"},
		"an overlay's own id":  {map[string]string{"de-AT/a.json": `{"servus": "x"}`}, "de-AT: servus is not in de"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, err := Load(set(tc.change))
			if err != nil {
				t.Fatal(err)
			}
			if wrong := w.Check(); !slices.ContainsFunc(wrong, func(s string) bool { return strings.HasPrefix(s, tc.want) }) {
				t.Errorf("got %q, want %q", wrong, tc.want)
			}
		})
	}
	for name, change := range map[string]map[string]string{
		"an id in two files": {"sk/b.json": `{"hello": "x"}`},
		"no JSON":            {"sk/b.json": `{`},
		"no texts":           {"sk/b.json": `{"a": 1}`},
		"no status texts":    {"sk/web/errors.json": `{"status.BAD": 1}`},
	} {
		if _, err := Load(set(change)); err == nil {
			t.Errorf("%s: loaded", name)
		}
	}
}

func TestCodes(t *testing.T) {
	t.Parallel()
	if got := MissingCodes([]string{"INVALID_CODE", "NO_SUCH_CODE"}); !slices.Equal(got,
		[]string{"de: NO_SUCH_CODE", "en: NO_SUCH_CODE", "sk: NO_SUCH_CODE"}) {
		t.Errorf("got %v", got)
	}
	e := ed(t, func(*edition.Document) {})
	if text, ok := Status(e, "INVALID_CODE"); !ok || text == "" {
		t.Error("no words for INVALID_CODE")
	}
	if _, ok := Status(e, "NO_SUCH_CODE"); ok {
		t.Error("words for NO_SUCH_CODE")
	}
}

// The wanted texts are what Intl.NumberFormat and the page's own format print.
func TestMoney(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		locale, currency string
		minor            int64
		want             string
	}{
		"monthly":      {"sk-SK", "EUR", 796, "7,96 €"},
		"yearly":       {"sk-SK", "EUR", 8900, "89,00 €"},
		"nothing":      {"sk-SK", "EUR", 0, "0,00 €"},
		"cents":        {"sk-SK", "EUR", 5, "0,05 €"},
		"thousand":     {"sk-SK", "EUR", 123450, "1 234,50 €"},
		"million back": {"sk-SK", "EUR", -123456750, "-1 234 567,50 €"},
		"francs":       {"sk-SK", "CHF", 796, "7,96 CHF"},
		"swiss":        {"de-CH", "CHF", 123450, "CHF 1’234.50"},
		"swiss, even":  {"de-CH", "EUR", 8900, "EUR 89.–"},
		"swiss, cents": {"de-CH", "EUR", 796, "EUR 7.96"},
		"austrian":     {"de-AT", "EUR", 796, "€ 7,96"},
		"german":       {"de-DE", "EUR", 123450, "1.234,50 €"},
		"english":      {"en-GB", "EUR", 123450, "€1,234.50"},
		"other money":  {"sk-SK", "CZK", 100, "1,00 CZK"},
	} {
		e := ed(t, func(d *edition.Document) { d.NumberLocale, d.Billing.Currency = tc.locale, tc.currency })
		if got := Money(e, tc.minor); got != strings.ReplaceAll(tc.want, " ", nbsp) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestDates(t *testing.T) {
	t.Parallel()
	e := ed(t, func(*edition.Document) {})
	for at, want := range map[string]string{
		"2026-03-29T00:59:00Z": "29.03.2026 01:59", // the last minute of winter
		"2026-03-29T01:00:00Z": "29.03.2026 03:00",
		"2026-12-31T23:30:00Z": "01.01.2027 00:30",
	} {
		instant, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		if got := DateTime(e, instant); got != want {
			t.Errorf("%s: %s", at, got)
		}
	}
}
