package content

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/web"
)

// loadPosts reads the posts that are out, whole but for their text, in three queries.
func loadPosts(ctx context.Context, tx db.Tx, t *tree, ids []int64) (map[int64]*post, error) {
	posts := make(map[int64]*post, len(ids))
	if len(ids) == 0 {
		return posts, nil
	}
	var rows []*post
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
		if p, c := posts[l.PostID], t.byID[l.CategoryID]; p != nil && c != nil {
			p.categories = append(p.categories, c)
		}
	}
	return posts, err
}

func loadBylines(ctx context.Context, tx db.Tx, posts map[int64]*post, ids []int64) error {
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
		p.authors = append(p.authors, b)
	}
	return err
}

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

// findRedirect finds the post that an old address leads to, the first path that leads anywhere; 0 when none does.
func findRedirect(ctx context.Context, tx db.Tx, paths []string) (id int64, err error) {
	var rows []redirectRow
	if len(paths) == 0 {
		return 0, nil
	}
	err = tx.NewRaw("SELECT path, post_id FROM content_redirects WHERE path IN (?)", bun.List(paths)).Scan(ctx, &rows)
	for _, p := range paths {
		for _, r := range rows {
			if r.Path == p {
				return r.PostID, err
			}
		}
	}
	return 0, err
}

// findDated finds the post of a slug that was published on a day ("2019-05-22") or in a month ("2019-05"), in the
// edition's time zone; 0 when there is none.
func findDated(ctx context.Context, tx db.Tx, slug, day string) (id int64, err error) {
	var rows []struct {
		ID          int64
		PublishedAt time.Time
	}
	err = tx.NewRaw("SELECT id, published_at FROM content_posts WHERE slug = ? AND status = 'published'", slug).
		Scan(ctx, &rows)
	for _, r := range rows {
		if strings.HasPrefix(r.PublishedAt.In(tx.Edition.Location).Format(time.DateOnly), day) {
			return r.ID, err
		}
	}
	return 0, err
}
