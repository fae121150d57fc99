package wordpress

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"example.org/broadsheet/platform/advisory"
	"example.org/broadsheet/platform/db"
)

// syncItem is a row of content_sync_items.
type syncItem struct {
	bun.BaseModel `bun:"table:content_sync_items"`
	Source        string
	Kind          string
	Number        int64
	Mark          string
	Slug          string
	Data          json.RawMessage `bun:"type:jsonb,nullzero"`
	Uses          []string        `bun:",array"`
	Retry         bool
}

// lockSync takes an edition's permission to be written by one sync; it returns nil when another process has it.
func lockSync(ctx context.Context, d *db.DB, editionID string) (*advisory.Lock, error) {
	pool, err := d.SessionPool(editionID)
	if err != nil {
		return nil, err
	}
	return advisory.Try(ctx, pool, lockName(editionID), 0)
}

func lockName(editionID string) string { return "broadsheet.sync." + editionID }

// checkLock fails when the connection is gone, and the lock with it.
func checkLock(ctx context.Context, l *advisory.Lock) error {
	if err := l.Held(ctx); err != nil {
		return fmt.Errorf("the lock of the edition was lost: %w", err)
	}
	return nil
}

// findItems returns all rows of a kind.
func findItems(ctx context.Context, tx db.Tx, source, kind string) (map[int64]*syncItem, error) {
	var rows []*syncItem
	err := tx.NewRaw("SELECT source, kind, number, mark, slug, data, uses, retry FROM content_sync_items WHERE source = "+
		"? AND kind = ?", source, kind).Scan(ctx, &rows)
	return byNumber(rows), err
}

// findSome returns those of some numbers, and those that ask to be taken again.
func findSome(ctx context.Context, tx db.Tx, source, kind string, numbers []int64) (map[int64]*syncItem, error) {
	var rows []*syncItem
	err := tx.NewRaw(`SELECT source, kind, number, mark, slug, data, uses, retry FROM content_sync_items
		WHERE source = ? AND kind = ? AND (mark = '' OR number IN (?))`, source, kind,
		bun.List(append([]int64{0}, numbers...))).Scan(ctx, &rows)
	return byNumber(rows), err
}

func byNumber(rows []*syncItem) map[int64]*syncItem {
	out := make(map[int64]*syncItem, len(rows))
	for _, r := range rows {
		out[r.Number] = r
	}
	return out
}

func countItems(ctx context.Context, tx db.Tx, source, kind string) (int, error) {
	return db.Get[int](ctx,
		tx.NewRaw("SELECT count(*) FROM content_sync_items WHERE source = ? AND kind = ?", source, kind))
}

// saveItems writes rows; those that are like that already are not touched.
func saveItems(ctx context.Context, tx db.Tx, rows []*syncItem) error {
	if len(rows) == 0 {
		return nil
	}
	for _, r := range rows {
		if r.Uses == nil {
			r.Uses = []string{}
		}
	}
	_, err := tx.NewInsert().Model(&rows).ModelTableExpr("content_sync_items AS i").
		On("CONFLICT (source, kind, number) DO UPDATE").
		Set("mark = EXCLUDED.mark, slug = EXCLUDED.slug, data = EXCLUDED.data, uses = EXCLUDED.uses, retry = EXCLUDED.retry").
		Where("(i.mark, i.slug, i.data, i.uses, i.retry) IS DISTINCT FROM (EXCLUDED.mark, EXCLUDED.slug, EXCLUDED.data, " +
			"EXCLUDED.uses, EXCLUDED.retry)").
		Exec(ctx)
	return err
}

func dropItems(ctx context.Context, tx db.Tx, source, kind string, numbers []int64) error {
	if len(numbers) == 0 {
		return nil
	}
	_, err := tx.NewRaw("DELETE FROM content_sync_items WHERE source = ? AND kind = ? AND number IN (?)", source, kind,
		bun.List(numbers)).Exec(ctx)
	return err
}

// askAgain has the posts looked at that use some things.
func askAgain(ctx context.Context, tx db.Tx, source string, uses []string) error {
	if len(uses) == 0 {
		return nil
	}
	_, err := tx.NewRaw("UPDATE content_sync_items SET mark = '' WHERE source = ? AND uses && ? AND mark <> ''", source,
		pgdialect.Array(uses)).Exec(ctx)
	return err
}

// forgetPicture has an address read again the next time that a post shows it.
func forgetPicture(ctx context.Context, tx db.Tx, source, address string) error {
	_, err := tx.NewRaw("DELETE FROM content_imported_pictures WHERE source = ? AND address = ?", source, address).
		Exec(ctx)
	return err
}

// forgetOther does so with an address that another picture of the site had.
func forgetOther(ctx context.Context, tx db.Tx, source, address string, number int64) error {
	_, err := tx.NewRaw(`DELETE FROM content_imported_pictures WHERE source = ?0 AND address = ?1 AND EXISTS (
		SELECT FROM content_sync_items WHERE source = ?0 AND kind = 'media' AND data->>'URL' = ?1 AND number <> ?2)`, source,
		address, number).Exec(ctx)
	return err
}

// findCursor is the zero time where there is none yet.
func findCursor(ctx context.Context, tx db.Tx, source, kind string) (time.Time, error) {
	at, err := db.Get[time.Time](ctx, tx.NewRaw("SELECT at FROM content_sync_cursors WHERE source = ? AND kind = ?",
		source, kind))
	return at.UTC(), err
}

// saveCursor moves a cursor forward, never back.
func saveCursor(ctx context.Context, tx db.Tx, source, kind string, at time.Time) error {
	_, err := tx.NewRaw(`INSERT INTO content_sync_cursors AS c (source, kind, at) VALUES (?, ?, ?)
		ON CONFLICT (source, kind) DO UPDATE SET at = EXCLUDED.at WHERE c.at < EXCLUDED.at`, source, kind, at).Exec(ctx)
	return err
}

// findTopic is what makes a tag a weekly topic, which no site says: its day, and its pictures.
func findTopic(ctx context.Context, tx db.Tx, slug string) (day time.Time, covers []string, err error) {
	var at bun.NullTime
	err = tx.NewRaw("SELECT published_at FROM content_tags WHERE slug = ?", slug).Scan(ctx, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return day, nil, nil
	}
	if err != nil {
		return day, nil, err
	}
	err = tx.NewRaw("SELECT c.picture_id FROM content_tag_covers c JOIN content_tags t ON t.id = c.tag_id WHERE t.slug "+
		"= ? ORDER BY c.position", slug).Scan(ctx, &covers)
	return at.Time, covers, err
}

// describedAuthor is what an author row holds that no site says.
type describedAuthor struct{ Role, Picture string }

func findAuthor(ctx context.Context, tx db.Tx, slug string) (a describedAuthor, err error) {
	err = tx.NewRaw("SELECT role, coalesce(picture_id, '') AS picture FROM content_authors WHERE slug = ?", slug).
		Scan(ctx, &a.Role, &a.Picture)
	if errors.Is(err, sql.ErrNoRows) {
		return a, nil
	}
	return a, err
}
