package post

import (
	"context"
	"fmt"
	"strings"

	"example.org/broadsheet/platform/db"
)

// ListQuery is one list of the newest posts of some kind.
type ListQuery struct {
	Name  string
	Where string // over content_posts
	order string // before the date
	limit int
}

// The lists that are asked for by more than one page.
var (
	Featured = ListQuery{
		Name: "featured", Where: "featured > 0 AND list IN ('article', 'video')",
		order: "featured, ", limit: 12,
	}
	Picked   = ListQuery{Name: "picks", Where: "pick > 0 AND list IN ('article', 'video')", order: "pick, ", limit: 16}
	Opinions = ListQuery{Name: "opinion", Where: "type = 'comment_article' AND list <> ''", limit: 24}
	Versus   = ListQuery{Name: "versus", limit: 2, Where: `list <> '' AND versus <> '' AND versus = (SELECT versus ` +
		`FROM content_posts
		WHERE versus <> '' AND list <> '' AND published_at <= ?now GROUP BY versus HAVING count(*) > 1 ORDER BY ` +
		`max(published_at) DESC LIMIT 1)`}
	Recent  = ListQuery{Name: "recent", Where: "list = 'article'", limit: 60}
	Videos  = ListQuery{Name: "videos", Where: "list = 'video'", limit: 40}
	Minutes = ListQuery{Name: "minutes", Where: "list = 'minute'", limit: 40}
)

// Top is the list cut to another length.
func (w ListQuery) Top(limit int) ListQuery {
	w.limit = limit
	return w
}

// FindLists reads the ids of several lists in one query.
func FindLists(ctx context.Context, tx db.Tx, lists ...ListQuery) (map[string][]int64, error) {
	parts := make([]string, len(lists))
	for i, w := range lists {
		// The limit stands inside, where the index gives the order; the numbers are for what is left.
		order := w.order + "published_at DESC, id DESC"
		parts[i] = fmt.Sprintf(`(SELECT '%s' AS name, id, row_number() OVER (ORDER BY %s) AS place FROM (SELECT id, `+
			`featured, pick, published_at
			FROM content_posts WHERE %s AND published_at <= ?now ORDER BY %s LIMIT %d) l)`, w.Name, order, w.Where,
			order, w.limit)
	}
	var rows []struct {
		Name string
		ID   int64
	}
	query := strings.ReplaceAll("SELECT name, id FROM ("+strings.Join(parts, " UNION ALL ")+") l ORDER BY name, place",
		"?now", "?0")
	err := tx.NewRaw(query, tx.Now).Scan(ctx, &rows)
	out := make(map[string][]int64, len(lists))
	for _, r := range rows {
		out[r.Name] = append(out[r.Name], r.ID)
	}
	return out, err
}

// FindNewest reads, for each group of categories, the newest posts in any of them. Every category gives its own newest
// from the index, so that the size of the archive does not matter.
func FindNewest(ctx context.Context, tx db.Tx, groups [][]int64, list string, limit, offset int) ([][]int64, error) {
	var values []string
	for g, ids := range groups {
		for _, id := range ids {
			values = append(values, fmt.Sprintf("(%d, %d)", g, id))
		}
	}
	out := make([][]int64, len(groups))
	if len(values) == 0 {
		return out, nil
	}
	var rows []struct {
		Grp    int
		PostID int64
	}
	err := tx.NewRaw(`SELECT grp, post_id FROM (
			SELECT grp, post_id, row_number() OVER (PARTITION BY grp ORDER BY published_at DESC, post_id DESC) AS place
			FROM (SELECT DISTINCT v.grp, n.post_id, n.published_at FROM (VALUES `+strings.Join(values, ", ")+`) v(grp, category),
				LATERAL (SELECT pc.post_id, pc.published_at FROM content_post_categories pc
					WHERE pc.category_id = v.category AND pc.list = ?0 AND pc.published_at <= ?1
					ORDER BY pc.published_at DESC, pc.post_id DESC LIMIT ?2) n) u) r
		WHERE place > ?3 AND place <= ?2 ORDER BY grp, place`, list, tx.Now, limit+offset, offset).Scan(ctx, &rows)
	for _, r := range rows {
		out[r.Grp] = append(out[r.Grp], r.PostID)
	}
	return out, err
}

// FindVersus reads the question over a pair of opinions.
func FindVersus(ctx context.Context, tx db.Tx, pair []int64) (question string, err error) {
	if len(pair) == 0 {
		return "", nil
	}
	err = tx.NewRaw("SELECT versus FROM content_posts WHERE id = ?", pair[0]).Scan(ctx, &question)
	return question, err
}
