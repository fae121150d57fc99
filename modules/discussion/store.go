package discussion

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/privacy"
	"example.org/broadsheet/platform/retention"
)

// comment is a row of discussion_comments.
type comment struct {
	ID        int64
	PostID    int64
	ParentID  int64
	ReaderID  int64
	Body      string
	Likes     int
	CreatedAt time.Time
	EditedAt  *time.Time
	RemovedAt *time.Time
	HiddenAt  *time.Time
}

func (c *comment) shown() bool { return c.RemovedAt == nil && c.HiddenAt == nil }

const (
	columns = "id, post_id, coalesce(parent_id, 0) AS parent_id, reader_id, body, likes, created_at, edited_at, " +
		"removed_at, hidden_at"
	visible = "removed_at IS NULL AND hidden_at IS NULL"
)

// writerState is what has to be known before a comment is written.
type writerState struct {
	Written     int64 // the same, sent before
	BannedUntil *time.Time
	Reason      string
}

func (s *writerState) ban() *Ban {
	if s.BannedUntil == nil {
		return nil
	}
	return &Ban{Until: *s.BannedUntil, Reason: s.Reason}
}

// findWriterState finds all of it at once: many may be writing at the same time.
func findWriterState(ctx context.Context, tx db.Tx, in Comment, once []byte) (s writerState, err error) {
	err = tx.NewRaw(`SELECT coalesce((SELECT id FROM discussion_comments WHERE reader_id = ?0 AND once = ?1), 0) AS
		written,
			b.ends_at AS banned_until, coalesce(b.reason, '') AS reason
		FROM (SELECT 1) one LEFT JOIN (SELECT ends_at, reason FROM discussion_bans
			WHERE reader_id = ?0 AND lifted_at IS NULL AND ends_at > ?2 ORDER BY ends_at DESC LIMIT 1) b ON true`,
		in.ReaderID, once, tx.Now).Scan(ctx, &s)
	return s, err
}

// findRoot is the comment that began the thread of one that is answered; 0 when one of the two is gone or of another
// post.
func findRoot(ctx context.Context, tx db.Tx, parentID, postID int64) (id int64, err error) {
	err = tx.NewRaw(`SELECT coalesce((SELECT r.id FROM discussion_comments c JOIN discussion_comments r ON r.id =
		coalesce(c.parent_id, c.id)
		WHERE c.id = ? AND c.post_id = ? AND c.removed_at IS NULL AND c.hidden_at IS NULL AND r.hidden_at IS NULL), 0)`,
		parentID, postID).Scan(ctx, &id)
	return id, err
}

// insertComment returns the id of the one that is there, should the same have been sent twice at once.
func insertComment(ctx context.Context, tx db.Tx, in Comment, root int64, once []byte) (id int64, err error) {
	err = tx.NewRaw(`INSERT INTO discussion_comments (post_id, parent_id, reader_id, body, once, created_at) VALUES (?,
		nullif(?, 0), ?, ?, ?, ?)
		ON CONFLICT (reader_id, once) DO NOTHING RETURNING id`, in.PostID, root, in.ReaderID, in.Text, once, tx.Now).
		Scan(ctx, &id)
	if errors.Is(err, sql.ErrNoRows) {
		err = tx.NewRaw("SELECT id FROM discussion_comments WHERE reader_id = ? AND once = ?", in.ReaderID, once).
			Scan(ctx, &id)
	}
	return id, err
}

// lockComment returns nil when there is none.
func lockComment(ctx context.Context, tx db.Tx, id int64) (*comment, error) {
	c := new(comment)
	return db.One(c, tx.NewRaw("SELECT "+columns+" FROM discussion_comments WHERE id = ? FOR UPDATE", id).Scan(ctx, c))
}

func updateText(ctx context.Context, tx db.Tx, id int64, text string) error {
	_, err := tx.NewRaw("UPDATE discussion_comments SET body = ?, edited_at = ? WHERE id = ?", text, tx.Now, id).Exec(ctx)
	return err
}

func removeComment(ctx context.Context, tx db.Tx, id int64) error {
	_, err := tx.NewRaw("UPDATE discussion_comments SET body = '', removed_at = coalesce(removed_at, ?) WHERE id = ?",
		tx.Now, id).Exec(ctx)
	return err
}

// findBan returns nil when a reader may write.
func findBan(ctx context.Context, tx db.Tx, readerID int64) (*Ban, error) {
	b := new(Ban)
	return db.One(b, tx.NewRaw(`SELECT ends_at AS until, reason FROM discussion_bans WHERE reader_id = ? AND lifted_at
		IS NULL AND ends_at > ?
		ORDER BY ends_at DESC LIMIT 1`, readerID, tx.Now).Scan(ctx, b))
}

func checkBan(ctx context.Context, tx db.Tx, readerID int64) error {
	b, err := findBan(ctx, tx, readerID)
	if err == nil && b != nil {
		return b.fault()
	}
	return err
}

