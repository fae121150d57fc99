package post

import (
	"context"

	"example.org/broadsheet/platform/db"
)

// LoadTree reads all categories of the edition.
func LoadTree(ctx context.Context, tx db.Tx) (*Tree, error) {
	var rows []*Category
	err := tx.NewRaw(`SELECT id, key, slug, name, description, coalesce(parent_id, 0) AS parent_id, position
		FROM content_categories ORDER BY position, name, id`).Scan(ctx, &rows)
	return NewTree(rows), err
}
