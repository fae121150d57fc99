package wordpress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"example.org/broadsheet/modules/content/catalog"
	"example.org/broadsheet/modules/content/wordpress/site"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/wordpress/blocks"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// terms are what posts name by number: rows of content_sync_items by kind and id.
type terms map[string]map[int64]*syncItem

const (
	usersKind      = "users"
	categoriesKind = "categories"
	tagsKind       = "tags"
	mediaKind      = "media"
)

func (s *Syncer) loadTerms(ctx context.Context) error {
	s.terms = terms{}
	return s.view(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		for _, kind := range []string{usersKind, categoriesKind, tagsKind} {
			if s.terms[kind], err = findItems(ctx, tx, s.source, kind); err != nil {
				return err
			}
		}
		return nil
	})
}

// slug is what a thing of the site is here; "" for nothing.
func (t terms) slug(kind string, id int64) string {
	if row := t[kind][id]; row != nil {
		return row.Slug
	}
	return ""
}

// freeSlug finds a slug for a thing that has none yet: the one it asks for, or that with its number where another one
// has that.
func (t terms) freeSlug(kind string, id int64, wanted string) string {
	for n, row := range t[kind] {
		if n != id && row.Slug == wanted && wanted != "" {
			return wanted + "-" + strconv.FormatInt(id, 10)
		}
	}
	return wanted
}

func usesOf(kind string, id int64) string { return kind + ":" + strconv.FormatInt(id, 10) }

// keep stores what a thing has become; posts that use it are looked at again if they stand elsewhere now.
func (s *Syncer) keep(ctx context.Context, row *syncItem) error {
	was := s.terms[row.Kind][row.Number]
	err := s.update(ctx, func(ctx context.Context, tx db.Tx) error {
		if was == nil || was.Slug != row.Slug {
			if err := askAgain(ctx, tx, s.source, []string{usesOf(row.Kind, row.Number)}); err != nil {
				return err
			}
		}
		return saveItems(ctx, tx, []*syncItem{row})
	})
	if err == nil {
		s.terms[row.Kind][row.Number] = row
	}
	return err
}

