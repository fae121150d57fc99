package discussion

import (
	"context"
	"slices"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"example.org/broadsheet/platform/db"
)

func unique(ids []int64) []int64 {
	slices.Sort(ids)
	return slices.Compact(ids)
}

func countShown(ctx context.Context, tx db.Tx, postID int64) (int, error) {
	return db.Get[int](ctx, tx.NewRaw("SELECT count(*) FROM discussion_comments WHERE post_id = ? AND "+visible, postID))
}

// hasComments reports whether a window's comments are a post's: threads, and an answer of the thread.
func hasComments(ctx context.Context, tx db.Tx, postID int64, w window) (bool, error) {
	return db.Get[bool](ctx, tx.NewRaw(`SELECT EXISTS (SELECT FROM discussion_comments WHERE id = ?0 AND post_id = ?1
		AND parent_id IS NULL)
		AND (?2 = 0 OR EXISTS (SELECT FROM discussion_comments WHERE id = ?2 AND parent_id = ?3))`,
		max(w.before, w.thread), postID, w.after, w.thread))
}

// listThreads are the comments that open threads, the newest first, and one more than a page has. Moderators see also
// what is hidden; of others' threads, those of which something can be seen.
func listThreads(ctx context.Context, tx db.Tx, postID int64, w window, everything bool) (rows []comment, err error) {
	condition := ` AND ((c.removed_at IS NULL AND c.hidden_at IS NULL) OR EXISTS
		(SELECT 1 FROM discussion_comments r WHERE r.parent_id = c.id AND r.removed_at IS NULL AND r.hidden_at IS NULL))`
	if everything {
		condition = ` AND (c.removed_at IS NULL OR EXISTS (SELECT 1 FROM discussion_comments r WHERE r.parent_id = c.id ` +
			`AND r.removed_at IS NULL))`
	}
	err = tx.NewRaw("SELECT "+columns+` FROM discussion_comments c WHERE post_id = ?0 AND parent_id IS NULL
		AND (?1 = 0 OR id < ?1) AND (?2 = 0 OR id = ?2)`+condition+" ORDER BY id DESC LIMIT ?3",
		postID, w.before, w.thread, threadsAPage+1).Scan(ctx, &rows)
	return rows, err
}

// listReplies are the answers of threads after one, the oldest first, and of each thread one more than a page has.
func listReplies(ctx context.Context, tx db.Tx, roots []int64, after int64,
	everything bool,
) (rows []comment, err error) {
	err = tx.NewRaw("SELECT c.* FROM unnest(?0::bigint[]) t(id), LATERAL (SELECT "+columns+` FROM discussion_comments
		WHERE parent_id = t.id AND id > ?1 AND `+readable(everything)+" ORDER BY parent_id, id LIMIT ?2) c ORDER BY c.id",
		pgdialect.Array(roots), after, repliesAThread+1).Scan(ctx, &rows)
	return rows, err
}

// listOwnReplies are a reader's newest answers in threads.
func listOwnReplies(ctx context.Context, tx db.Tx, roots []int64, readerID int64) (rows []comment, err error) {
	err = tx.NewRaw("SELECT * FROM (SELECT "+columns+` FROM discussion_comments
		WHERE reader_id = ? AND parent_id IN (?) AND `+visible+" ORDER BY id DESC LIMIT ?) c ORDER BY id",
		readerID, bun.List(roots), repliesAThread).Scan(ctx, &rows)
	return rows, err
}

// readable is the condition of what is shown; moderators are shown everything but what its reader has taken back.
func readable(everything bool) string {
	if everything {
		return "removed_at IS NULL"
	}
	return visible
}

// marks is what a reader has done about some comments.
type marks struct{ liked, reported map[int64]bool }

func findMarks(ctx context.Context, tx db.Tx, readerID int64, ids []int64) (k marks, err error) {
	k = marks{map[int64]bool{}, map[int64]bool{}}
	if readerID == 0 || len(ids) == 0 {
		return k, nil
	}
	var rows []struct {
		CommentID int64
		Liked     bool
	}
	err = tx.NewRaw(`SELECT comment_id, true AS liked FROM discussion_likes WHERE reader_id = ?0 AND comment_id IN (?1)
		UNION ALL SELECT comment_id, false FROM discussion_reports WHERE reader_id = ?0 AND comment_id IN (?1)`, readerID,
		bun.List(ids)).Scan(ctx, &rows)
	for _, r := range rows {
		if r.Liked {
			k.liked[r.CommentID] = true
		} else {
			k.reported[r.CommentID] = true
		}
	}
	return k, err
}

// countReports counts what no moderator has answered.
func countReports(ctx context.Context, tx db.Tx, ids []int64) (map[int64]int, error) {
	var rows []struct {
		CommentID int64
		N         int
	}
	counts := map[int64]int{}
	if len(ids) == 0 {
		return counts, nil
	}
	err := tx.NewRaw("SELECT comment_id, count(*) AS n FROM discussion_reports WHERE settled_at IS NULL AND comment_id "+
		"IN (?) GROUP BY comment_id", bun.List(ids)).Scan(ctx, &rows)
	for _, r := range rows {
		counts[r.CommentID] = r.N
	}
	return counts, err
}

// draft is what a form was refused with.
type draft struct {
	ParentID int64  `json:"parent"`
	Body     string `json:"text"`
}

// findDraft returns nil when there is none.
func findDraft(ctx context.Context, tx db.Tx, readerID, postID int64) (*draft, error) {
	d := new(draft)
	return db.One(d,
		tx.NewRaw("SELECT parent_id, body FROM discussion_drafts WHERE reader_id = ? AND post_id = ?", readerID, postID).
			Scan(ctx, d))
}
