package logging

import (
	"context"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/personal"
)

// Export is what browsers have reported of a reader.
func (m *Module) Export(ctx context.Context, r personal.Reader) (list []personal.Table, err error) {
	err = m.db.View(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err = personal.Read(ctx, tx, r, keeps...)
		return err
	})
	return list, err
}

// Erase forgets it.
func (m *Module) Erase(ctx context.Context, r personal.Reader) error {
	return m.db.Update(ctx, func(ctx context.Context, tx db.Tx) error { return personal.Forget(ctx, tx, r, forgets...) })
}
