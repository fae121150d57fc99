package post

import (
	"context"
	"database/sql"
	"errors"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// FindAuthor reads an author; web.ErrNotFound when there is none.
func FindAuthor(ctx context.Context, tx db.Tx, slug string) (id int64, b Byline, err error) {
	if !Storable(slug) {
		return 0, b, web.ErrNotFound
	}
	var picture Image
	err = tx.NewRaw(`SELECT a.id, a.slug, a.name, a.role, a.bio, coalesce(i.id, ''), coalesce(i.width, 0),
		coalesce(i.height, 0), coalesce(i.alt, '')
		FROM content_authors a LEFT JOIN content_pictures i ON i.id = a.picture_id WHERE a.slug = ?`, slug).
		Scan(ctx, &id, &b.Slug, &b.Name, &b.Role, &b.Bio, &picture.ID, &picture.Width, &picture.Height, &picture.Alt)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, b, web.ErrNotFound
	}
	if picture.ID != "" {
		b.Portrait = &picture
	}
	b.URL = tx.Edition.Href(edition.Author, b.Slug)
	return id, b, err
}
