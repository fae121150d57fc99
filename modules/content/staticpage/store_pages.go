package staticpage

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/uptrace/bun"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// Row is a row of content_pages.
type Row struct {
	bun.BaseModel `bun:"table:content_pages"`
	PostID        int64
	Route         edition.Route
	Layout        string
	Lang          string
	Blocks        json.RawMessage `bun:"type:jsonb"`
}

// FindRouteHolder returns the slug of the page that stands at a route, "" when none does.
func FindRouteHolder(ctx context.Context, tx db.Tx, r edition.Route) (string, error) {
	return db.Get[string](ctx,
		tx.NewRaw("SELECT p.slug FROM content_pages g JOIN content_posts p ON p.id = g.post_id WHERE g.route = ?", r))
}

// Find finds a page by its slug, and the address that the edition keeps for it; 0 when there is none.
func Find(ctx context.Context, tx db.Tx, slug string) (id int64, route edition.Route, err error) {
	if !post.Storable(slug) {
		return 0, "", nil
	}
	err = tx.NewRaw(`SELECT p.id, coalesce(g.route, '') FROM content_posts p LEFT JOIN content_pages g ON g.post_id = p.id
		WHERE p.slug = ? AND p.type = 'page' AND p.status = 'published' AND p.published_at <= ?`, slug, tx.Now).
		Scan(ctx, &id, &route)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, "", nil
	}
	return id, route, err
}

// FindAt finds the page of a route; 0 when there is none.
func FindAt(ctx context.Context, tx db.Tx, r edition.Route) (int64, error) {
	return db.Get[int64](ctx, tx.NewRaw("SELECT post_id FROM content_pages WHERE route = ?", r))
}

// LoadForm reads the form of a page; one without has none.
func LoadForm(ctx context.Context, tx db.Tx, id int64) (f Form, err error) {
	var row Row
	err = tx.NewSelect().Model(&row).Where("post_id = ?", id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	return row.Form()
}

// Form is the form that the row holds.
func (r Row) Form() (Form, error) {
	f := Form{Route: r.Route, Layout: r.Layout, Lang: r.Lang}
	err := json.Unmarshal(r.Blocks, &f.Blocks)
	if len(f.Blocks) == 0 {
		f.Blocks = nil
	}
	return f, err
}

// LoadPictures reads pictures of the library by id.
func LoadPictures(ctx context.Context, tx db.Tx, ids []string) (map[string]*post.Image, error) {
	out := map[string]*post.Image{}
	if len(ids) == 0 {
		return out, nil
	}
	var rows []post.Image
	err := tx.NewRaw("SELECT id, width, height, alt, caption, credit FROM content_pictures WHERE id IN (?)",
		bun.List(ids)).Scan(ctx, &rows)
	for i := range rows {
		out[rows[i].ID] = &rows[i]
	}
	return out, err
}
