package post

import (
	"context"
	"fmt"
	"strings"
	"time"

	"example.org/broadsheet/platform/db"
)

// Relation is a table of what posts belong to; each has an index that gives the newest posts of one owner.
type Relation struct{ Table, Column string }

// What posts belong to.
var (
	InCategory = Relation{"content_post_categories", "category_id"}
	ByAuthor   = Relation{"content_post_authors", "author_id"}
	InTag      = Relation{"content_post_tags", "tag_id"}
)

// Entry is a post in a list.
type Entry struct {
	ID          int64
	PublishedAt time.Time
}

// PartOf makes a run of one entry more than was asked for.
func PartOf(rows []Entry, w Window) Part {
	r := Part{More: len(rows) > w.Limit}
	for _, e := range rows[:min(len(rows), w.Limit)] {
		r.IDs = append(r.IDs, e.ID)
		r.Last = cursor{e.PublishedAt, e.ID}
	}
	return r
}

// Condition is the condition that begins a window after its cursor.
func (w Window) Condition(id string) string {
	if w.after.zero() {
		return ""
	}
	return fmt.Sprintf(" AND (published_at, %s) < ('%s', %d)", id,
		w.after.at.Format("2006-01-02 15:04:05.999999Z07:00"), w.after.id)
}

// FindIn reads the posts of any of some owners, newest first. Every owner gives its own newest from the index, so
// that the size of the archive does not matter.
func FindIn(ctx context.Context, tx db.Tx, r Relation, owners []int64, list string, w Window) (Part, error) {
	values := make([]string, len(owners))
	for i, id := range owners {
		values[i] = fmt.Sprintf("(%d)", id)
	}
	var rows []Entry
	err := tx.NewRaw(`SELECT DISTINCT n.post_id AS id, n.published_at FROM (VALUES `+
		strings.Join(values, ", ")+`) v(owner),
			LATERAL (SELECT post_id, published_at FROM `+r.Table+` WHERE `+r.Column+` = v.owner AND list = ?0 AND `+
		`published_at <= ?1`+w.Condition("post_id")+`
				ORDER BY published_at DESC, post_id DESC LIMIT ?2) n
		ORDER BY n.published_at DESC, n.post_id DESC LIMIT ?3 OFFSET ?4`, list, tx.Now, w.Limit+1+w.Skip(), w.Limit+1,
		w.Skip()).Scan(ctx, &rows)
	return PartOf(rows, w), err
}

// FindWhere reads the posts that fit a condition which has an index of its own, newest first.
func FindWhere(ctx context.Context, tx db.Tx, where string, w Window) (Part, error) {
	var rows []Entry
	err := tx.NewRaw(`SELECT id, published_at FROM content_posts WHERE `+where+` AND published_at <= ?0`+
		w.Condition("id")+`
		ORDER BY published_at DESC, id DESC LIMIT ?1 OFFSET ?2`, tx.Now, w.Limit+1, w.Skip()).Scan(ctx, &rows)
	return PartOf(rows, w), err
}

// FindMinutes reads short news; with from, that one stands first.
func FindMinutes(ctx context.Context, tx db.Tx, from *Post, w Window) (Part, error) {
	where := "list = 'minute'"
	if from != nil {
		where += fmt.Sprintf(" AND (published_at, id) <= ('%s', %d)",
			from.PublishedAt.UTC().Format("2006-01-02 15:04:05.999999Z07:00"), from.ID)
	}
	return FindWhere(ctx, tx, where, w)
}
