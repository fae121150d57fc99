package discussion

import (
	"context"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/privacy"
	"example.org/broadsheet/platform/retention"
)

// spread tells every process that a discussion has changed.
func (m *Module) spread(ctx context.Context, e event.Discussed) error {
	return m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return tellAtOnce(ctx, tx, e.PostID) })
}

// Count is how many comments of a post are shown.
func (m *Module) Count(ctx context.Context, postID int64) (n int, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		n, err = countShown(ctx, tx, postID)
		return err
	})
	return n, err
}

// recount has the comments of lively posts counted once more, should a word have gone out before a slow writer was
// done.
func (m *Module) recount(ctx context.Context) error {
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		posts, err := listLively(ctx, tx, tx.Now.Add(-2*time.Hour))
		for _, id := range posts {
			if err == nil {
				err = tell(ctx, tx, id)
			}
		}
		return err
	})
}

// Retentions is how long the module keeps what.
func (m *Module) Retentions() []retention.Rule { return retentions }

// Erase takes back all that a reader has written, liked and reported; the measures of moderators stay in their log.
func (m *Module) Erase(ctx context.Context, r privacy.Reader) error {
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		posts, err := eraseReader(ctx, tx, r.ID)
		for _, id := range posts {
			if err == nil {
				err = tellAtOnce(ctx, tx, id)
			}
			if err == nil {
				err = tell(ctx, tx, id)
			}
		}
		return err
	})
}

// Export is all that a reader has written and not taken back, and what was made of it.
func (m *Module) Export(ctx context.Context, r privacy.Reader) (list []privacy.Table, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err = privacy.Read(ctx, tx, r, exportTables...)
		return err
	})
	return list, err
}
