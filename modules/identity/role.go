package identity

import (
	"context"
	"strconv"

	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/notify"
)

// Moderator is the role of a reader who looks after discussions.
const Moderator = "moderator"

// ErrUserNotExists is an address without an account.
var ErrUserNotExists = fault.New(fault.Invalid, "USER_NOT_EXISTS")

func readerKey(id int64) string { return strconv.FormatInt(id, 10) }

// HasRole reports whether a reader has a role.
func (m *Module) HasRole(ctx context.Context, readerID int64, role string) (has bool, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		has, err = findRole(ctx, tx, readerID, role)
		return err
	})
	return has, err
}

// SetRole gives a reader a role, or takes it away, and reports whether that changed anything. Who is given one logs in
// anew: a session that somebody else has got hold of must not rise with it.
func SetRole(ctx context.Context, d *db.DB, readerID int64, role string, has bool) (changed bool, err error) {
	err = d.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if changed, err = putRole(ctx, tx, readerID, role, has); err != nil || !changed || !has {
			return err
		}
		if _, err := endSessions(ctx, tx, readerID); err != nil {
			return err
		}
		return notify.Tell(ctx, tx, notify.Reader, readerKey(readerID))
	})
	return changed, err
}

// Find returns the reader of an address; ErrUserNotExists if there is none.
func Find(ctx context.Context, d *db.DB, address string) (id int64, err error) {
	email, err := emailaddr.Parse(address)
	if err != nil {
		return 0, err
	}
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		id, err = findReaderByEmail(ctx, tx, email)
		return err
	})
	if err == nil && id == 0 {
		return 0, ErrUserNotExists.On("email")
	}
	return id, err
}
