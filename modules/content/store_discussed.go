package content

import (
	"context"

	"example.org/broadsheet/platform/db"
)

func putDiscussed(ctx context.Context, tx db.Tx, postID int64, n int) error {
	_, err := tx.NewRaw("UPDATE content_posts SET discussed = ?0 WHERE id = ?1 AND discussed <> ?0", n, postID).Exec(ctx)
	return err
}
