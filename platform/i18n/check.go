package i18n

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/nicksnyder/go-i18n/v2/i18n"
)

// pluralForms are what a language tells apart when it counts whole things.
var pluralForms = map[string][]string{"sk": {"one", "few", "other"}, "de": {"one", "other"}, "en": {"one", "other"}}

// Check lists what is wrong with the words: ids that a language lacks, empty texts, forms and placeholders that
// differ, a ß where the Swiss write ss.
func (w *Words) Check() (wrong []string) {
	add := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	ids := map[string]bool{}
	for _, lang := range Languages {
		for id := range w.messages[lang] {
			ids[id] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		var first string
		for n, name := range slices.Concat(Languages, Overlays) {
			m := w.messages[name][id]
			if m == nil {
				add("%s: %s is missing", name, id)
				continue
			}
			names, err := w.checkMessage(name, m, add)
			if err != nil {
				add("%s: %s: %v", name, id, err)
			}
			if n == 0 {
				first = names
			} else if names != first && w.messages[Languages[0]][id] != nil {
				add("%s: %s has the placeholders [%s], not [%s]", name, id, names, first)
			}
		}
	}
	for _, name := range Overlays {
		base, _, _ := strings.Cut(name, "-")
		for id := range w.messages[name] {
			if w.messages[base][id] == nil {
				add("%s: %s is not in %s", name, id, base)
			}
		}
	}
	return wrong
}

// checkMessage looks at one message and returns its placeholders.
func (w *Words) checkMessage(name string, m *i18n.Message, add func(string, ...any)) (string, error) {
	forms := map[string]string{"one": m.One, "few": m.Few, "other": m.Other}
	base, _, _ := strings.Cut(name, "-")
	counted := m.One != "" || m.Few != "" || m.Many != ""
	for _, form := range pluralForms[base] {
		if (counted || form == "other") && strings.TrimSpace(forms[form]) == "" {
			add("%s: %s has no text for %q", name, m.ID, form)
		}
	}
	names := map[string]bool{}
	for _, text := range forms {
		if name == "de-CH" && strings.Contains(text, "ß") {
			add("%s: %s has a ß", name, m.ID)
		}
		if err := placeholders(text, names); err != nil {
			return "", err
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(names)), " "), nil
}

// placeholders collects the fields that a text names.
func placeholders(text string, names map[string]bool) error {
	t, err := template.New("").Parse(text)
	if err != nil {
		return err
	}
	if t.Tree == nil {
		return nil
	}
	for _, n := range t.Root.Nodes {
		a, ok := n.(*parse.ActionNode)
		if !ok {
			continue
		}
		names[a.String()] = true
	}
	return nil
}
