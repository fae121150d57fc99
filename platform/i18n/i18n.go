// Package i18n holds the words that the server writes itself: letters, invoices, plain answers. The browser's words
// live beside them in locales/ and are the frontend's business.
package i18n

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"example.org/broadsheet/locales"
	"example.org/broadsheet/platform/paper/edition"
)

// Languages are complete; Overlays say a few things otherwise than the language before the hyphen.
var (
	Languages = []string{"sk", "de", "en"}
	Overlays  = []string{"de-AT", "de-CH"}
)

// Words are all words of all languages.
type Words struct {
	localizers map[string]*i18n.Localizer // by language or overlay
	messages   map[string]map[string]*i18n.Message
	statuses   map[string]map[string]string // the browser's words of the status codes
}

// browserFile is the part of an overlay that only the browser reads.
const browserFile = "web.json"

// Load reads the words of a folder such as locales.FS. An overlay is laid over a copy of its language, so that a
// lookup never has to guess where to fall back to. It returns an error if a language has no format of numbers, no names
// of months or no plural forms.
func Load(fsys fs.FS) (*Words, error) {
	if err := checkFormats(Languages); err != nil {
		return nil, err
	}
	w := &Words{
		localizers: map[string]*i18n.Localizer{}, messages: map[string]map[string]*i18n.Message{},
		statuses: map[string]map[string]string{},
	}
	bundle := i18n.NewBundle(language.MustParse(Languages[0]))
	for _, name := range slices.Concat(Languages, Overlays) {
		base, _, _ := strings.Cut(name, "-")
		all := maps.Clone(w.messages[base])
		if all == nil {
			all = map[string]*i18n.Message{}
		}
		own, err := read(fsys, name)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, own)
		w.messages[name] = all
		if err := bundle.AddMessages(language.MustParse(name), slices.Collect(maps.Values(all))...); err != nil {
			return nil, fmt.Errorf("locales/%s: %w", name, err)
		}
		w.localizers[name] = i18n.NewLocalizer(bundle, name)
		if w.statuses[name], err = readStatuses(fsys, base, name); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// read reads all files of a language; an id may stand in one of them only.
func read(fsys fs.FS, name string) (map[string]*i18n.Message, error) {
	files, err := fs.Glob(fsys, name+"/*.json")
	if err != nil {
		return nil, err
	}
	all, home := map[string]*i18n.Message{}, map[string]string{}
	for _, f := range files {
		if path.Base(f) == browserFile {
			continue
		}
		b, err := fs.ReadFile(fsys, f)
		if err != nil {
			return nil, err
		}
		list, err := i18n.ParseMessageFileBytes(b, name+".json", map[string]i18n.UnmarshalFunc{"json": json.Unmarshal})
		if err != nil {
			return nil, fmt.Errorf("locales/%s: %w", f, err)
		}
		for _, m := range list.Messages {
			if other, dup := home[m.ID]; dup {
				return nil, fmt.Errorf("locales/%s: %q stands in %s too", f, m.ID, other)
			}
			home[m.ID], all[m.ID] = f, m
		}
	}
	return all, nil
}

const statusPrefix = "status."

func readStatuses(fsys fs.FS, base, name string) (map[string]string, error) {
	all := map[string]string{}
	for _, f := range []string{base + "/web/errors.json", name + "/" + browserFile} {
		b, err := fs.ReadFile(fsys, f)
		if err != nil {
			continue // an overlay or a set of words without any
		}
		var m map[string]string
		if err := json.Unmarshal(b, &m); err != nil {
			return nil, fmt.Errorf("locales/%s: %w", f, err)
		}
		for id, text := range m {
			if code, ok := strings.CutPrefix(id, statusPrefix); ok {
				all[code] = text
			}
		}
	}
	return all, nil
}

// shipped are the words of the binary; that they can be read is tested.
var shipped = sync.OnceValue(func() *Words {
	w, err := Load(locales.FS)
	if err != nil {
		panic(err)
	}
	return w
})

// T says a message in the edition's language; data fills its placeholders, {{.Name}}. An unknown id is its own text.
func T(ed *edition.Edition, id string, data any) string { return shipped().T(ed, id, data) }

// N says a message that depends on a number, which is {{.PluralCount}} in the text besides what data gives.
func N(ed *edition.Edition, id string, n int, data map[string]any) string {
	return shipped().N(ed, id, n, data)
}

// Status says what a status code means, as the browser would; false when nobody has words for it.
func Status(ed *edition.Edition, code string) (string, bool) {
	text, ok := shipped().statuses[shipped().locale(ed)][code]
	return text, ok
}

// Codes lists the status codes that any language has words for, in the order of the alphabet.
func Codes() []string {
	all := map[string]string{}
	for _, lang := range Languages {
		maps.Copy(all, shipped().statuses[lang])
	}
	return slices.Sorted(maps.Keys(all))
}

// MissingCodes lists "language: CODE" for each code without words in a complete language.
func MissingCodes(codes []string) (missing []string) {
	for _, lang := range Languages {
		for _, c := range codes {
			if shipped().statuses[lang][c] == "" {
				missing = append(missing, lang+": "+c)
			}
		}
	}
	slices.Sort(missing)
	return missing
}

// T is the package's T with these words.
func (w *Words) T(ed *edition.Edition, id string, data any) string {
	return w.say(ed, &i18n.LocalizeConfig{MessageID: id, TemplateData: data})
}

// N is the package's N with these words.
func (w *Words) N(ed *edition.Edition, id string, n int, data map[string]any) string {
	all := map[string]any{"PluralCount": n}
	maps.Copy(all, data)
	return w.say(ed, &i18n.LocalizeConfig{MessageID: id, TemplateData: all, PluralCount: n})
}

func (w *Words) say(ed *edition.Edition, c *i18n.LocalizeConfig) string {
	text, err := w.localizers[w.locale(ed)].Localize(c)
	if err != nil {
		return c.MessageID
	}
	return text
}

// locale is the overlay of the edition's region, else its language.
func (w *Words) locale(ed *edition.Edition) string {
	for _, name := range []string{ed.IntlLocale, ed.Locale} {
		if w.localizers[name] != nil {
			return name
		}
	}
	return Languages[0]
}
