package legacy

import (
	"context"

	"example.org/broadsheet/platform/db"
)

func hasTombstone(ctx context.Context, tx db.Tx, hash []byte) (bool, error) {
	return db.Get[bool](ctx, tx.NewRaw("SELECT EXISTS (SELECT FROM identity_tombstones WHERE hash = ?)", hash))
}

// IsUnused reports whether an address is that of an account of the legacy site which nobody has entered here yet.
func IsUnused(ctx context.Context, tx db.Tx, email string) (bool, error) {
	return db.Get[bool](ctx,
		tx.NewRaw("SELECT EXISTS (SELECT FROM identity_readers WHERE email = ? AND type = ? AND first_login_at IS NULL)",
			email, Type))
}

// insertAccount returns 0 when the address has an account.
func insertAccount(ctx context.Context, tx db.Tx, l Account) (id int64, err error) {
	at := l.Registered
	if at.IsZero() || at.After(tx.Now) {
		at = tx.Now
	}
	return db.Get[int64](ctx, tx.NewRaw("INSERT INTO identity_readers (email, type, created_at) VALUES (?, ?, ?) "+
		"ON CONFLICT (email) DO NOTHING RETURNING id", l.Email, Type, at))
}
