package legacy

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
)

// FindPost finds the post that an old address leads to, the first path that leads anywhere; 0 when none does.
func FindPost(ctx context.Context, tx db.Tx, paths []string) (id int64, err error) {
	var rows []struct {
		Path   string
		PostID int64
	}
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

// FindDated finds the post of a slug that was published on a day ("2019-05-22") or in a month ("2019-05"), in the
// edition's time zone; 0 when there is none.
func FindDated(ctx context.Context, tx db.Tx, slug, day string) (id int64, err error) {
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

// FindAuthor returns the slug of the author that a word of the site before leads to, "" for none.
func FindAuthor(ctx context.Context, tx db.Tx, word string) (string, error) {
	if !post.Storable(word) {
		return "", nil
	}
	return db.Get[string](ctx, tx.NewRaw("SELECT a.slug FROM content_author_redirects r "+
		"JOIN content_authors a ON a.id = r.author_id WHERE r.slug = ?", word))
}
