package identity

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
)

// putCommentName reports whether there is such a reader.
func putCommentName(ctx context.Context, tx db.Tx, readerID int64, name, key string) (bool, error) {
	res, err := tx.NewRaw("UPDATE identity_readers SET comment_name = ?, comment_name_key = ? WHERE id = ?", name, key,
		readerID).Exec(ctx)
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.ConstraintName == "identity_readers_comment_name" {
		return false, ErrCommentNameExists.On("comment_name")
	}
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

func listCommentNames(ctx context.Context, tx db.Tx, readerIDs []int64) (map[int64]string, error) {
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

func findRole(ctx context.Context, tx db.Tx, readerID int64, role string) (has bool, err error) {
	err = tx.NewRaw("SELECT EXISTS (SELECT 1 FROM identity_roles WHERE reader_id = ? AND role = ?)", readerID, role).
		Scan(ctx, &has)
	return has, err
}

func putRole(ctx context.Context, tx db.Tx, readerID int64, role string, has bool) (bool, error) {
	query := tx.NewRaw("DELETE FROM identity_roles WHERE reader_id = ? AND role = ?", readerID, role)
	if has {
		query = tx.NewRaw("INSERT INTO identity_roles (reader_id, role, granted_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
			readerID, role, tx.Now)
	}
	res, err := query.Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// findReaderByEmail returns 0 when there is none.
func findReaderByEmail(ctx context.Context, tx db.Tx, email string) (id int64, err error) {
	err = tx.NewRaw("SELECT id FROM identity_readers WHERE email = ?", email).Scan(ctx, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, err
}
