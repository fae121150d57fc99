package consent

import (
	"context"
	"strings"

	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
)

// pageData is ConsentData of openapi.yaml.
type pageData struct {
	Choice    string     `json:"choice"` // all, necessary; "" for none
	Answer    string     `json:"answer"` // as Agreed; "" for a visitor
	Documents []Document `json:"documents"`
}

// Pages is the page on which everything can be chosen and withdrawn, with scripts or without.
func (m *Module) Pages() page.Sources {
	return page.Sources{edition.ConsentPage: {Load: m.loadPage, Personal: true}}
}

func (m *Module) loadPage(ctx context.Context, r *page.Request) (_ *page.Page, err error) {
	ed := r.Edition
	d := pageData{Choice: string(choiceOf(ctx, ed))}
	if d.Documents, err = m.Documents(ctx); err != nil {
		return nil, err
	}
	if id := session.ReaderID(ctx); id != 0 {
		if d.Answer, err = m.Agreed(ctx, id); err != nil {
			return nil, err
		}
	}
	name := map[string]any{"Name": ed.Name}
	return &page.Page{NoStore: true, Data: d, Meta: page.Meta{
		Title: i18n.T(ed, "page.consent.title", name), Description: i18n.T(ed, "page.consent.description", name),
		Canonical: ed.URL(r.Path), Robots: "noindex",
	}}, nil
}

type choiceKey struct{}

func withChoice(ctx context.Context, value string) context.Context {
	return context.WithValue(ctx, choiceKey{}, value)
}

// choiceOf is the choice that holds for the edition's version of the question; "" for none.
func choiceOf(ctx context.Context, ed *edition.Edition) Choice {
	value, _ := ctx.Value(choiceKey{}).(string)
	choice, version, found := strings.Cut(value, ".")
	if _, ok := categories[Choice(choice)]; !ok || (found && version != ed.Consent.CookieVersion) {
		return ""
	}
	return Choice(choice)
}
