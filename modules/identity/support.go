package identity

import (
	"context"
	"time"

	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/audit"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
)

// What support does with accounts.
var (
	ActionShow        = audit.New("show")
	ActionEndSessions = audit.New("end-sessions")
	ActionExport      = audit.New("export")
	ActionErase       = audit.WithReason("erase")
)

// Account is a reader as support sees them.
type Account struct {
	ID           int64
	Email        string
	CommentName  string
	Type         string
	CreatedAt    time.Time
	FirstLoginAt *time.Time
	LastLoginAt  *time.Time
	ErasedAt     *time.Time
	Sessions     int // live ones
	Roles        string
}

// FindAccount returns an account by its id, also an erased one; reader.ErrUserNotExists if there is none.
func FindAccount(ctx context.Context, d *db.DB, readerID int64) (a *Account, err error) {
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if a, err = findAccount(ctx, tx, readerID); err == nil && a != nil {
			a.Sessions, err = sessions.CountLive(ctx, tx, readerID)
		}
		return err
	})
	if err == nil && a == nil {
		err = reader.ErrUserNotExists.On("id")
	}
	return a, err
}

// EndSessions ends all sessions of a reader at once and returns how many there were.
func EndSessions(ctx context.Context, d *db.DB, e audit.Entry) (n int64, err error) {
	if err := e.Check(); err != nil {
		return 0, err
	}
	err = d.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if err = audit.WriteTx(ctx, tx, e); err != nil {
			return err
		}
		if n, err = sessions.EndLive(ctx, tx, e.ReaderID); err != nil {
			return err
		}
		return notify.Tell(ctx, tx, notify.Reader, reader.Key(e.ReaderID))
	})
	return n, err
}

// EraseAccount erases an account for its reader, as ConfirmErasure does, and reports whether there was one; the workers
// do the rest.
func (m *Module) EraseAccount(ctx context.Context, e audit.Entry) (begun bool, err error) {
	if err := e.Check(); err != nil {
		return false, err
	}
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if err = audit.WriteTx(ctx, tx, e); err != nil {
			return err
		}
		begun, err = m.Data.Begin(ctx, tx, e.ReaderID)
		return err
	})
	return begun, err
}
