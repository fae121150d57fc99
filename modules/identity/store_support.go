package identity

import (
	"context"

	"example.org/broadsheet/platform/db"
)

func findAccount(ctx context.Context, tx db.Tx, readerID int64) (*Account, error) {
	a := new(Account)
	return db.One(a, tx.NewRaw(`SELECT r.id, r.email, r.comment_name, r.type, r.created_at, r.first_login_at,
		r.last_login_at, r.erased_at,
			coalesce((SELECT string_agg(role, ', ') FROM identity_roles WHERE reader_id = r.id), '') AS roles
		FROM identity_readers r WHERE r.id = ?`, readerID).Scan(ctx, a))
}
