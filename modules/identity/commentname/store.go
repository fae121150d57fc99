package commentname

import (
	"context"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
)

// putName reports whether there is such a reader. Whoever enters the same name once more keeps its key: one of before
// may look like another.
func putName(ctx context.Context, tx db.Tx, readerID int64, name, key string) (bool, error) {
	changed, err := db.Changed(tx.NewRaw(`UPDATE identity_readers SET comment_name = ?0,
		comment_name_key = CASE WHEN comment_name = ?0 THEN comment_name_key ELSE ?1 END WHERE id = ?2`, name, key,
		readerID).Exec(ctx))
	if db.Violates(err, "identity_readers_comment_name") {
		return false, ErrExists.On("comment_name")
	}
	return changed, err
}

func listNames(ctx context.Context, tx db.Tx, readerIDs []int64) (map[int64]string, error) {
	var rows []struct {
		ID          int64
		CommentName string
	}
	err := tx.NewRaw("SELECT id, comment_name FROM identity_readers WHERE comment_name <> '' AND id IN (?)",
		bun.List(readerIDs)).Scan(ctx, &rows)
	names := make(map[int64]string, len(rows))
	for _, r := range rows {
		names[r.ID] = r.CommentName
	}
	return names, err
}

// TakeFree gives a new reader a name unless somebody has it.
func TakeFree(ctx context.Context, tx db.Tx, id int64, name, key string) (bool, error) {
	return db.Changed(tx.NewRaw(`UPDATE identity_readers SET comment_name = ?0, comment_name_key = ?1
		WHERE id = ?2 AND NOT EXISTS (SELECT FROM identity_readers WHERE comment_name_key = ?1)`, name, key, id).Exec(ctx))
}
