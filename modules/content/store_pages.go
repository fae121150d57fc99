package content

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

// pageRow is a row of content_pages.
type pageRow struct {
	bun.BaseModel `bun:"table:content_pages"`
	PostID        int64
	Route         edition.Route
	Layout        string
	Lang          string
	Blocks        json.RawMessage `bun:"type:jsonb"`
}

// writePages replaces the forms of the pages among the posts.
func writePages(ctx context.Context, tx db.Tx, todo []*manuscript, ids []int64) error {
	if _, err := tx.NewRaw("DELETE FROM content_pages WHERE post_id IN (?)", bun.List(ids)).Exec(ctx); err != nil {
		return err
	}
	var rows []pageRow
	holder := map[edition.Route]string{}
	var slugs []string
	for _, s := range todo {
		f := s.Page
		if s.Type != post.TypePage || f.Route == "" && f.Layout == "" && f.Lang == "" && len(f.Blocks) == 0 {
			continue
		}
		slugs = append(slugs, f.authors()...)
		if f.Route != "" {
			if tx.Edition.Href(f.Route) == "" {
				return s.refuse("route", "the edition has no address for %q", f.Route)
			}
			if other := holder[f.Route]; other != "" {
				return s.refuse("route", "%q is the route of the page %s", f.Route, other)
			}
			other, err := findRouteHolder(ctx, tx, f.Route)
			if err != nil {
				return err
			}
			if other != "" {
				return s.refuse("route", "%q is the route of the page %s", f.Route, other)
			}
			holder[f.Route] = s.row.Slug
		}
		blocks := f.Blocks
		if blocks == nil {
			blocks = []Block{}
		}
		b, err := json.Marshal(blocks)
		if err != nil {
			return err
		}
		rows = append(rows, pageRow{PostID: s.row.ID, Route: f.Route, Layout: f.Layout, Lang: f.Lang, Blocks: b})
	}
	if err := checkLinkedAuthors(ctx, tx, todo, unique(slugs)); err != nil || len(rows) == 0 {
		return err
	}
	_, err := tx.NewInsert().Model(&rows).Exec(ctx)
	return err
}

// refuse says what is wrong with a draft that was right in itself.
func (s *manuscript) refuse(field, format string, args ...any) error {
	return refusal(s.Draft, field, format, args...)
}

// findRouteHolder returns the slug of the page that stands at a route, "" when none does.
func findRouteHolder(ctx context.Context, tx db.Tx, r edition.Route) (slug string, err error) {
	err = tx.NewRaw("SELECT p.slug FROM content_pages g JOIN content_posts p ON p.id = g.post_id WHERE g.route = ?", r).
		Scan(ctx, &slug)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return slug, err
}

func checkLinkedAuthors(ctx context.Context, tx db.Tx, todo []*manuscript, slugs []string) error {
	if len(slugs) == 0 {
		return nil
	}
	var have []string
	if err := tx.NewRaw("SELECT slug FROM content_authors WHERE slug IN (?)", bun.List(slugs)).
		Scan(ctx, &have); err != nil {
		return err
	}
	known := map[string]bool{}
	for _, slug := range have {
		known[slug] = true
	}
	for _, s := range todo {
		for _, slug := range s.Page.authors() {
			if !known[slug] {
				return s.refuse("blocks", "there is no author %q", slug)
			}
		}
	}
	return nil
}

// findPage finds a page by its slug, and the address that the edition keeps for it; 0 when there is none.
func findPage(ctx context.Context, tx db.Tx, slug string) (id int64, route edition.Route, err error) {
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

// findPageAt finds the page of a route; 0 when there is none.
func findPageAt(ctx context.Context, tx db.Tx, r edition.Route) (id int64, err error) {
	err = tx.NewRaw("SELECT post_id FROM content_pages WHERE route = ?", r).Scan(ctx, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

// loadForm reads the form of a page; one without has none.
func loadForm(ctx context.Context, tx db.Tx, id int64) (f PageForm, err error) {
	var row pageRow
	err = tx.NewSelect().Model(&row).Where("post_id = ?", id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	return row.form()
}

func (r pageRow) form() (PageForm, error) {
	f := PageForm{Route: r.Route, Layout: r.Layout, Lang: r.Lang}
	err := json.Unmarshal(r.Blocks, &f.Blocks)
	if len(f.Blocks) == 0 {
		f.Blocks = nil
	}
	return f, err
}

// loadPictures reads pictures of the library by id.
func loadPictures(ctx context.Context, tx db.Tx, ids []string) (map[string]*post.Image, error) {
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

// findPages reads all pages of the edition, also those that are not out, as drafts.
func findPages(ctx context.Context, tx db.Tx) ([]Draft, error) {
	var rows []*postRow
	if err := tx.NewSelect().Model(&rows).Where("type = 'page'").Order("id").Scan(ctx); err != nil {
		return nil, err
	}
	drafts := make([]Draft, len(rows))
	at := make(map[int64]*Draft, len(rows))
	for i, r := range rows {
		drafts[i] = Draft{
			ID: r.ID, Type: r.Type, Status: r.Status, Slug: r.Slug, Title: r.Title, Excerpt: r.Excerpt, Locked: r.Locked,
			Published: r.PublishedAt, Modified: r.ModifiedAt,
			Picture: r.PictureID, Alt: r.Alt, Caption: r.Caption, Video: Video{URL: r.VideoURL, Seconds: r.VideoSeconds},
		}
		at[r.ID] = &drafts[i]
	}
	if len(rows) == 0 {
		return drafts, nil
	}
	var bodies []bodyRow
	if err := tx.NewRaw("SELECT b.post_id, b.html FROM content_bodies b JOIN content_posts p ON p.id = b.post_id WHERE "+
		"p.type = 'page'").Scan(ctx, &bodies); err != nil {
		return nil, err
	}
	for _, b := range bodies {
		at[b.PostID].Body = b.HTML
	}
	var forms []pageRow
	if err := tx.NewSelect().Model(&forms).Scan(ctx); err != nil {
		return nil, err
	}
	for _, row := range forms {
		f, err := row.form()
		if err != nil {
			return nil, err
		}
		if d := at[row.PostID]; d != nil {
			d.Page = f
		}
	}
	var links []struct {
		PostID   int64
		Slug     string
		Author   bool
		Position int
	}
	err := tx.NewRaw(`SELECT pa.post_id, a.slug, true AS author, pa.position FROM content_post_authors pa JOIN
		content_authors a ON a.id = pa.author_id
			JOIN content_posts p ON p.id = pa.post_id AND p.type = 'page'
		UNION ALL SELECT pc.post_id, c.slug, false, pc.position FROM content_post_categories pc JOIN content_categories c
		ON c.id = pc.category_id
			JOIN content_posts p ON p.id = pc.post_id AND p.type = 'page'
		ORDER BY 1, 4`).Scan(ctx, &links)
	for _, l := range links {
		d := at[l.PostID]
		if l.Author {
			d.Authors = append(d.Authors, l.Slug)
		} else {
			d.Categories = append(d.Categories, l.Slug)
		}
	}
	return drafts, err
}
