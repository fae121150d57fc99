package content

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/web"
)

// loadBody reads the text of a post, sealed.
func loadBody(ctx context.Context, tx db.Tx, id int64) (Body, error) {
	b := Body{post: id}
	err := tx.NewRaw(`SELECT b.html, p.video_url, p.locked, p.type, p.paragraphs FROM content_bodies b JOIN
		content_posts p ON p.id = b.post_id
		WHERE p.id = ? AND p.status = 'published' AND p.published_at <= ?`, id, tx.Now).
		Scan(ctx, &b.html, &b.video, &b.locked, &b.kind, &b.paragraphs)
	if errors.Is(err, sql.ErrNoRows) {
		return b, web.ErrNotFound
	}
	return b, err
}

func loadGate(ctx context.Context, tx db.Tx, id int64) (gate, error) {
	var g gate
	var published bun.NullTime
	err := tx.NewRaw("SELECT type, locked, status = 'published' AND published_at <= ?, published_at FROM content_posts "+
		"WHERE id = ?", tx.Now, id).
		Scan(ctx, &g.Type, &g.Locked, &g.Out, &published)
	g.Published = published.Time
	if errors.Is(err, sql.ErrNoRows) {
		return gate{}, nil
	}
	return g, err
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
		Type       post.Type
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

// publicTexts are the texts of posts as everybody may read them, also of those that are not out yet:
// search.PublicTexts.
func (m *Module) publicTexts(ctx context.Context, tx db.Tx, ids []int64) (map[int64]string, error) {
	out := make(map[int64]string, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	var rows []struct {
		ID         int64
		Type       post.Type
		Locked     bool
		Paragraphs int
		HTML       string
	}
	err := tx.NewRaw(`SELECT p.id, p.type, p.locked, p.paragraphs, b.html FROM content_posts p JOIN content_bodies b
		ON b.post_id = p.id WHERE p.id IN (?)`, bun.List(ids)).Scan(ctx, &rows)
	for _, r := range rows {
		b := Body{post: r.ID, html: r.HTML, locked: r.Locked, kind: r.Type, paragraphs: r.Paragraphs}
		out[r.ID] = m.reveal(b, tierAccess(page.Anonymous, b)).HTML
	}
	return out, err
}

// NewestPictures are the ids of the pictures of the newest posts of the edition of ctx.
func NewestPictures(ctx context.Context, d *db.DB, most int) (ids []string, err error) {
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT picture_id FROM content_posts WHERE picture_id IS NOT NULL ORDER BY published_at DESC, id "+
			"DESC LIMIT ?", most).Scan(ctx, &ids)
	})
	return ids, err
}
