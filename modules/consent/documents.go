package consent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// Document is a text that readers are asked to agree to, as it stands now.
type Document struct {
	ID       string    `json:"id"`
	Version  string    `json:"version"`
	Hash     string    `json:"hash"` // SHA-256 of title and text, hex; "" while the edition has no such page
	Title    string    `json:"title"`
	URL      string    `json:"url"`
	Intro    string    `json:"intro,omitempty"` // HTML before the first section
	Sections []Section `json:"sections"`
	words    text
}

// Section is a part of a document under a heading of its own.
type Section struct {
	Title string `json:"title"`
	HTML  string `json:"html"`
}

// Documents returns the texts that the edition's readers are asked to agree to, in the order in which they are asked.
func (m *Module) Documents(ctx context.Context) ([]Document, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	out := []Document{}
	for _, d := range ed.Consent.Asked() {
		one := Document{
			ID: d.ID, Version: d.Version, Title: d.ID, URL: ed.Href(edition.Static, d.Static),
			Sections: []Section{},
		}
		title, body, err := m.pages.PageText(ctx, d.Static)
		switch {
		case errors.Is(err, web.ErrNotFound): // a new edition, whose pages are still to be written
		case err != nil:
			return nil, err
		default:
			one.words = text{ed.IntlLocale, title + "\n" + body}
			one.Title, one.Hash = title, one.words.hash()
			if one.Intro, one.Sections, err = split(body); err != nil {
				return nil, err
			}
		}
		out = append(out, one)
	}
	return out, nil
}

// split cuts a document at its second-level headings.
func split(body string) (intro string, sections []Section, err error) {
	nodes, err := html.ParseFragment(strings.NewReader(body),
		&html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		return "", nil, fmt.Errorf("consent: %w", err)
	}
	sections = []Section{}
	var part strings.Builder
	flush := func() {
		if n := len(sections); n > 0 {
			sections[n-1].HTML = strings.TrimSpace(part.String())
		} else {
			intro = strings.TrimSpace(part.String())
		}
		part.Reset()
	}
	for _, n := range nodes {
		if n.DataAtom == atom.H2 {
			flush()
			sections = append(sections, Section{Title: words(n)})
			continue
		}
		if err := html.Render(&part, n); err != nil {
			return "", nil, fmt.Errorf("consent: %w", err)
		}
	}
	flush()
	return intro, sections, nil
}

func words(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return strings.TrimSpace(b.String())
}

// statement is what a reader was asked, word for word, with the documents by version and hash.
func statement(ed *edition.Edition, question string, documents []Document) text {
	lines := []string{question}
	for _, d := range documents {
		lines = append(lines, strings.Join([]string{d.ID, d.Version, d.Hash, ed.URL(d.URL)}, " "))
	}
	return text{ed.IntlLocale, strings.Join(lines, "\n")}
}

// sameTexts reports whether the hashes are those of the documents, in whatever order.
func sameTexts(documents []Document, hashes []string) bool {
	if len(hashes) != len(documents) {
		return false
	}
	for _, d := range documents {
		if !slices.Contains(hashes, d.Hash) {
			return false
		}
	}
	return true
}
