package catalog

import (
	"context"
	"database/sql"
	"errors"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// insertPicture leaves a picture that is there as it is described.
func insertPicture(ctx context.Context, tx db.Tx, p post.Picture) error {
	_, err := tx.NewRaw(`INSERT INTO content_pictures (id, width, height, alt, caption, credit) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO NOTHING`, p.ID, p.Width, p.Height, p.Alt, p.Caption, p.Credit).Exec(ctx)
	return err
}

func upsertPicture(ctx context.Context, tx db.Tx, p post.Picture) error {
	_, err := tx.NewRaw(`INSERT INTO content_pictures (id, width, height, alt, caption, credit) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET width = EXCLUDED.width, height = EXCLUDED.height, alt = EXCLUDED.alt, caption =
		EXCLUDED.caption,
			credit = EXCLUDED.credit`, p.ID, p.Width, p.Height, p.Alt, p.Caption, p.Credit).Exec(ctx)
	return err
}

func upsertAuthor(ctx context.Context, tx db.Tx, a Author) (id int64, changed bool, err error) {
	err = tx.NewRaw(`INSERT INTO content_authors AS a (slug, name, role, bio, picture_id) VALUES (?, ?, ?, ?, nullif(?,
		''))
		ON CONFLICT (slug) DO UPDATE SET name = EXCLUDED.name, role = EXCLUDED.role, bio = EXCLUDED.bio, picture_id =
		EXCLUDED.picture_id
		WHERE (a.name, a.role, a.bio, a.picture_id) IS DISTINCT FROM (EXCLUDED.name, EXCLUDED.role, EXCLUDED.bio,
		EXCLUDED.picture_id)
		RETURNING id`, a.Slug, a.Name, a.Role, a.Bio, a.Picture).Scan(ctx, &id)
	if db.Violates(err, "content_authors_picture_id_fkey") {
		return 0, false, post.ErrInvalid.On("picture").Becausef("author %q: there is no picture %q", a.Slug, a.Picture)
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return id, true, err
	}
	err = tx.NewRaw("SELECT id FROM content_authors WHERE slug = ?", a.Slug).Scan(ctx, &id)
	return id, false, err
}

func upsertAuthorRedirect(ctx context.Context, tx db.Tx, author, word string) error {
	_, err := tx.NewRaw(`INSERT INTO content_author_redirects AS r (slug, author_id) SELECT ?0, id FROM content_authors
		WHERE slug = ?1 AND NOT EXISTS (SELECT FROM content_authors WHERE slug = ?0)
		ON CONFLICT (slug) DO UPDATE SET author_id = EXCLUDED.author_id WHERE r.author_id <> EXCLUDED.author_id`, word,
		author).Exec(ctx)
	return err
}

func upsertCategory(ctx context.Context, tx db.Tx, c Category) (id int64, changed bool, err error) {
	t, err := post.LoadTree(ctx, tx)
	if err != nil {
		return 0, false, err
	}
	var parent *post.Category
	if c.Parent != "" {
		if parent = t.Find(c.Parent); parent == nil {
			return 0, false, post.ErrInvalid.On("parent").Becausef("category %q: there is no category %q", c.Slug, c.Parent)
		}
	}
	if known := t.BySlug[c.Slug]; known != nil {
		if InDocument(tx.Edition, known.Key) {
			return known.ID, false, nil
		}
		if parent != nil && (parent == known || parent.Root() == known.Root() && len(parent.Path()) > len(known.Path())) {
			parent = known.Parent // a circle in the source
		}
		if c.Name == known.Name && c.Description == known.Description && idOf(parent) == known.ParentID {
			return known.ID, false, nil
		}
		_, err := tx.NewRaw("UPDATE content_categories SET name = ?, description = ?, parent_id = nullif(?, 0) WHERE id = ?",
			c.Name, c.Description, idOf(parent), known.ID).Exec(ctx)
		return known.ID, true, err
	}
	key := "import." + c.Slug
	if parent != nil {
		key = parent.Key + "." + c.Slug
	}
	if t.ByKey[key] != nil {
		key = "import." + key
	}
	err = tx.NewRaw(`INSERT INTO content_categories (key, slug, name, description, parent_id, position) VALUES (?, ?, ?,`+
		` ?, nullif(?, 0), 1000) RETURNING id`,
		key, c.Slug, c.Name, c.Description, idOf(parent)).Scan(ctx, &id)
	return id, true, err
}

func idOf(c *post.Category) int64 {
	if c == nil {
		return 0
	}
	return c.ID
}

// InDocument reports whether a category stands in the edition's document.
func InDocument(ed *edition.Edition, key string) (found bool) {
	ed.Walk(func(c, _ *edition.Category) { found = found || c.Key == key })
	return found
}

// syncTree writes the document's categories, by key; a category of an old site with the slug of one becomes it.
func syncTree(ctx context.Context, tx db.Tx) (changed bool, err error) {
	t, err := post.LoadTree(ctx, tx)
	if err != nil {
		return false, err
	}
	type node struct {
		want   *edition.Category
		parent string
		have   *post.Category
	}
	var nodes []*node
	byKey := map[string]*node{}
	tx.Edition.Walk(func(c, parent *edition.Category) {
		n := &node{want: c, have: t.ByKey[c.Key]}
		if n.have == nil {
			if old := t.BySlug[c.Slug]; old != nil && !InDocument(tx.Edition, old.Key) {
				n.have = old
			}
		}
		if parent != nil {
			n.parent = parent.Key
		}
		nodes = append(nodes, n)
		byKey[c.Key] = n
	})
	// Slugs that move are set free first: two categories may have exchanged theirs.
	for _, n := range nodes {
		if n.have != nil && n.have.Slug != n.want.Slug {
			if _, err := tx.NewRaw("UPDATE content_categories SET slug = '~' || id WHERE id = ?", n.have.ID).
				Exec(ctx); err != nil {
				return false, err
			}
		}
	}
	for i, n := range nodes {
		want := post.Category{
			Key: n.want.Key, Slug: n.want.Slug, Name: n.want.Name,
			Description: n.want.Description, Position: i,
		}
		if p := byKey[n.parent]; p != nil {
			want.ParentID = p.have.ID
		}
		if n.have == nil {
			// One that has left the document keeps its posts, and gives its slug to the new one.
			if _, err := tx.NewRaw("UPDATE content_categories SET slug = slug || '-' || id WHERE slug = ?", want.Slug).
				Exec(ctx); err != nil {
				return false, err
			}
			err := tx.NewRaw(`INSERT INTO content_categories (key, slug, name, description, parent_id, position) VALUES (?, ?,`+
				` ?, ?, nullif(?, 0), ?) RETURNING id`,
				want.Key, want.Slug, want.Name, want.Description, want.ParentID, want.Position).Scan(ctx, &want.ID)
			if err != nil {
				return false, err
			}
			n.have, changed = &want, true
			continue
		}
		h := n.have
		want.ID = h.ID
		if h.Key == want.Key && h.Slug == want.Slug && h.Name == want.Name && h.Description == want.Description &&
			h.ParentID == want.ParentID && h.Position == want.Position {
			continue
		}
		changed = true
		_, err := tx.NewRaw("UPDATE content_categories SET slug = slug || '-' || id WHERE slug = ? AND id <> ?", want.Slug,
			want.ID).Exec(ctx)
		if err != nil {
			return false, err
		}
		_, err = tx.NewRaw("UPDATE content_categories SET key = ?, slug = ?, name = ?, description = ?, parent_id = "+
			"nullif(?, 0), position = ? WHERE id = ?",
			want.Key, want.Slug, want.Name, want.Description, want.ParentID, want.Position, want.ID).Exec(ctx)
		if err != nil {
			return false, err
		}
	}
	return changed, nil
}
