package wordpress

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
)

// findPicture is the picture that an address became; ok is false where it became none yet.
func findPicture(ctx context.Context, tx db.Tx, source, address string) (p post.Picture, ok bool, err error) {
	err = tx.NewRaw(`SELECT p.id, p.width, p.height, p.alt, p.caption, p.credit FROM content_imported_pictures i
		JOIN content_pictures p ON p.id = i.picture_id WHERE i.source = ? AND i.address = ?`, source, address).
		Scan(ctx, &p.ID, &p.Width, &p.Height, &p.Alt, &p.Caption, &p.Credit)
	if errors.Is(err, sql.ErrNoRows) {
		return p, false, nil
	}
	return p, err == nil, err
}

func rememberPicture(ctx context.Context, tx db.Tx, source, address, id string) error {
	_, err := tx.NewRaw(`INSERT INTO content_imported_pictures (source, address, picture_id) VALUES (?, ?, ?)
		ON CONFLICT (source, address) DO UPDATE SET picture_id = EXCLUDED.picture_id`, source, address, id).Exec(ctx)
	return err
}

// findAuthors returns those of the slugs that are there, with their names.
func findAuthors(ctx context.Context, tx db.Tx, slugs []string) (map[string]string, error) {
	names := map[string]string{}
	if len(slugs) == 0 {
		return names, nil
	}
	var rows []struct{ Slug, Name string }
	err := tx.NewRaw("SELECT slug, name FROM content_authors WHERE slug IN (?)", bun.List(slugs)).Scan(ctx, &rows)
	for _, r := range rows {
		names[r.Slug] = r.Name
	}
	return names, err
}

// findCategories returns the slugs of all categories with those of their parents ("" at the top).
func findCategories(ctx context.Context, tx db.Tx) (map[string]string, error) {
	var rows []struct{ Slug, Parent string }
	err := tx.NewRaw(`SELECT c.slug, coalesce(p.slug, '') AS parent FROM content_categories c
		LEFT JOIN content_categories p ON p.id = c.parent_id`).Scan(ctx, &rows)
	parents := make(map[string]string, len(rows))
	for _, r := range rows {
		parents[r.Slug] = r.Parent
	}
	return parents, err
}
