package identity

import (
	"context"

	"example.org/broadsheet/platform/paper/readerlog"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

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
