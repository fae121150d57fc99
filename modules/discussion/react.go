package discussion

import (
	"context"
	"slices"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/web"
)

// Like adds a reader's liking of somebody else's comment, or takes it back, and returns how many there are now.
func (m *Module) Like(ctx context.Context, readerID, commentID int64, liked bool) (likes int, err error) {
	if err := m.mayWrite(ctx, readerID, 0); err != nil {
		return 0, err
	}
	err = m.spending(ctx, likesOfReader, readerID, func(ctx context.Context, tx db.Tx) error {
		if err := checkBan(ctx, tx, readerID); err != nil {
			return err
		}
		c, err := lockComment(ctx, tx, commentID)
		switch {
		case err != nil:
			return err
		case c == nil || !c.shown():
			return ErrNoComment
		case c.ReaderID == readerID:
			return web.ErrInvalidArgs.On("comment")
		}
		likes, err = putLike(ctx, tx, commentID, readerID, liked)
		return err
	})
	return likes, err
}

// Report tells the moderators what a reader finds wrong with a comment; every reader may, once a comment.
func (m *Module) Report(ctx context.Context, readerID, commentID int64, reason, note string) error {
	if readerID == 0 {
		return web.ErrNotSignedIn
	}
	if !slices.Contains(reportReasons, reason) {
		return web.ErrInvalidArgs.On("reason")
	}
	note, err := parseReason("note", note)
	if err != nil {
		return err
	}
	return m.spending(ctx, reportsOfReader, readerID, func(ctx context.Context, tx db.Tx) error {
		c, err := lockComment(ctx, tx, commentID)
		if err != nil {
			return err
		}
		if c == nil || !c.shown() {
			return ErrNoComment
		}
		return insertReport(ctx, tx, commentID, readerID, reason, note)
	})
}
