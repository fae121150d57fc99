package topic

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
)

const maxCovers = 3

// Row is a stored Tag with its pictures.
type Row struct {
	ID          int64
	Slug        string
	Name        string
	Description string
	PublishedAt time.Time `bun:",nullzero"` // zero: no weekly topic
	covers      []post.Image
}

const tagColumns = "id, slug, name, description, published_at"

// findTags reads tags by a condition that ends with the order, and their covers.
func findTags(ctx context.Context, tx db.Tx, rest string, args ...any) ([]*Row, error) {
	var rows []*Row
	if err := tx.NewRaw("SELECT "+tagColumns+" FROM content_tags WHERE "+rest, args...).Scan(ctx, &rows); err != nil ||
		len(rows) == 0 {
		return nil, err
	}
	ids, byID := make([]int64, len(rows)), map[int64]*Row{}
	for i, r := range rows {
		ids[i], byID[r.ID] = r.ID, r
	}
	var covers []struct {
		TagID int64
		post.Image
	}
	err := tx.NewRaw(`SELECT c.tag_id, p.id, p.width, p.height, p.alt, p.caption FROM content_tag_covers c JOIN
		content_pictures p ON p.id = c.picture_id
		WHERE c.tag_id IN (?) ORDER BY c.tag_id, c.position`, bun.List(ids)).Scan(ctx, &covers)
	for _, c := range covers {
		byID[c.TagID].covers = append(byID[c.TagID].covers, c.Image)
	}
	return rows, err
}

// first is the only one of some tags that were found, or nil.
func first(tags []*Row, err error) (*Row, error) {
	if err != nil || len(tags) == 0 {
		return nil, err
	}
	return tags[0], nil
}

// find finds a weekly topic that is out; nil when there is none.
func find(ctx context.Context, tx db.Tx, slug string) (*Row, error) {
	if !post.Storable(slug) {
		return nil, nil //nolint:nilnil // no such topic
	}
	return first(findTags(ctx, tx, "slug = ? AND published_at <= ?", slug, tx.Now))
}

// FindCurrent finds the newest weekly topic; nil when there is none.
func FindCurrent(ctx context.Context, tx db.Tx) (*Row, error) {
	return first(findTags(ctx, tx, "published_at <= ? ORDER BY published_at DESC, id DESC LIMIT 1", tx.Now))
}

// findTopicOn finds a weekly topic that has a time; nil when there is none, or it has another.
func findTopicOn(ctx context.Context, tx db.Tx, id int64, at time.Time) (*Row, error) {
	return first(findTags(ctx, tx, "id = ? AND published_at = ?", id, at))
}

// findNeighbours finds the weekly topics before and after a moment; nil where there is none.
func findNeighbours(ctx context.Context, tx db.Tx, t *Row) (newer, older *Row, err error) {
	newer, err = first(findTags(ctx, tx, "published_at <= ? AND (published_at, id) > (?, ?) ORDER BY published_at, id "+
		"LIMIT 1", tx.Now, t.PublishedAt, t.ID))
	if err != nil {
		return nil, nil, err
	}
	older, err = first(findTags(ctx, tx, "(published_at, id) < (?, ?) ORDER BY published_at DESC, id DESC LIMIT 1",
		t.PublishedAt, t.ID))
	return newer, older, err
}

// findAll reads weekly topics, newest first.
func findAll(ctx context.Context, tx db.Tx, w post.Window) (tags []*Row, r post.Part, err error) {
	tags, err = findTags(ctx, tx, "published_at <= ?0"+w.Condition("id")+" ORDER BY published_at DESC, id DESC LIMIT ?1 "+
		"OFFSET ?2", tx.Now, w.Limit+1, w.Skip())
	rows := make([]post.Entry, len(tags))
	for i, t := range tags {
		rows[i] = post.Entry{ID: t.ID, PublishedAt: t.PublishedAt}
	}
	r = post.PartOf(rows, w)
	return tags[:len(r.IDs)], r, err
}

// FindOf finds the newest weekly topic that a post belongs to; nil when it belongs to none.
func FindOf(ctx context.Context, tx db.Tx, postID int64) (*Row, error) {
	return first(findTags(ctx, tx, `id IN (SELECT tag_id FROM content_post_tags WHERE post_id = ?) AND published_at <= ?
		ORDER BY published_at DESC, id DESC LIMIT 1`, postID, tx.Now))
}

// countTag says how many posts a tag has in the lists.
type countTag struct {
	Slug   string
	Name   string
	Weekly bool
	Posts  int
}

// findAllTags reads tags of both kinds by name, with the number of their posts that are out.
func findAllTags(ctx context.Context, tx db.Tx, limit, offset int) (rows []countTag, err error) {
	err = tx.NewRaw(`SELECT t.slug, t.name, t.published_at IS NOT NULL AS weekly, (SELECT count(*) FROM
		content_post_tags pt WHERE pt.tag_id = t.id AND pt.list IN ('article', 'video', 'minute') AND pt.published_at <=
		?0) AS posts
		FROM content_tags t WHERE t.published_at IS NULL OR t.published_at <= ?0 ORDER BY t.name, t.id LIMIT ?1 OFFSET ?2`,
		tx.Now, limit, offset).Scan(ctx, &rows)
	return rows, err
}

// upsertTag writes a tag; was is what it was before, or nil.
func upsertTag(ctx context.Context, tx db.Tx, t Tag) (is, was *Row, changed bool, err error) {
	if was, err = first(findTags(ctx, tx, "slug = ?", t.Slug)); err != nil {
		return nil, nil, false, err
	}
	if was != nil && was.Name == t.Name && was.Description == t.Description && was.PublishedAt.Equal(t.Published) &&
		slices.EqualFunc(was.covers, t.Covers, func(i post.Image, id string) bool { return i.ID == id }) {
		return was, was, false, nil
	}
	is = &Row{Slug: t.Slug, Name: t.Name, Description: t.Description, PublishedAt: t.Published}
	day := any(t.Published)
	if t.Published.IsZero() {
		day = nil
	}
	err = tx.NewRaw(`INSERT INTO content_tags (slug, name, description, published_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (slug) DO UPDATE SET name = EXCLUDED.name, description = EXCLUDED.description, published_at =
		EXCLUDED.published_at RETURNING id`,
		t.Slug, t.Name, t.Description, day).Scan(ctx, &is.ID)
	if err != nil {
		return nil, nil, false, err
	}
	if _, err = tx.NewRaw("DELETE FROM content_tag_covers WHERE tag_id = ?", is.ID).Exec(ctx); err != nil {
		return nil, nil, false, err
	}
	for i, id := range t.Covers {
		_, err = tx.NewRaw("INSERT INTO content_tag_covers (tag_id, position, picture_id) VALUES (?, ?, ?)", is.ID, i, id).
			Exec(ctx)
		if db.Violates(err, "content_tag_covers_picture_id_fkey") {
			err = post.ErrInvalid.On("covers").Becausef("tag %q: there is no picture %q", t.Slug, id)
		}
		if err != nil {
			return nil, nil, false, err
		}
	}
	return is, was, true, nil
}

// FindIDs returns the ids of tags by slug, of those that there are.
func FindIDs(ctx context.Context, tx db.Tx, slugs []string) (map[string]int64, error) {
	ids := map[string]int64{}
	if len(slugs) == 0 {
		return ids, nil
	}
	rows, err := findTags(ctx, tx, "slug IN (?)", bun.List(slugs))
	for _, r := range rows {
		ids[r.Slug] = r.ID
	}
	return ids, err
}
