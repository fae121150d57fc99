package consent

import (
	"context"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/personal"
)

// Export is what a reader agreed to and declined.
func (m *Module) Export(ctx context.Context, r personal.Reader) (list []personal.Table, err error) {
	err = m.db.View(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err = personal.Read(ctx, tx, r, keeps...)
		return err
	})
	return list, err
}

// Erase removes nothing: the log proves what was agreed to while there was an account. It names the reader by a number,
// behind which nobody stands any more, and a network that was cut.
func (m *Module) Erase(context.Context, personal.Reader) error { return nil }
