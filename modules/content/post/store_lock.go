package post

import (
	"context"

	"example.org/broadsheet/platform/db"
)

// LockWriting lets one writer at a time into an edition's content: slugs and trees are then read and written as one.
func LockWriting(ctx context.Context, tx db.Tx) error {
	_, err := tx.NewRaw("SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '.content', 0))").Exec(ctx)
	return err
}
