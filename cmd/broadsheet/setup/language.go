package setup

import (
	"context"
	"fmt"
	"io/fs"

	"example.org/broadsheet/platform/paper/edition"
)

// Samples are the documents in a folder, to start from by language.
func Samples(folder fs.FS) (list []Template, err error) {
	names, err := fs.Glob(folder, "*.yaml")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		list = append(list, Template{Name: "tenants/" + name, Text: text, Sample: true})
	}
	return list, nil
}

// Language asks for the language and returns the template that fits it best, in that language. The first template is
// the one that is suggested; with one alone, any language will do.
func (d *Dialogue) Language(ctx context.Context, templates []Template) (Template, error) {
	var docs []*edition.Document
	for _, t := range templates {
		doc, err := edition.Parse(t.Name, t.Text)
		if err != nil {
			return Template{}, err
		}
		docs = append(docs, doc)
	}
	for {
		tag, err := d.Ask(ctx, "Language and country, such as de-AT", docs[0].IntlLocale)
		if err != nil {
			return Template{}, err
		}
		base := tag[:min(2, len(tag))]
		found := 0
		for i, doc := range docs {
			if doc.IntlLocale == tag || doc.Locale == base && docs[found].Locale != base {
				found = i
			}
		}
		t := templates[found]
		t.ID = docs[found].ID
		t.Text, err = change(t.Text, changes{"locale": base, "intl_locale": tag, "number_locale": tag})
		if err == nil {
			_, err = edition.Parse(t.Name, t.Text)
		}
		switch {
		case err != nil:
			fmt.Fprintf(d.Out, "  %v\n", err)
		case len(docs) > 1 && docs[found].Locale != base:
			fmt.Fprintln(d.Out, "  no sample is in that language: name a document with --from")
		default:
			return t, nil
		}
	}
}
