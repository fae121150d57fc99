package discussion

import (
	"context"
	"strconv"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/web"
)

// role is identity's name of those who look after discussions.
const role = "moderator"

// ModerationAction says who does something about a comment or a reader, and why.
type ModerationAction struct {
	Actor  string // as the log has it: "reader:7", "command:root"
	Reason string
	DryRun bool // looks what would happen, and does nothing
}

// Outcome is what a measure was about.
type Outcome struct {
	CommentID int64
	PostID    int64
	ReaderID  int64
	Text      string
	Until     time.Time // of a ban
	Changed   bool      // false: it was so before
}

// Byline is how the log names a reader who acts.
func Byline(readerID int64) string { return "reader:" + strconv.FormatInt(readerID, 10) }

func (m *Module) runAction(ctx context.Context, a *ModerationAction, fn func(context.Context, db.Tx) error) error {
	var err error
	if a.Reason, err = parseReason("reason", a.Reason); err != nil {
		return err
	}
	if a.DryRun {
		return m.db.DryRun(ctx, fn)
	}
	return m.db.InTx(ctx, fn)
}

// Hide takes a comment out of sight, in every copy at once.
func (m *Module) Hide(ctx context.Context, commentID int64, a ModerationAction) (Outcome, error) {
	return m.show(ctx, commentID, a, false)
}

// Restore shows a hidden comment again, and settles what was reported about it.
func (m *Module) Restore(ctx context.Context, commentID int64, a ModerationAction) (Outcome, error) {
	return m.show(ctx, commentID, a, true)
}

func (m *Module) show(ctx context.Context, commentID int64, a ModerationAction, visible bool) (o Outcome, err error) {
	action := map[bool]string{false: "hide", true: "restore"}[visible]
	err = m.runAction(ctx, &a, func(ctx context.Context, tx db.Tx) error {
		c, err := lockComment(ctx, tx, commentID)
		if err != nil {
			return err
		}
		if c == nil || c.RemovedAt != nil {
			return ErrNoComment
		}
		o = Outcome{
			CommentID: c.ID, PostID: c.PostID, ReaderID: c.ReaderID, Text: c.Body,
			Changed: (c.HiddenAt == nil) != visible,
		}
		settled, err := settleReports(ctx, tx, commentID)
		if err != nil || (!o.Changed && !settled) {
			return err
		}
		if err := putHidden(ctx, tx, commentID, !visible); err != nil {
			return err
		}
		if err := logAction(ctx, tx, a, action, commentID, c.ReaderID, nil); err != nil {
			return err
		}
		if err := tellAtOnce(ctx, tx, c.PostID); err != nil {
			return err
		}
		return tell(ctx, tx, c.PostID)
	})
	return o, err
}

// Ban keeps a reader from writing until an instant, at most ten years from now. A running ban ends with it.
func (m *Module) Ban(ctx context.Context, readerID int64, until time.Time, a ModerationAction) (o Outcome, err error) {
	if a.Reason == "" {
		return o, web.ErrRequirement.On("reason")
	}
	err = m.runAction(ctx, &a, func(ctx context.Context, tx db.Tx) error {
		if !until.After(tx.Now) || until.After(tx.Now.Add(maxBan)) {
			return web.ErrInvalidArgs.On("until")
		}
		o = Outcome{ReaderID: readerID, Until: until, Changed: true}
		if _, err := liftBans(ctx, tx, readerID); err != nil {
			return err
		}
		if err := insertBan(ctx, tx, readerID, until, a.Reason); err != nil {
			return err
		}
		return logAction(ctx, tx, a, "ban", 0, readerID, &until)
	})
	return o, err
}

// Unban lets a reader write again.
func (m *Module) Unban(ctx context.Context, readerID int64, a ModerationAction) (o Outcome, err error) {
	err = m.runAction(ctx, &a, func(ctx context.Context, tx db.Tx) error {
		lifted, err := liftBans(ctx, tx, readerID)
		o = Outcome{ReaderID: readerID, Changed: lifted}
		if err != nil || !lifted {
			return err
		}
		return logAction(ctx, tx, a, "unban", 0, readerID, nil)
	})
	return o, err
}

// Noted writes into the log that somebody was made a moderator, or is one no longer.
func (m *Module) Noted(ctx context.Context, readerID int64, moderator bool, a ModerationAction) error {
	return m.runAction(ctx, &a, func(ctx context.Context, tx db.Tx) error {
		return logAction(ctx, tx, a, map[bool]string{true: "appoint", false: "dismiss"}[moderator], 0, readerID, nil)
	})
}

// AuthorOf is the reader who wrote a comment; ErrNoComment if there is none.
func (m *Module) AuthorOf(ctx context.Context, commentID int64) (readerID int64, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		readerID, err = findAuthor(ctx, tx, commentID)
		return err
	})
	if err == nil && readerID == 0 {
		err = ErrNoComment
	}
	return readerID, err
}

// Reported is a comment that readers have found something wrong with, and no moderator has answered.
type Reported struct {
	CommentID, PostID, ReaderID int64
	Text, Reasons               string
	Count                       int
	First                       time.Time
}

// Reports lists what waits for a moderator, the oldest first, at most so many.
func (m *Module) Reports(ctx context.Context, most int) (list []Reported, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err = listReported(ctx, tx, most)
		return err
	})
	return list, err
}

// mustModerate refuses who has not the role.
func (m *Module) mustModerate(ctx context.Context, readerID int64) error {
	if readerID == 0 {
		return web.ErrNotSignedIn
	}
	ok, err := m.readers.HasRole(ctx, readerID, role)
	if err == nil && !ok {
		m.log.WarnContext(ctx, "a reader tried to moderate", "security", true, "reader", readerID)
		return ErrNotModerator
	}
	return err
}

// tellAtOnce drops every kept copy of a discussion, with the transaction: what was hidden is not shown again.
func tellAtOnce(ctx context.Context, tx db.Tx, postID int64) error {
	return notify.Tell(ctx, tx, notify.Content, "purge:"+tag(postID))
}
