package content

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/web"
)

// findAuthor reads an author; web.ErrNotFound when there is none.
func findAuthor(ctx context.Context, tx db.Tx, slug string) (id int64, b Byline, err error) {
	if !storable(slug) {
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

// loadBodies reads the texts of posts, sealed.
func loadBodies(ctx context.Context, tx db.Tx, ids []int64) (map[int64]Body, error) {
	out := make(map[int64]Body, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	var rows []struct {
		ID         int64
		HTML       string `bun:"html"`
		VideoURL   string
		Locked     bool
		Type       Type
		Paragraphs int
	}
	err := tx.NewRaw(`SELECT p.id, b.html, p.video_url, p.locked, p.type, p.paragraphs FROM content_bodies b JOIN
		content_posts p ON p.id = b.post_id
		WHERE p.id IN (?) AND p.status = 'published' AND p.published_at <= ?`, bun.List(ids), tx.Now).Scan(ctx, &rows)
	for _, r := range rows {
		out[r.ID] = Body{
			post: r.ID, html: r.HTML, video: r.VideoURL, locked: r.Locked, kind: r.Type,
			paragraphs: r.Paragraphs,
		}
	}
	return out, err
}
