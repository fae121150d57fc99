package identity

import (
	"context"

	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
)

// HasRole reports whether a reader has a role.
func (m *Module) HasRole(ctx context.Context, readerID int64, role string) (has bool, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		has, err = reader.HasRole(ctx, tx, readerID, role)
		return err
	})
	return has, err
}

// SetRole gives a reader a role, or takes it away, and reports whether that changed anything. Who is given one logs in
// anew: a session that somebody else has got hold of must not rise with it.
func SetRole(ctx context.Context, d *db.DB, readerID int64, role string, has bool) (changed bool, err error) {
	err = d.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if changed, err = reader.PutRole(ctx, tx, readerID, role, has); err != nil || !changed || !has {
			return err
		}
		if _, err := sessions.EndLive(ctx, tx, readerID); err != nil {
			return err
		}
		return notify.Tell(ctx, tx, notify.Reader, reader.Key(readerID))
	})
	return changed, err
}

// Find returns the reader of an address; reader.ErrUserNotExists if there is none.
func Find(ctx context.Context, d *db.DB, address string) (id int64, err error) {
	email, err := emailaddr.Parse(address)
	if err != nil {
		return 0, err
	}
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		id, err = reader.FindByEmail(ctx, tx, email)
		return err
	})
	if err == nil && id == 0 {
		return 0, reader.ErrUserNotExists.On("email")
	}
	return id, err
}