// putLike keeps the number beside the comment, whose row is locked, and returns it.
func putLike(ctx context.Context, tx db.Tx, commentID, readerID int64, liked bool) (likes int, err error) {
	query, step := "DELETE FROM discussion_likes WHERE comment_id = ?0 AND reader_id = ?1", "- 1"
	if liked {
		query, step = "INSERT INTO discussion_likes (comment_id, reader_id, created_at) VALUES (?0, ?1, ?2) ON CONFLICT DO "+
			"NOTHING", "+ 1"
	}
	changed, err := db.Changed(tx.NewRaw(query, commentID, readerID, tx.Now).Exec(ctx))
	if err != nil {
		return 0, err
	}
	if !changed {
		step = ""
	}
	err = tx.NewRaw("UPDATE discussion_comments SET likes = likes "+step+" WHERE id = ? RETURNING likes", commentID).
		Scan(ctx, &likes)
	return likes, err
}

func insertReport(ctx context.Context, tx db.Tx, commentID, readerID int64, reason, note string) error {
	_, err := tx.NewRaw(`INSERT INTO discussion_reports (comment_id, reader_id, reason, note, created_at) VALUES (?, ?,
		?, ?, ?)
		ON CONFLICT (comment_id, reader_id) DO NOTHING`, commentID, readerID, reason, note, tx.Now).Exec(ctx)
	return err
}

// putDraft keeps what a form was refused with; an empty text takes it away.
func putDraft(ctx context.Context, tx db.Tx, in Comment) error {
	if in.Text == "" {
		_, err := tx.NewRaw("DELETE FROM discussion_drafts WHERE reader_id = ? AND post_id = ?", in.ReaderID, in.PostID).
			Exec(ctx)
		return err
	}
	_, err := tx.NewRaw(`INSERT INTO discussion_drafts (reader_id, post_id, parent_id, body, saved_at) VALUES (?, ?, ?,
		?, ?)
		ON CONFLICT (reader_id, post_id) DO UPDATE SET parent_id = EXCLUDED.parent_id, body = EXCLUDED.body, saved_at =
		EXCLUDED.saved_at`,
		in.ReaderID, in.PostID, in.ParentID, in.Text, tx.Now).Exec(ctx)
	return err
}

// listLively are the posts about which something was written or changed since.
func listLively(ctx context.Context, tx db.Tx, since time.Time) (posts []int64, err error) {
	err = tx.NewRaw("SELECT DISTINCT post_id FROM discussion_comments WHERE created_at > ?0 OR removed_at > ?0 OR "+
		"hidden_at > ?0", since).Scan(ctx, &posts)
	return posts, err
}

// retentions is how long this module keeps what.
var retentions = []retention.Rule{
	{Name: "discussion_drafts", Rows: "what a form was refused with", Kept: draftKept, Where: "x.saved_at < ?0"},
	{
		Name: "discussion_reports", Rows: "reports of comments, after they were settled", Kept: reportKept,
		Where: "x.settled_at < ?0",
	},
	{
		Name: "discussion_bans", Rows: "bans, after their end", Kept: banKept,
		Where: "coalesce(x.lifted_at, x.ends_at) < ?0",
	},
	{
		Name: "discussion_log", Rows: "what moderators did", Kept: logKept, Where: "x.at < ?0",
		Setting: "discussion.kept_since",
	},
}

// eraseReader returns the posts under which something has changed.
func eraseReader(ctx context.Context, tx db.Tx, readerID int64) (posts []int64, err error) {
	err = tx.NewRaw(`UPDATE discussion_comments SET reader_id = 0, body = '', once = int8send(id), removed_at =
		coalesce(removed_at, ?)
		WHERE reader_id = ? RETURNING post_id`, tx.Now, readerID).Scan(ctx, &posts)
	if err != nil {
		return nil, err
	}
	for _, query := range []string{
		"UPDATE discussion_comments c SET likes = likes - 1 FROM discussion_likes l WHERE l.comment_id = c.id AND " +
			"l.reader_id = ?",
		"DELETE FROM discussion_likes WHERE reader_id = ?",
		"DELETE FROM discussion_reports WHERE reader_id = ?",
		"DELETE FROM discussion_drafts WHERE reader_id = ?",
		"DELETE FROM discussion_bans WHERE reader_id = ?",
	} {
		if _, err := tx.NewRaw(query, readerID).Exec(ctx); err != nil {
			return nil, err
		}
	}
	return unique(posts), nil
}

// keeps is what a reader's export has of this module.
var exportTables = []privacy.Query{
	{Name: "comments", SQL: `SELECT id, post_id, parent_id, body AS text, likes, created_at, edited_at, hidden_at FROM
		discussion_comments
		WHERE reader_id = ?0 AND removed_at IS NULL ORDER BY id`},
	{Name: "comment_likes", SQL: "SELECT comment_id, created_at FROM discussion_likes WHERE reader_id = ?0 ORDER BY " +
		"created_at"},
	{Name: "comment_reports", SQL: "SELECT comment_id, reason, note, created_at, settled_at FROM discussion_reports " +
		"WHERE reader_id = ?0 ORDER BY created_at"},
	{Name: "comment_drafts", SQL: "SELECT post_id, body AS text, saved_at FROM discussion_drafts WHERE reader_id = ?0"},
	{Name: "comment_bans", SQL: "SELECT ends_at, reason, created_at, lifted_at FROM discussion_bans WHERE reader_id = " +
		"?0 ORDER BY id"},
}
