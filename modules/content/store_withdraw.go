package content

import (
	"context"

	"github.com/uptrace/bun"

	"example.org/broadsheet/modules/content/catalog"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
)

// findPublished returns the posts of a source that are not withdrawn yet, with rows that are.
func findPublished(ctx context.Context, tx db.Tx, source string, sourceIDs []string) ([]*preparedPost, error) {
	if len(sourceIDs) == 0 {
		return nil, nil
	}
	var rows []*postRow
	err := tx.NewSelect().Model(&rows).Where("source = ? AND source <> '' AND source_id IN (?) AND status <> ?", source,
		bun.List(sourceIDs), post.StatusWithdrawn).Scan(ctx)
	out := make([]*preparedPost, len(rows))
	for i, was := range rows {
		row := *was
		row.Status = post.StatusWithdrawn
		out[i] = &preparedPost{row: &row, was: was, changed: true}
	}
	return out, err
}

// withdrawPosts sets the state. The slug is set free, for a page of the same name may follow; the hashes are forgotten,
// so that the same text saved again is a change.
func withdrawPosts(ctx context.Context, tx db.Tx, gone []*preparedPost) error {
	ids := make([]int64, len(gone))
	for i, s := range gone {
		ids[i] = s.row.ID
	}
	_, err := tx.NewRaw("UPDATE content_posts SET status = ?, slug = slug || '~' || id, hash = '', source_hash = '' "+
		"WHERE id IN (?)", post.StatusWithdrawn, bun.List(ids)).Exec(ctx)
	if err != nil {
		return err
	}
	for _, r := range []post.Relation{post.InCategory, post.ByAuthor, post.InTag} {
		if _, err := tx.NewRaw("UPDATE "+r.Table+" SET list = '' WHERE post_id IN (?)", bun.List(ids)).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

func deleteCategory(ctx context.Context, tx db.Tx, slug string) (bool, error) {
	t, err := post.LoadTree(ctx, tx)
	if err != nil {
		return false, err
	}
	c := t.BySlug[slug]
	if c == nil || len(c.Children) > 0 || catalog.InDocument(tx.Edition, c.Key) {
		return false, nil
	}
	if _, err := tx.NewRaw("DELETE FROM content_post_categories WHERE category_id = ?", c.ID).Exec(ctx); err != nil {
		return false, err
	}
	_, err = tx.NewRaw("DELETE FROM content_categories WHERE id = ?", c.ID).Exec(ctx)
	return err == nil, err
}
