package views

import (
	"context"
	"fmt"
	"strings"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/retention"
)

// MaxDays is over how many days reading is added up, at most.
const MaxDays = 30

// mostReadPlaces are kept, more than are shown: some posts may be withdrawn until they are counted again.
const mostReadPlaces = 70

// writeMostRead counts what was read in the last days, for each number of days.
func writeMostRead(ctx context.Context, tx db.Tx) error {
	today := tx.Now.In(tx.Edition.Location)
	// Two counts at once would both insert what the other has not deleted yet.
	if _, err := tx.NewRaw("SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '.content_most_read', 0))").
		Exec(ctx); err != nil {
		return err
	}
	if _, err := tx.NewRaw("DELETE FROM content_most_read").Exec(ctx); err != nil {
		return err
	}
	_, err := tx.NewRaw(`INSERT INTO content_most_read (days, place, post_id, views)
		SELECT days, place, post_id, n FROM (
			SELECT days, post_id, n, row_number() OVER (PARTITION BY days ORDER BY n DESC, post_id DESC) AS place FROM (
				SELECT d.days, v.post_id, sum(v.views)::bigint AS n
				FROM content_views v JOIN content_posts p ON p.id = v.post_id AND p.list IN ('article', 'video'),
					LATERAL generate_series(greatest(?0::date - v.day + 1, 1), ?1) d(days)
				WHERE v.day > ?0::date - ?1::integer GROUP BY d.days, v.post_id) c) r
		WHERE place <= ?2`, today.Format(time.DateOnly), MaxDays, mostReadPlaces).Exec(ctx)
	return err
}

// addViews writes counted views; those of posts that do not exist are dropped.
func addViews(ctx context.Context, tx db.Tx, counts map[int64]int64) error {
	values := make([]string, 0, len(counts))
	for id, n := range counts {
		values = append(values, fmt.Sprintf("(%d::bigint, %d::bigint)", id, n))
	}
	_, err := tx.NewRaw(`INSERT INTO content_views (day, post_id, views)
		SELECT ?::date, p.id, v.n FROM (VALUES `+strings.Join(values, ", ")+`) v(id, n) JOIN content_posts p ON p.id = `+
		`v.id ORDER BY p.id
		ON CONFLICT (day, post_id) DO UPDATE SET views = content_views.views + EXCLUDED.views`,
		tx.Now.In(tx.Edition.Location).Format("2006-01-02")).Exec(ctx)
	return err
}

// Retentions are how long that is kept which was counted of reading. None of it says who it was.
var Retentions = []retention.Rule{
	{Name: "content_views", Rows: "how often a post was read on a day", Kept: Kept, Where: "x.day < ?1::date"},
}
