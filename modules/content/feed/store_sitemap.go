package feed

import (
	"context"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// mapKinds are the kinds of pages in the map of a site, in its order. An address that is not there for readers (of an
// author without articles, say) is not in it either.
var mapKinds = []mapKind{
	{
		name: "sections", tags: []string{post.FrontTag, post.MinutesTag, post.TopicsTag}, path: ownPath,
		rows: `SELECT 1::bigint AS id, '' AS slug, 'front' AS route, max(published_at) AS modified FROM content_posts
			WHERE list = 'article' AND published_at <= ?0
			UNION ALL SELECT 2, '', 'minutes', max(published_at) FROM content_posts WHERE list = 'minute' AND published_at <=
			?0 HAVING count(*) > 0
			UNION ALL SELECT 3, '', 'topicIndex', max(published_at) FROM content_tags WHERE published_at <= ?0 HAVING
			count(*) > 0
			UNION ALL SELECT 4, '', 'videos', max(published_at) FROM content_posts WHERE list = 'video' AND published_at <=
			?0 HAVING count(*) > 0`,
	},
	{
		name: "categories", tags: []string{post.FrontTag},
		path: func(ed *edition.Edition, e mapEntry) string { return ed.Href(edition.CategoryPage, e.Slug) },
		rows: `SELECT c.id, c.slug, '' AS route, max(n.at) AS modified
			FROM (WITH RECURSIVE up AS (
					SELECT id AS leaf, id, parent_id FROM content_categories
					UNION ALL SELECT up.leaf, c.id, c.parent_id FROM up JOIN content_categories c ON c.id = up.parent_id)
				SELECT leaf, id FROM up) over
			JOIN (SELECT category_id, max(published_at) AS at FROM content_post_categories
				WHERE list = 'article' AND published_at <= ?0 GROUP BY category_id) n ON n.category_id = over.leaf
			JOIN content_categories c ON c.id = over.id GROUP BY c.id, c.slug`,
	},
	{
		name: "topics", tags: []string{post.TopicsTag, post.FrontTag},
		path: func(ed *edition.Edition, e mapEntry) string { return ed.Href(edition.Topic, e.Slug) },
		rows: `SELECT t.id, t.slug, '' AS route, greatest(t.published_at, max(pt.published_at)) AS modified FROM
			content_tags t
			LEFT JOIN content_post_tags pt ON pt.tag_id = t.id AND pt.list <> '' AND pt.published_at <= ?0
			WHERE t.published_at <= ?0 GROUP BY t.id, t.slug, t.published_at`,
	},
	{
		name: "authors", tags: []string{post.FrontTag},
		path: func(ed *edition.Edition, e mapEntry) string { return ed.Href(edition.Author, e.Slug) },
		rows: `SELECT a.id, a.slug, '' AS route, max(pa.published_at) AS modified FROM content_authors a
			JOIN content_post_authors pa ON pa.author_id = a.id AND pa.list IN ('article', 'video') AND pa.published_at <= ?0
			GROUP BY a.id, a.slug`,
	},
	{
		name: "pages", tags: []string{post.PagesTag},
		path: func(ed *edition.Edition, e mapEntry) string {
			return (&post.Post{Type: post.TypePage, Slug: e.Slug, Route: e.Route}).Path(ed)
		},
		rows: `SELECT p.id, p.slug, coalesce(g.route, '') AS route, p.modified_at AS modified FROM content_posts p LEFT
			JOIN content_pages g ON g.post_id = p.id
			WHERE p.type = 'page' AND p.status = 'published' AND p.published_at <= ?0`,
	},
	{
		name: "articles", ids: true,
		path: func(ed *edition.Edition, e mapEntry) string { return (&post.Post{ID: e.ID, Slug: e.Slug}).Path(ed) },
		rows: `SELECT id, slug, '' AS route, greatest(modified_at, published_at) AS modified FROM content_posts WHERE list ` +
			`<> '' AND published_at <= ?0`,
	},
}

// mapPartRow is a part that has something in it, numbered from 1, and when that changed last.
type mapPartRow struct {
	Part     int64
	Modified *time.Time
}

func findMapParts(ctx context.Context, tx db.Tx, k mapKind) (parts []mapPartRow, err error) {
	err = tx.NewRaw(`SELECT (id - 1) / ?1 + 1 AS part, max(modified) AS modified FROM (`+k.rows+
		`) r GROUP BY 1 ORDER BY 1`, tx.Now, partSize).Scan(ctx, &parts)
	return parts, err
}

// eachMapEntry hands over the entries of a range of ids one by one.
func eachMapEntry(ctx context.Context, tx db.Tx, k mapKind, after, to int64, take func(mapEntry) error) error {
	rows, err := tx.QueryContext(ctx, `SELECT id, slug, route, modified FROM (`+k.rows+`) r WHERE id > ?1 AND id <= ?2 `+
		`ORDER BY id`, tx.Now, after, to)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // its error is that of Err
	for rows.Next() {
		var e mapEntry
		if err := rows.Scan(&e.ID, &e.Slug, &e.Route, &e.Modified); err != nil {
			return err
		}
		if err := take(e); err != nil {
			return err
		}
	}
	return rows.Err()
}

// findNews reads what was published since an instant, newest first, with no more than the map of news says.
func findNews(ctx context.Context, tx db.Tx, since time.Time, limit int) (posts []*post.Post, err error) {
	err = tx.NewRaw(`SELECT id, type, slug, title, published_at FROM content_posts WHERE list IN ('article', 'video')
		AND published_at > ? AND published_at <= ?
		ORDER BY published_at DESC, id DESC LIMIT ?`, since, tx.Now, limit).Scan(ctx, &posts)
	return posts, err
}
