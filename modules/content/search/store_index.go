package search

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/retention"
)

// indexSource is a post as the index is made from it, without its text.
type indexSource struct {
	ID                          int64
	Title, Excerpt, Names, Hash string
	PublishedAt                 time.Time
}

// loadIndexSources reads the posts of ids that stand in lists.
func loadIndexSources(ctx context.Context, tx db.Tx, ids []int64) (rows []indexSource, err error) {
	err = tx.NewRaw(`SELECT p.id, p.title, p.excerpt, p.hash, p.published_at,
			coalesce((SELECT string_agg(a.name, ', ') FROM content_post_authors pa JOIN content_authors a ON a.id =
			pa.author_id WHERE pa.post_id = p.id), '')
			|| ', ' || coalesce((SELECT string_agg(c.name, ', ') FROM content_post_categories pc JOIN content_categories c ON
			c.id = pc.category_id WHERE pc.post_id = p.id), '') AS names
		FROM content_posts p WHERE p.id IN (?) AND p.list <> ''`, bun.List(ids)).Scan(ctx, &rows)
	return rows, err
}

// writeIndex replaces what the index holds of the posts of ids: rows are of those that are to be found.
func writeIndex(ctx context.Context, tx db.Tx, ids []int64, sources []indexSource, rows map[int64]indexRow) error {
	var old [][]string
	var had []struct {
		Words []string `bun:",array"`
	}
	if err := tx.NewRaw("DELETE FROM content_search_posts WHERE post_id IN (?) RETURNING words", bun.List(ids)).
		Scan(ctx, &had); err != nil {
		return err
	}
	for _, h := range had {
		old = append(old, h.Words)
	}
	if _, err := tx.NewRaw("DELETE FROM content_search WHERE post_id IN (?)", bun.List(ids)).Exec(ctx); err != nil {
		return err
	}
	type termsRow struct {
		bun.BaseModel `bun:"table:content_search"`
		PostID        int64
		PublishedAt   time.Time
		Terms         string `bun:"type:tsvector"`
	}
	type postRow struct {
		bun.BaseModel `bun:"table:content_search_posts"`
		PostID        int64
		Version       int
		Hash          string
		Head          string `bun:"type:tsvector"`
		Text          string
		Words         []string `bun:",array"`
	}
	var all []termsRow
	var posts []postRow
	for _, s := range sources {
		r := rows[s.ID]
		all = append(all, termsRow{PostID: s.ID, PublishedAt: s.PublishedAt, Terms: r.terms})
		posts = append(posts,
			postRow{
				PostID: s.ID, Version: indexVersion, Hash: s.Hash, Head: r.head, Text: r.text,
				Words: slices.Sorted(maps.Keys(r.words)),
			})
	}
	if len(all) > 0 {
		if _, err := tx.NewInsert().Model(&all).Exec(ctx); err != nil {
			return err
		}
		if _, err := tx.NewInsert().Model(&posts).Exec(ctx); err != nil {
			return err
		}
	}
	return countWords(ctx, tx, old, rows)
}

// findUnindexed returns posts that are not in the index as they are now.
func findUnindexed(ctx context.Context, tx db.Tx, limit int) (ids []int64, err error) {
	err = tx.NewRaw(`SELECT p.id FROM content_posts p LEFT JOIN content_search_posts s ON s.post_id = p.id
		WHERE CASE WHEN p.list = '' THEN s.post_id IS NOT NULL ELSE s.post_id IS NULL OR s.version <> ? OR s.hash <>
		p.hash END
		ORDER BY p.published_at DESC LIMIT ?`, indexVersion, limit).Scan(ctx, &ids)
	return ids, err
}

// Outdate has the posts of an author, or with 0 all, indexed anew: a name in them has changed.
func Outdate(ctx context.Context, tx db.Tx, authorID int64) error {
	q := tx.NewUpdate().Table("content_search_posts").Set("version = 0")
	if authorID != 0 {
		q = q.Where("post_id IN (SELECT post_id FROM content_post_authors WHERE author_id = ?)", authorID)
	} else {
		q = q.Where("version <> 0")
	}
	_, err := q.Exec(ctx)
	return err
}

// findPosts returns posts that match a tsquery, the best first by another, and how many there are of the newest
// maxFound.
func findPosts(ctx context.Context, tx db.Tx, q query, limit, offset int) (ids []int64, total int, err error) {
	var rows []struct {
		ID    int64
		Total int
	}
	err = tx.NewRaw("SELECT id, total FROM content_search_find(?::tsquery, ?::tsquery, ?, ?, ?, ?)", q.String(), q.any(),
		tx.Now, maxFound, limit, offset).Scan(ctx, &rows)
	for _, r := range rows {
		ids, total = append(ids, r.ID), r.Total
	}
	return ids, total, err
}

// loadTexts reads the public text of posts, for snippets.
func loadTexts(ctx context.Context, tx db.Tx, ids []int64) (map[int64]string, error) {
	texts := make(map[int64]string, len(ids))
	if len(ids) == 0 {
		return texts, nil
	}
	var rows []struct {
		PostID int64
		Text   string
	}
	err := tx.NewRaw(`SELECT s.post_id, s.text FROM content_search_posts s JOIN content_posts p ON p.id = s.post_id AND
		p.hash = s.hash
		WHERE s.post_id IN (?)`, bun.List(ids)).Scan(ctx, &rows)
	for _, r := range rows {
		texts[r.PostID] = r.Text
	}
	return texts, err
}

// findWriters returns all authors with something to read.
func findWriters(ctx context.Context, tx db.Tx) ([]post.Byline, error) {
	var rows []struct {
		Slug, Name, Role, Bio string
		PictureID, Alt        string
		Width, Height         int
	}
	err := tx.NewRaw(`SELECT a.slug, a.name, a.role, a.bio, coalesce(i.id, '') AS picture_id, coalesce(i.alt, '') AS alt,
			coalesce(i.width, 0) AS width, coalesce(i.height, 0) AS height
		FROM content_authors a LEFT JOIN content_pictures i ON i.id = a.picture_id
			CROSS JOIN LATERAL (SELECT FROM content_post_authors pa WHERE pa.author_id = a.id AND pa.list IN ('article',
			'video', 'minute') AND pa.published_at <= ?
				LIMIT 1) any_post -- of each the first that its index gives, however much there is
		ORDER BY a.name, a.id`, tx.Now).Scan(ctx, &rows)
	out := make([]post.Byline, len(rows))
	for i, r := range rows {
		out[i] = post.Byline{
			Name: r.Name, URL: tx.Edition.Href(edition.Author, r.Slug), Slug: r.Slug,
			Role: r.Role, Bio: r.Bio,
		}
		if r.PictureID != "" {
			out[i].Portrait = &post.Image{ID: r.PictureID, Width: r.Width, Height: r.Height, Alt: r.Alt}
		}
	}
	return out, err
}

// retentions is how long is kept what was searched for. None of it says who it was.
var retentions = []retention.Rule{
	{Name: "content_searches", Rows: "what was searched for on a day, and from how many networks (64 bits, of which " +
		"each network sets one)", Kept: keepSearches, Where: "x.day < ?1::date"},
}

// Retentions is how long the search keeps what.
func Retentions() []retention.Rule { return retentions }
