package alternate

import (
	"context"

	"example.org/broadsheet/platform/db"
)

// Write replaces a post's addresses in sister editions.
func Write(ctx context.Context, tx db.Tx, id int64, all []Link) error {
	if _, err := tx.NewRaw("DELETE FROM content_post_alternates WHERE post_id = ?", id).Exec(ctx); err != nil {
		return err
	}
	for _, a := range all {
		_, err := tx.NewRaw("INSERT INTO content_post_alternates (post_id, lang, url) VALUES (?, ?, ?) ON CONFLICT "+
			"(post_id, lang) DO UPDATE SET url = EXCLUDED.url",
			id, a.Lang, a.URL).Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

// Load reads where a story stands in sister editions.
func Load(ctx context.Context, tx db.Tx, id int64) (all []Link, err error) {
	err = tx.NewRaw("SELECT lang, url FROM content_post_alternates WHERE post_id = ? ORDER BY lang", id).Scan(ctx, &all)
	return all, err
}

// sourcedPost is a post by its identity at its source.
type sourcedPost struct {
	ID       int64
	SourceID string
	Slug     string
}

// findStories reads what is out of a source and stands in lists.
func findStories(ctx context.Context, tx db.Tx, source string) (rows []sourcedPost, err error) {
	err = tx.NewRaw("SELECT id, source_id, slug FROM content_posts WHERE source = ? AND source <> '' AND list IN "+
		"('article', 'video') AND published_at <= ?", source, tx.Now).Scan(ctx, &rows)
	return rows, err
}
