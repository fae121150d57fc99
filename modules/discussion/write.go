package discussion

import (
	"context"
	"strconv"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// Write adds a comment and returns its id; sent again with the same key, it returns the id of the first time. Refusals,
// in this order: web.ErrNotSignedIn, web.ErrNotFound, ErrNotSubscribed, web.ErrRequirement (of comment_name or key),
// ErrEmpty, ErrTooLong, ErrTooManyLinks, ErrBanned, ErrNoComment for a parent that is gone, web.ErrTooMany.
func (m *Module) Write(ctx context.Context, in Comment) (id int64, err error) {
	if err := m.mayWrite(ctx, in.ReaderID, in.PostID); err != nil {
		return 0, err
	}
	names, err := m.readers.CommentNames(ctx, []int64{in.ReaderID})
	if err != nil {
		return 0, err
	}
	if names[in.ReaderID] == "" {
		return 0, web.ErrRequirement.On("comment_name")
	}
	if in.Text, err = ParseText(in.Text); err != nil {
		return 0, err
	}
	if in.Key == "" || len(in.Key) > 100 {
		return 0, web.ErrRequirement.On("key")
	}
	var verdict error // a refusal that must not give the spent budget back
	var word noticeKey
	var due time.Time
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		once := onceOf(in)
		s, err := findWriterState(ctx, tx, in, once)
		switch {
		case err != nil:
			return err
		case s.Written != 0:
			id = s.Written
			return nil
		case s.ban() != nil:
			return s.ban().fault()
		}
		var root int64
		if in.ParentID != 0 {
			if root, err = findRoot(ctx, tx, in.ParentID, in.PostID); err != nil {
				return err
			}
			if root == 0 {
				return ErrNoComment.On("parent")
			}
		}
		within, err := limit.Spend(ctx, tx, commentsOfReader, key(in.ReaderID))
		if err != nil {
			return err
		}
		if !within {
			verdict = web.ErrTooMany
			return nil
		}
		if id, err = insertComment(ctx, tx, in, root, once); err != nil {
			return err
		}
		word, due = noticeKeyOf(tx, in.PostID)
		if m.noticeLog.is(word, due) {
			return nil
		}
		return tell(ctx, tx, in.PostID)
	})
	if err == nil {
		err = verdict
	}
	if err != nil {
		return 0, err
	}
	m.noticeLog.note(word, due)
	return id, nil
}

// mayWrite tells why a reader may not write about a post, but for a ban.
func (m *Module) mayWrite(ctx context.Context, readerID, postID int64) error {
	if readerID == 0 {
		return web.ErrNotSignedIn
	}
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	if !ed.Flags[Flag] {
		return web.ErrNotFound
	}
	if postID != 0 {
		if ok, err := m.posts.Discussable(ctx, postID); err != nil || !ok {
			return orNotFound(err)
		}
	}
	return m.subscribed(ctx, readerID)
}

func (m *Module) subscribed(ctx context.Context, readerID int64) error {
	until, err := m.subscriptions.ActiveUntil(ctx, readerID)
	if err == nil && !until.After(m.db.Now()) {
		return ErrNotSubscribed
	}
	return err
}

func orNotFound(err error) error {
	if err == nil {
		return web.ErrNotFound
	}
	return err
}

// Edit changes a reader's own comment while it is young.
func (m *Module) Edit(ctx context.Context, readerID, commentID int64, text string) error {
	if err := m.mayWrite(ctx, readerID, 0); err != nil {
		return err
	}
	text, err := ParseText(text)
	if err != nil {
		return err
	}
	return m.spending(ctx, editsOfReader, readerID, func(ctx context.Context, tx db.Tx) error {
		if err := checkBan(ctx, tx, readerID); err != nil {
			return err
		}
		c, err := lockComment(ctx, tx, commentID)
		switch {
		case err != nil:
			return err
		case c == nil || c.ReaderID != readerID || !c.shown():
			return ErrNoComment
		case tx.Now.Sub(c.CreatedAt) > editableFor:
			return ErrEditTooLate
		case c.Body == text:
			return nil
		}
		if err := updateText(ctx, tx, commentID, text); err != nil {
			return err
		}
		return tell(ctx, tx, c.PostID)
	})
}

// Remove takes a reader's own comment back, and its words with it. Taken back twice is no error.
func (m *Module) Remove(ctx context.Context, readerID, commentID int64) error {
	if readerID == 0 {
		return web.ErrNotSignedIn
	}
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		c, err := lockComment(ctx, tx, commentID)
		switch {
		case err != nil:
			return err
		case c == nil || c.ReaderID != readerID:
			return ErrNoComment
		case c.RemovedAt != nil:
			return nil
		}
		if err := removeComment(ctx, tx, commentID); err != nil {
			return err
		}
		if err := tellAtOnce(ctx, tx, c.PostID); err != nil {
			return err
		}
		return tell(ctx, tx, c.PostID)
	})
}

// spending does something that a reader may do only so often. A refusal by fn costs what a success does.
func (m *Module) spending(ctx context.Context, b limit.Budget, readerID int64,
	fn func(context.Context, db.Tx) error,
) error {
	var verdict error
	err := m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		within, err := limit.Spend(ctx, tx, b, key(readerID))
		if err != nil {
			return err
		}
		if !within {
			verdict = web.ErrTooMany
			return nil
		}
		verdict = fn(ctx, tx)
		if verdict != nil && fault.From(verdict).Kind < fault.Internal {
			return nil
		}
		return verdict
	})
	if err == nil {
		err = verdict
	}
	return err
}

func key(readerID int64) string { return strconv.FormatInt(readerID, 10) }
