package content

import (
	"context"
	"encoding/json"

	"github.com/uptrace/bun"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/staticpage"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// writePages replaces the forms of the pages among the posts.
func writePages(ctx context.Context, tx db.Tx, todo []*preparedPost, ids []int64) error {
	if _, err := tx.NewRaw("DELETE FROM content_pages WHERE post_id IN (?)", bun.List(ids)).Exec(ctx); err != nil {
		return err
	}
	var rows []staticpage.Row
	holder := map[edition.Route]string{}
	var slugs []string
	for _, s := range todo {
		f := s.Page
		if s.Type != post.TypePage || f.Route == "" && f.Layout == "" && f.Lang == "" && len(f.Blocks) == 0 {
			continue
		}
		slugs = append(slugs, f.Authors()...)
		if f.Route != "" {
			if tx.Edition.Href(f.Route) == "" {
				return s.refuse("route", "the edition has no address for %q", f.Route)
			}
			if other := holder[f.Route]; other != "" {
				return s.refuse("route", "%q is the route of the page %s", f.Route, other)
			}
			other, err := staticpage.FindRouteHolder(ctx, tx, f.Route)
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
			blocks = []staticpage.Block{}
		}
		b, err := json.Marshal(blocks)
		if err != nil {
			return err
		}
		rows = append(rows, staticpage.Row{PostID: s.row.ID, Route: f.Route, Layout: f.Layout, Lang: f.Lang, Blocks: b})
	}
	if err := checkLinkedAuthors(ctx, tx, todo, post.Unique(slugs)); err != nil || len(rows) == 0 {
		return err
	}
	_, err := tx.NewInsert().Model(&rows).Exec(ctx)
	return err
}

// refuse says what is wrong with a draft that was right in itself.
func (s *preparedPost) refuse(field, format string, args ...any) error {
	return invalid(s.Draft, field, format, args...)
}

func checkLinkedAuthors(ctx context.Context, tx db.Tx, todo []*preparedPost, slugs []string) error {
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
		for _, slug := range s.Page.Authors() {
			if !known[slug] {
				return s.refuse("blocks", "there is no author %q", slug)
			}
		}
	}
	return nil
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
	var forms []staticpage.Row
	if err := tx.NewSelect().Model(&forms).Scan(ctx); err != nil {
		return nil, err
	}
	for _, row := range forms {
		f, err := row.Form()
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
