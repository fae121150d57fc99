package identity

import (
	"context"
	"database/sql"
	"errors"

	"example.org/broadsheet/platform/db"
)

func hasTombstone(ctx context.Context, tx db.Tx, hash []byte) (has bool, err error) {
	err = tx.NewRaw("SELECT EXISTS (SELECT FROM identity_tombstones WHERE hash = ?)", hash).Scan(ctx, &has)
	return has, err
}

// isUnusedLegacy reports whether an address is that of an account of the former site which nobody has entered here yet.
func isUnusedLegacy(ctx context.Context, tx db.Tx, email string) (unmoved bool, err error) {
	err = tx.NewRaw("SELECT EXISTS (SELECT FROM identity_readers WHERE email = ? AND type = ? AND first_login_at IS NULL)",
		email, Wordpress).Scan(ctx, &unmoved)
	return unmoved, err
}

// insertLegacy returns 0 when the address has an account.
func insertLegacy(ctx context.Context, tx db.Tx, l Legacy) (id int64, err error) {
	at := l.Registered
	if at.IsZero() || at.After(tx.Now) {
		at = tx.Now
	}
	err = tx.NewRaw("INSERT INTO identity_readers (email, type, created_at) VALUES (?, ?, ?) ON CONFLICT (email) DO "+
		"NOTHING RETURNING id", l.Email, Wordpress, at).Scan(ctx, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

// takeCommentName gives a new reader a name unless somebody has it.
func takeCommentName(ctx context.Context, tx db.Tx, id int64, name, key string) (bool, error) {
	res, err := tx.NewRaw(`UPDATE identity_readers SET comment_name = ?0, comment_name_key = ?1
		WHERE id = ?2 AND NOT EXISTS (SELECT FROM identity_readers WHERE comment_name_key = ?1)`, name, key, id).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}