// missing returns what is gone from the site: it is not in its list, and the site does not know it when it is asked for
// it.
func (s *Syncer) missing(ctx context.Context, kind string, listed map[int64]bool) (gone []*syncItem, err error) {
	var ids []int64
	for id := range s.terms[kind] {
		if !listed[id] {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	there, err := site.Named[restTerm](ctx, s.site, "/wp/v2/"+kind, ids,
		site.Query("_fields", "id", "hide_empty", "false"))
	if err != nil {
		return nil, err
	}
	for _, t := range there {
		ids = slices.DeleteFunc(ids, func(id int64) bool { return id == t.ID })
	}
	for _, id := range ids {
		gone = append(gone, s.terms[kind][id])
	}
	return gone, nil
}

// drop forgets a thing; the posts that used it are looked at again.
func (s *Syncer) drop(ctx context.Context, row *syncItem) error {
	err := s.update(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := askAgain(ctx, tx, s.source, []string{usesOf(row.Kind, row.Number)}); err != nil {
			return err
		}
		return dropItems(ctx, tx, s.source, row.Kind, []int64{row.Number})
	})
	if err == nil {
		delete(s.terms[row.Kind], row.Number)
	}
	return err
}

// people takes the authors that the site lists. Some sites list none; then names come with the posts.
func (s *Syncer) people(ctx context.Context) error {
	list, _, err := site.List[restUser](ctx, s.site, "/wp/v2/users",
		site.Query("_fields", "id,name,slug,description", "orderby", "id", "order", "asc"))
	var e *site.Error
	if errors.As(err, &e) &&
		(e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden || e.Status == http.StatusNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	for i := range list {
		if err := s.person(ctx, &list[i]); err != nil {
			return err
		}
	}
	return nil
}

// person takes one author; the address stays what it was when the name changes.
func (s *Syncer) person(ctx context.Context, u *restUser) error {
	name, bio := blocks.Plain(cmp.Or(u.Name, u.Slug)), blocks.Plain(u.Description)
	mark := digest([]string{name, bio})
	row := s.terms[usersKind][u.ID]
	if u.ID == 0 || row != nil && row.Mark == mark {
		return nil
	}
	next := &syncItem{Source: s.source, Kind: usersKind, Number: u.ID, Mark: mark}
	e := Entry{Kind: "author", Title: name, ID: strconv.FormatInt(u.ID, 10), Outcome: Taken}
	if row != nil {
		next.Slug, e.Outcome = row.Slug, Changed
	}
	if next.Slug == "" {
		next.Slug = s.terms.freeSlug(usersKind, u.ID, cmp.Or(post.Slug(s.ed.Lang(), name), post.Slug(s.ed.Lang(), u.Slug)))
	}
	if next.Slug == "" || name == "" {
		e.Outcome, e.Reason = Left, "the name has no letters"
	} else {
		var known describedAuthor
		err := s.view(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			known, err = findAuthor(ctx, tx, next.Slug)
			return err
		})
		if err != nil {
			return err
		}
		if _, err := s.o.Library.SaveAuthor(ctx,
			catalog.Author{Slug: next.Slug, Name: name, Bio: bio, Role: known.Role, Picture: known.Picture}); err != nil {
			return fmt.Errorf("author %d: %w", u.ID, err)
		}
		if post.Slug(s.ed.Lang(), u.Slug) != next.Slug {
			if err := s.o.Library.SaveAuthorRedirect(ctx, next.Slug, u.Slug); err != nil {
				return fmt.Errorf("author %d: %w", u.ID, err)
			}
		}
	}
	if err := s.keep(ctx, next); err != nil {
		return err
	}
	s.report.add(e)
	return nil
}

// categories makes the tree of the site that of the edition. It is short, so it is read whole every time.
func (s *Syncer) categories(ctx context.Context) error {
	list, _, err := site.List[restTerm](ctx, s.site, "/wp/v2/categories",
		site.Query("_fields", "id,name,slug,description,parent", "orderby", "id", "order", "asc", "hide_empty", "false"))
	if err != nil {
		return err
	}
	byID := map[int64]*restTerm{}
	listed := map[int64]bool{}
	for i := range list {
		byID[list[i].ID] = &list[i]
		listed[list[i].ID] = true
	}
	order := slices.Sorted(maps.Keys(byID))
	slices.SortStableFunc(order, func(a, b int64) int { return cmp.Compare(depth(byID, a), depth(byID, b)) })
	for _, id := range order {
		if err := s.category(ctx, byID, id); err != nil {
			return err
		}
	}
	gone, err := s.missing(ctx, categoriesKind, listed)
	if err != nil {
		return err
	}
	for _, row := range gone {
		if row.Slug != "" {
			if _, err := s.o.Library.RemoveCategory(ctx, row.Slug); err != nil {
				return fmt.Errorf("category %d: %w", row.Number, err)
			}
		}
		if err := s.drop(ctx, row); err != nil {
			return err
		}
		s.report.add(Entry{Kind: "category", Title: row.Slug, ID: strconv.FormatInt(row.Number, 10), Outcome: Withdrawn})
	}
	return nil
}

// rootOf is the highest category over one; 0 when it is that itself. A tree here has two levels.
func rootOf(byID map[int64]*restTerm, id int64) (over int64) {
	seen := map[int64]bool{id: true}
	for up := byID[byID[id].Parent]; up != nil && !seen[up.ID]; up = byID[up.Parent] {
		seen[up.ID] = true
		over = up.ID
	}
	return over
}

// root is the category of the edition's document over one, or that itself.
func (s *Syncer) root(slug string) string {
	over := slug
	s.ed.Walk(func(c, parent *edition.Category) {
		if c.Slug == slug && parent != nil {
			over = parent.Slug
		}
	})
	return over
}

func depth(byID map[int64]*restTerm, id int64) int { return min(1, int(rootOf(byID, id))) }

func (s *Syncer) category(ctx context.Context, byID map[int64]*restTerm, id int64) error {
	t := byID[id]
	name, description := blocks.Plain(t.Name), blocks.Plain(t.Description)
	slug := post.Slug(s.ed.Lang(), cmp.Or(unescape(t.Slug), name))
	if unsorted[slug] || name == "" {
		slug = ""
	}
	parent := s.root(s.terms.slug(categoriesKind, rootOf(byID, id)))
	mark := digest([]string{name, description, parent, strconv.FormatBool(slug == "")})
	row := s.terms[categoriesKind][id]
	if row != nil && row.Mark == mark {
		return nil
	}
	next := &syncItem{Source: s.source, Kind: categoriesKind, Number: id, Mark: mark}
	e := Entry{Kind: "category", Title: name, ID: strconv.FormatInt(id, 10), Outcome: Taken}
	if row != nil {
		e.Outcome = Changed
	}
	if slug == "" {
		e.Outcome, e.Reason = Left, "it stands for none"
	} else {
		if next.Slug = s.terms.freeSlug(categoriesKind, id, slug); row != nil && row.Slug != "" {
			next.Slug = row.Slug // its address stays
		}
		if _, err := s.o.Library.SaveCategory(ctx,
			catalog.Category{Slug: next.Slug, Name: name, Description: description, Parent: parent}); err != nil {
			return fmt.Errorf("category %d: %w", id, err)
		}
	}
	if err := s.keep(ctx, next); err != nil {
		return err
	}
	s.report.add(e)
	return nil
}
