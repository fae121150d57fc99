package logging

import (
	"context"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/privacy"
)

// Export is what browsers have reported of a reader.
func (m *Module) Export(ctx context.Context, r privacy.Reader) (list []privacy.Table, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err = privacy.Read(ctx, tx, r, exportTables...)
		return err
	})
	return list, err
}

// Erase forgets it.
func (m *Module) Erase(ctx context.Context, r privacy.Reader) error {
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error { return privacy.Forget(ctx, tx, r, forgets...) })
}
