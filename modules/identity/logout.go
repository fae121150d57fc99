package identity

import (
	"context"

	"example.org/broadsheet/modules/identity/passkey"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/readerlog"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// LogOutElsewhere ends all sessions of the reader of ctx but that one, and returns how many there were. It removes the
// passkeys of the account, too, unless they are kept: a thief of a session may have added one.
func (m *Module) LogOutElsewhere(ctx context.Context, keepPasskeys bool) (int64, error) {
	return m.Sessions.EndOthers(ctx, func(ctx context.Context, tx db.Tx, readerID int64) error {
		if keepPasskeys {
			return nil
		}
		return passkey.RemoveAll(ctx, tx, readerID)
	})
}

// UndoPasskey removes the passkey that the link of an email is about, and ends all sessions of its reader. It returns
// INVALID_HASH for a link that is none; a second time changes nothing.
func (m *Module) UndoPasskey(ctx context.Context, link string) error {
	readerID, err := m.passkeys.Undo(ctx, link)
	if err == nil && readerID != 0 {
		m.Sessions.ForgetReader(readerID)
	}
	return err
}

// SignOut ends the session of ctx. Without one there is nothing to do; one that could not be looked up may live.
func (m *Module) SignOut(ctx context.Context) error {
	s, ok := session.From(ctx)
	if !ok {
		return web.SessionFailure(ctx)
	}
	_, err := m.Sessions.End(ctx, s.ID)
	if err == nil {
		m.note(ctx, s.ReaderID, readerlog.LoggedOut, "", "")
	}
	return err
}
