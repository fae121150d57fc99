package newsletter

import (
	"context"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/privacy"
	"example.org/broadsheet/platform/retention"
)

// Profile are the sections of a reader's profile that this module fills.
func (m *Module) Profile() []page.Part {
	return []page.Part{{Name: "newsletters", Load: m.profileLists}}
}

// profileLists are the lists with those that the reader gets; nothing where the edition has none.
func (m *Module) profileLists(ctx context.Context, readerID int64) (any, error) {
	s, err := m.ReaderSettings(ctx, readerID)
	if err != nil || len(s.Lists) == 0 {
		return nil, err
	}
	return s.Lists, nil
}

// Export returns all that is kept of an address.
func (m *Module) Export(ctx context.Context, r privacy.Reader) (list []privacy.Table, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err = privacy.Read(ctx, tx, r, exportTables...)
		return err
	})
	return list, err
}

// Erase forgets an address: it gets nothing more, and its links open nothing.
func (m *Module) Erase(ctx context.Context, r privacy.Reader) error {
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error { return privacy.Forget(ctx, tx, r, forgets...) })
}

// Move gives the lists of one address to another that was proved to be the same reader's.
func (m *Module) Move(ctx context.Context, from, to string) error {
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error { return moveSubscriber(ctx, tx, from, to) })
}

// Retentions is how long the module keeps what.
func (m *Module) Retentions() []retention.Rule { return retentions }
