package content

import (
	"context"
	"fmt"
	"strings"
	"time"

	"example.org/broadsheet/platform/db"
)

// relation is a table of what posts belong to; each has an index that gives the newest posts of one owner.
type relation struct{ table, column string }

var (
	inCategory = relation{"content_post_categories", "category_id"}
	byAuthor   = relation{"content_post_authors", "author_id"}
	inTag      = relation{"content_post_tags", "tag_id"}
)

// entry is a post in a list.
type entry struct {
	ID          int64
	PublishedAt time.Time
}

// runOf makes a run of one entry more than was asked for.
func runOf(rows []entry, w Window) run {
	r := run{more: len(rows) > w.Limit}
	for _, e := range rows[:min(len(rows), w.Limit)] {
		r.ids = append(r.ids, e.ID)
		r.last = cursor{e.PublishedAt, e.ID}
	}
	return r
}

// beyond is the condition that begins a window after its cursor.
func (w Window) beyond(id string) string {
	if w.after.zero() {
		return ""
	}
	return fmt.Sprintf(" AND (published_at, %s) < ('%s', %d)", id,
		w.after.at.Format("2006-01-02 15:04:05.999999Z07:00"), w.after.id)
}

// findShelved reads the posts of any of some owners, newest first. Every owner gives its own newest from the index, so
// that the size of the archive does not matter.
func findShelved(ctx context.Context, tx db.Tx, r relation, owners []int64, list string, w Window) (run, error) {
	values := make([]string, len(owners))
	for i, id := range owners {
		values[i] = fmt.Sprintf("(%d)", id)
	}
	var rows []entry
	err := tx.NewRaw(`SELECT DISTINCT n.post_id AS id, n.published_at FROM (VALUES `+
		strings.Join(values, ", ")+`) v(owner),
			LATERAL (SELECT post_id, published_at FROM `+r.table+` WHERE `+r.column+` = v.owner AND list = ?0 AND `+
		`published_at <= ?1`+w.beyond("post_id")+`
				ORDER BY published_at DESC, post_id DESC LIMIT ?2) n
		ORDER BY n.published_at DESC, n.post_id DESC LIMIT ?3 OFFSET ?4`, list, tx.Now, w.Limit+1+w.skip(), w.Limit+1,
		w.skip()).Scan(ctx, &rows)
	return runOf(rows, w), err
}

// findListed reads the posts that fit a condition which has an index of its own, newest first.
func findListed(ctx context.Context, tx db.Tx, where string, w Window) (run, error) {
	var rows []entry
	err := tx.NewRaw(`SELECT id, published_at FROM content_posts WHERE `+where+` AND published_at <= ?0`+w.beyond("id")+`
		ORDER BY published_at DESC, id DESC LIMIT ?1 OFFSET ?2`, tx.Now, w.Limit+1, w.skip()).Scan(ctx, &rows)
	return runOf(rows, w), err
}

// findMinutes reads short news; with from, that one stands first.
func findMinutes(ctx context.Context, tx db.Tx, from *post, w Window) (run, error) {
	where := "list = 'minute'"
	if from != nil {
		where += fmt.Sprintf(" AND (published_at, id) <= ('%s', %d)",
			from.PublishedAt.UTC().Format("2006-01-02 15:04:05.999999Z07:00"), from.ID)
	}
	return findListed(ctx, tx, where, w)
}
