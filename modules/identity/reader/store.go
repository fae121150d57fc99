package reader

import (
	"context"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/event"
)

// Upsert finds or makes the reader of an address that has just proved to be theirs.
func Upsert(ctx context.Context, tx db.Tx, email string) (*Reader, error) {
	r := new(Reader)
	err := tx.NewRaw(`INSERT INTO identity_readers AS r (email, created_at, first_login_at, last_login_at) VALUES (?0,
		?1, ?1, ?1)
		ON CONFLICT (email) DO UPDATE SET first_login_at = coalesce(r.first_login_at, EXCLUDED.first_login_at),
		last_login_at = EXCLUDED.last_login_at
		RETURNING id, email, (xmax = 0) AS created, first_login_at = ?1 AS first_login`, email, tx.Now).Scan(ctx, r)
	return r, err
}

// Find returns nil when there is none.
func Find(ctx context.Context, tx db.Tx, id int64) (*Reader, error) {
	r := new(Reader)
	return db.One(r,
		tx.NewRaw("SELECT id, email, comment_name, type, lang FROM identity_readers WHERE id = ? AND erased_at IS NULL", id).
			Scan(ctx, r))
}

// Lock returns a reader, and keeps the address as it is until the transaction ends.
func Lock(ctx context.Context, tx db.Tx, id int64) (*Reader, error) {
	r := new(Reader)
	return r, tx.NewRaw("SELECT id, email FROM identity_readers WHERE id = ? FOR UPDATE", id).Scan(ctx, r)
}

// FindPublicID returns what a reader is called outside the database.
func FindPublicID(ctx context.Context, tx db.Tx, readerID int64) (string, error) {
	id, err := db.Get[string](ctx, tx.NewRaw("SELECT public_id::text FROM identity_readers WHERE id = ?", readerID))
	if err == nil && id == "" {
		err = event.ErrReaderLeft
	}
	return id, err
}

// HasRole reports whether a reader has a role.
func HasRole(ctx context.Context, tx db.Tx, readerID int64, role string) (bool, error) {
	return db.Get[bool](ctx,
		tx.NewRaw("SELECT EXISTS (SELECT FROM identity_roles WHERE reader_id = ? AND role = ?)", readerID, role))
}

// PutRole gives a role or takes it, and reports whether that changed anything.
func PutRole(ctx context.Context, tx db.Tx, readerID int64, role string, has bool) (bool, error) {
	query := tx.NewRaw("DELETE FROM identity_roles WHERE reader_id = ? AND role = ?", readerID, role)
	if has {
		query = tx.NewRaw("INSERT INTO identity_roles (reader_id, role, granted_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
			readerID, role, tx.Now)
	}
	return db.Changed(query.Exec(ctx))
}

// FindByEmail returns 0 when there is none.
func FindByEmail(ctx context.Context, tx db.Tx, email string) (int64, error) {
	return db.Get[int64](ctx, tx.NewRaw("SELECT id FROM identity_readers WHERE email = ?", email))
}

// Load is Find outside a transaction; event.ErrReaderLeft when there is none.
func Load(ctx context.Context, d *db.DB, id int64) (r *Reader, err error) {
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		r, err = Find(ctx, tx, id)
		return err
	})
	if err == nil && r == nil {
		err = event.ErrReaderLeft
	}
	return r, err
}
