package discussion

import (
	"context"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/event"
)

// spread tells every process that a discussion has changed.
func (m *Module) spread(ctx context.Context, e event.Discussed) error {
	return m.db.View(ctx, func(ctx context.Context, tx db.Tx) error { return tellAtOnce(ctx, tx, e.PostID) })
}

// Count is how many comments of a post are shown.
func (m *Module) Count(ctx context.Context, postID int64) (n int, err error) {
	err = m.db.View(ctx, func(ctx context.Context, tx db.Tx) error {
		n, err = countShown(ctx, tx, postID)
		return err
	})
	return n, err
}

// recount has the comments of lively posts counted once more, should a word have gone out before a slow writer was done.
func (m *Module) recount(ctx context.Context) error {
	return m.db.Update(ctx, func(ctx context.Context, tx db.Tx) error {
		posts, err := listLively(ctx, tx, tx.Now.Add(-2*time.Hour))
		for _, id := range posts {
			if err == nil {
				err = tell(ctx, tx, id)
			}
		}
		return err
	})
}

// Prune removes what is kept no longer: forgotten drafts, settled reports, bans long over, the log after three years.
func (m *Module) Prune(ctx context.Context) error {
	return m.db.View(ctx, pruneAll)
}

// Erase takes back all that a reader has written, liked and reported; the measures of moderators stay in their log.
func (m *Module) Erase(ctx context.Context, readerID int64) error {
	return m.db.Update(ctx, func(ctx context.Context, tx db.Tx) error {
		posts, err := eraseReader(ctx, tx, readerID)
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

// Own is a comment in its reader's export.
type Own struct {
	ID        int64      `json:"id"`
	PostID    int64      `json:"post_id"`
	Text      string     `json:"text"`
	CreatedAt time.Time  `json:"created_at"`
	EditedAt  *time.Time `json:"edited_at,omitempty"`
	HiddenAt  *time.Time `json:"hidden_at,omitempty"`
}

// Export is all that a reader has written and not taken back.
func (m *Module) Export(ctx context.Context, readerID int64) (list []Own, err error) {
	err = m.db.View(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err = listOwn(ctx, tx, readerID)
		return err
	})
	return list, err
}
