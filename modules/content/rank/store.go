package rank

import (
	"context"

	"github.com/uptrace/bun"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
)

// Find reads the ranks of posts by their ids, as stored; a post that is not stored has none.
func Find(ctx context.Context, tx db.Tx, ids []int64) (map[int64]Rank, error) {
	out := make(map[int64]Rank, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	t, err := post.LoadTree(ctx, tx)
	if err != nil {
		return nil, err
	}
	var rows []struct {
		ID int64
		Rank
	}
	err = tx.NewRaw(`SELECT id, list, published_at, featured, pick, versus, picture_id IS NOT NULL AS pictured FROM `+
		`content_posts WHERE id IN (?)`,
		bun.List(ids)).Scan(ctx, &rows)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		out[r.ID] = r.Rank
	}
	var links []struct {
		PostID, Owner int64
		Kind, Slug    string
		Position      int
	}
	err = tx.NewRaw(`SELECT post_id, category_id AS owner, 'category' AS kind, '' AS slug, position FROM
		content_post_categories WHERE post_id IN (?0)
		UNION ALL SELECT pa.post_id, 0, 'author', a.slug, pa.position FROM content_post_authors pa JOIN content_authors a
		ON a.id = pa.author_id WHERE pa.post_id IN (?0)
		UNION ALL SELECT pt.post_id, 0, 'topic', t.slug, pt.position FROM content_post_tags pt JOIN content_tags t ON t.id
		= pt.tag_id WHERE pt.post_id IN (?0)
		ORDER BY post_id, kind, position`, bun.List(ids)).Scan(ctx, &links)
	if err != nil {
		return nil, err
	}
	for _, l := range links {
		p := out[l.PostID]
		switch l.Kind {
		case "author":
			p.authors = append(p.authors, l.Slug)
		case "topic":
			p.topics = append(p.topics, l.Slug)
		default:
			if c := t.ByID[l.Owner]; c != nil {
				p.categories = append(p.categories, c)
			}
		}
		out[l.PostID] = p
	}
	return out, nil
}
