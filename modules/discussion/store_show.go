package discussion

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
)

func unique(ids []int64) []int64 {
	slices.Sort(ids)
	return slices.Compact(ids)
}

func countShown(ctx context.Context, tx db.Tx, postID int64) (n int, err error) {
	err = tx.NewRaw("SELECT count(*) FROM discussion_comments WHERE post_id = ? AND "+visible, postID).Scan(ctx, &n)
	return n, err
}

// listThreads are the comments that open threads, the newest first: those before an id (0: all), down to an id, at most so
// many and one. Moderators see also what is hidden; of others' threads, those of which something can be seen.
func listThreads(ctx context.Context, tx db.Tx, postID int64, w window, everything bool) (rows []comment, err error) {
	condition := ` AND ((c.removed_at IS NULL AND c.hidden_at IS NULL) OR EXISTS (SELECT 1 FROM discussion_comments r WHERE r.parent_id = c.id AND r.removed_at IS NULL AND r.hidden_at IS NULL))`
	if everything {
		condition = ` AND (c.removed_at IS NULL OR EXISTS (SELECT 1 FROM discussion_comments r WHERE r.parent_id = c.id AND r.removed_at IS NULL))`
	}
	err = tx.NewRaw("SELECT "+columns+" FROM discussion_comments c WHERE post_id = ? AND parent_id IS NULL AND (? = 0 OR id < ?) AND id >= ?"+condition+" ORDER BY id DESC LIMIT ?",
		postID, w.before, w.before, w.until, w.most+1).Scan(ctx, &rows)
	return rows, err
}

// listReplies are the answers of threads, the oldest first.
func listReplies(ctx context.Context, tx db.Tx, roots []int64, everything bool) (rows []comment, err error) {
	if len(roots) == 0 {
		return nil, nil
	}
	condition := visible
	if everything {
		condition = "removed_at IS NULL"
	}
	err = tx.NewRaw("SELECT "+columns+" FROM discussion_comments WHERE parent_id IN (?) AND "+condition+" ORDER BY id", bun.List(roots)).Scan(ctx, &rows)
	return rows, err
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
		UNION ALL SELECT comment_id, false FROM discussion_reports WHERE reader_id = ?0 AND comment_id IN (?1)`, readerID, bun.List(ids)).Scan(ctx, &rows)
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
	err := tx.NewRaw("SELECT comment_id, count(*) AS n FROM discussion_reports WHERE settled_at IS NULL AND comment_id IN (?) GROUP BY comment_id", bun.List(ids)).Scan(ctx, &rows)
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
	return db.One(d, tx.NewRaw("SELECT parent_id, body FROM discussion_drafts WHERE reader_id = ? AND post_id = ?", readerID, postID).Scan(ctx, d))
}
