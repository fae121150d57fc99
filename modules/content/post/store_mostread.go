package post

import (
	"context"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
)

// MostRead reads the most read posts of the last days as they were counted last, and the newest where too few were
// read.
func MostRead(ctx context.Context, tx db.Tx, limit, offset, days int) (ids []int64, err error) {
	err = tx.NewRaw(`SELECT p.id FROM content_most_read m JOIN content_posts p ON p.id = m.post_id
		WHERE m.days = ?0 AND p.list IN ('article', 'video') AND p.published_at <= ?1 ORDER BY m.place LIMIT ?2`, days,
		tx.Now, limit+offset).Scan(ctx, &ids)
	if err != nil {
		return nil, err
	}
	if missing := limit + offset - len(ids); missing > 0 {
		var more []int64
		err = tx.NewRaw(`SELECT id FROM content_posts WHERE list = 'article' AND published_at <= ? AND id NOT IN (?)
			ORDER BY published_at DESC, id DESC LIMIT ?`, tx.Now, bun.List(append([]int64{0}, ids...)), missing).Scan(ctx, &more)
		ids = append(ids, more...)
	}
	return ids[min(offset, len(ids)):], err
}
