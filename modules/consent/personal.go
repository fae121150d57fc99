package consent

import (
	"context"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/privacy"
)

// Export is what a reader agreed to and declined.
func (m *Module) Export(ctx context.Context, r privacy.Reader) (list []privacy.Table, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err = privacy.Read(ctx, tx, r, exportTables...)
		return err
	})
	return list, err
}

// Erase removes nothing: the log proves what was agreed to while there was an account. It names the reader by a number,
// behind which nobody stands any more, and a network that was cut.
func (m *Module) Erase(context.Context, privacy.Reader) error { return nil }
