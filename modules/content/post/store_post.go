package post

import (
	"context"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// Load reads the posts that are out, whole but for their text, in three queries.
func Load(ctx context.Context, tx db.Tx, t *Tree, ids []int64) (map[int64]*Post, error) {
	posts := make(map[int64]*Post, len(ids))
	if len(ids) == 0 {
		return posts, nil
	}
	var rows []*Post
	err := tx.NewRaw(`SELECT p.id, p.type, p.slug, p.title, p.excerpt, p.paragraphs, p.locked, p.published_at,
		p.modified_at, p.caption,
			CASE WHEN p.locked THEN '' ELSE p.video_url END AS video_url, p.video_seconds, p.comments + p.discussed AS comments,
			coalesce(i.id, '') AS picture_id, coalesce(i.width, 0) AS width, coalesce(i.height, 0) AS height,
			coalesce(nullif(p.alt, ''), i.alt, '') AS alt, coalesce(i.credit, '') AS credit, coalesce(g.route, '') AS route
		FROM content_posts p LEFT JOIN content_pictures i ON i.id = p.picture_id LEFT JOIN content_pages g ON g.post_id = p.id
		WHERE p.id IN (?) AND p.status = 'published' AND p.published_at <= ?`, bun.List(ids), tx.Now).Scan(ctx, &rows)
	if err != nil {
		return nil, err
	}
	for _, p := range rows {
		posts[p.ID] = p
	}
	if err := loadBylines(ctx, tx, posts, ids); err != nil {
		return nil, err
	}
	var links []struct{ PostID, CategoryID int64 }
	err = tx.NewRaw("SELECT post_id, category_id FROM content_post_categories WHERE post_id IN (?) ORDER BY post_id, "+
		"position", bun.List(ids)).Scan(ctx, &links)
	for _, l := range links {
		if p, c := posts[l.PostID], t.ByID[l.CategoryID]; p != nil && c != nil {
			p.Categories = append(p.Categories, c)
		}
	}
	return posts, err
}

func loadBylines(ctx context.Context, tx db.Tx, posts map[int64]*Post, ids []int64) error {
	var rows []struct {
		PostID                int64
		Slug, Name, Role, Bio string
		PictureID, Alt        string
		Width, Height         int
	}
	err := tx.NewRaw(`SELECT pa.post_id, a.slug, a.name, a.role, a.bio, coalesce(i.id, '') AS picture_id,
		coalesce(i.alt, '') AS alt,
			coalesce(i.width, 0) AS width, coalesce(i.height, 0) AS height
		FROM content_post_authors pa JOIN content_authors a ON a.id = pa.author_id LEFT JOIN content_pictures i ON i.id =
		a.picture_id
		WHERE pa.post_id IN (?) ORDER BY pa.post_id, pa.position`, bun.List(ids)).Scan(ctx, &rows)
	for _, r := range rows {
		p := posts[r.PostID]
		if p == nil {
			continue
		}
		b := Byline{Name: r.Name, URL: tx.Edition.Href(edition.Author, r.Slug), Slug: r.Slug, Role: r.Role, Bio: r.Bio}
		if r.PictureID != "" {
			b.Portrait = &Image{ID: r.PictureID, Width: r.Width, Height: r.Height, Alt: r.Alt}
		}
		p.Authors = append(p.Authors, b)
	}
	return err
}
