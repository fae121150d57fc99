package wordpress

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"example.org/broadsheet/modules/content/catalog"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/wordpress/blocks"
	"example.org/broadsheet/platform/db"
)

// people are the authors of the posts that are taken.
type people struct {
	im    *importer
	slugs map[string]string // by login
}

// of returns the authors of an item, saving those that the edition does not have.
func (p *people) of(ctx context.Context, it *item) (slugs []string, err error) {
	type one struct{ login, name string }
	var list []one
	for _, t := range it.in("author") { // several authors, by a plugin that most newspapers have
		list = append(list, one{strings.TrimPrefix(t.slug, "cap-"), t.name})
	}
	if len(list) == 0 && it.creator != "" {
		list = append(list, one{login: it.creator})
	}
	for _, a := range list {
		slug, ok := p.slugs[a.login]
		if !ok {
			if slug, err = p.save(ctx, it.line, a.login, a.name); err != nil {
				return nil, err
			}
			p.slugs[a.login] = slug
		}
		if slug != "" {
			slugs = append(slugs, slug)
		}
	}
	return slugs, nil
}

func (p *people) save(ctx context.Context, line int, login, name string) (string, error) {
	a, listed := p.im.survey.authors[login]
	name = blocks.Plain(cmp.Or(a.name, name, strings.TrimSpace(a.first+" "+a.last), login))
	slug := post.Slug(p.im.ed.Lang(), name)
	e := Entry{Line: cmp.Or(a.line, line), Kind: "author", Title: name, ID: login}
	if !listed {
		e.Line = line
	}
	if slug == "" {
		e.Outcome, e.Reason = Left, "the name has no letters"
		p.im.report.add(e)
		return "", nil
	}
	known := map[string]string{}
	err := p.im.o.DB.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		known, err = findAuthors(ctx, tx, []string{slug})
		return err
	})
	if err != nil {
		return "", err
	}
	e.Outcome = Unchanged // whoever is here already is described here
	if _, ok := known[slug]; !ok {
		e.Outcome = Taken
		if !p.im.o.DryRun {
			if _, err := p.im.o.Library.SaveAuthor(ctx,
				catalog.Author{Slug: slug, Name: name, Bio: blocks.Plain(a.description)}); err != nil {
				return "", fmt.Errorf("author %q: %w", login, err)
			}
		}
	}
	if !p.im.o.DryRun && post.Slug(p.im.ed.Lang(), login) != slug { // WordPress has the login in the address
		if err := p.im.o.Library.SaveAuthorRedirect(ctx, slug, login); err != nil {
			return "", fmt.Errorf("author %q: %w", login, err)
		}
	}
	p.im.report.add(e)
	return slug, nil
}

// places are the categories of the posts that are taken.
type places struct {
	im      *importer
	slugs   map[string]string // of the edition, by those of the file; "" for one that is none
	parents map[string]string // of the edition's categories
}

// unsorted are the slugs that WordPress gives to "no category" in the languages of its sites.
var unsorted = map[string]bool{
	"uncategorized": true, "uncategorised": true, "nezaradene": true, "unkategorisiert": true, "nezarazene": true,
	"non-classe": true, "sin-categoria": true,
}

func (p *places) load(ctx context.Context) error {
	err := p.im.o.DB.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		p.parents, err = findCategories(ctx, tx)
		return err
	})
	if err != nil {
		return err
	}
	if want := p.im.o.Category; want != "" {
		if _, ok := p.parents[want]; !ok {
			return fmt.Errorf("the edition has no category %q for posts without one", want)
		}
	}
	return nil
}

// of returns the categories of an item, saving those that the edition does not have.
func (p *places) of(ctx context.Context, it *item) (slugs []string, err error) {
	for _, t := range it.in("category") {
		slug, err := p.place(ctx, unescape(t.slug), t.slug, t.name, it.line)
		if err != nil {
			return nil, err
		}
		if slug != "" {
			slugs = append(slugs, slug)
		}
	}
	if len(slugs) == 0 && p.im.o.Category != "" {
		slugs = []string{p.im.o.Category}
	}
	if len(slugs) == 0 {
		p.im.report.add(Entry{
			Line: it.line, Kind: it.kind, Title: blocks.Plain(it.title), Outcome: Noted,
			Reason: "it stands in no category",
		})
	}
	return slugs, nil
}

// place finds a category of the file in the edition by its slug, or makes it: under the nearest of those above it that
// the edition has, else under the topmost of them, for a tree here has two levels.
func (p *places) place(ctx context.Context, slug, raw, name string, line int) (string, error) {
	if s, ok := p.slugs[raw]; ok {
		return s, nil
	}
	c, listed := p.im.survey.categories[raw]
	if listed {
		line, name = c.line, cmp.Or(c.name, name)
	}
	name = blocks.Plain(name)
	ours := post.Slug(p.im.ed.Lang(), cmp.Or(slug, name))
	e := Entry{Line: line, Kind: "category", Title: name, ID: raw}
	if ours == "" || name == "" || unsorted[ours] {
		p.slugs[raw] = ""
		e.Outcome, e.Reason = Left, "it stands for none"
		p.im.report.add(e)
		return "", nil
	}
	p.slugs[raw] = ours // before what is above it, in case that is itself
	if _, ok := p.parents[ours]; ok {
		e.Outcome = Unchanged
		p.im.report.add(e)
		return ours, nil
	}
	parent, err := p.above(ctx, c)
	if err != nil {
		return "", err
	}
	if !p.im.o.DryRun {
		if _, err := p.im.o.Library.SaveCategory(ctx,
			catalog.Category{Slug: ours, Name: name, Description: blocks.Plain(c.description), Parent: parent}); err != nil {
			return "", fmt.Errorf("category %q: %w", raw, err)
		}
	}
	p.parents[ours] = parent
	e.Outcome = Taken
	p.im.report.add(e)
	return ours, nil
}

// above is the category of the edition that one of the file belongs under, "" for the top.
func (p *places) above(ctx context.Context, c category) (string, error) {
	top := category{}
	seen := map[string]bool{c.slug: true}
	for up, ok := p.im.survey.categories[c.parent]; ok && !seen[up.slug]; up, ok = p.im.survey.categories[up.parent] {
		seen[up.slug] = true
		ours := post.Slug(p.im.ed.Lang(), unescape(up.slug))
		if parent, known := p.parents[ours]; known {
			return cmp.Or(parent, ours), nil
		}
		top = up
	}
	if top.slug == "" {
		return "", nil
	}
	return p.place(ctx, unescape(top.slug), top.slug, top.name, top.line)
}
