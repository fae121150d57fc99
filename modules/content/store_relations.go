package content

import (
	"context"
	"fmt"
	"strings"

	"github.com/uptrace/bun"

	"example.org/broadsheet/modules/content/alternate"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// writeRelations replaces authors and categories of the posts and adds their old addresses.
func writeRelations(ctx context.Context, tx db.Tx, todo []*preparedPost) error {
	ids := make([]int64, len(todo))
	var redirects []redirectRow
	for i, s := range todo {
		ids[i] = s.row.ID
		for _, p := range s.Redirects {
			redirects = append(redirects, redirectRow{Path: p, PostID: s.row.ID})
		}
		if old := staticPath(tx.Edition, s.was); old != "" && s.was.Slug != s.row.Slug {
			redirects = append(redirects, redirectRow{Path: post.CleanPath(old), PostID: s.row.ID})
		}
	}
	if err := writeAuthors(ctx, tx, todo, ids); err != nil {
		return err
	}
	if err := writeCategories(ctx, tx, todo, ids); err != nil {
		return err
	}
	if err := writeTags(ctx, tx, todo, ids); err != nil {
		return err
	}
	for _, s := range todo {
		if s.Alternates == nil {
			continue
		}
		if err := alternate.Write(ctx, tx, s.row.ID, s.Alternates); err != nil {
			return err
		}
	}
	if err := writePages(ctx, tx, todo, ids); err != nil {
		return err
	}
	seen := map[string]bool{}
	once := redirects[:0]
	for _, r := range redirects {
		if !seen[r.Path] {
			seen[r.Path] = true
			once = append(once, r)
		}
	}
	if len(once) == 0 {
		return nil
	}
	_, err := tx.NewInsert().Model(&once).On("CONFLICT (path) DO UPDATE").Set("post_id = EXCLUDED.post_id").Exec(ctx)
	return err
}

// staticPath is the address of a static page, which has no id in it; "" for other posts.
func staticPath(ed *edition.Edition, r *postRow) string {
	if r == nil || r.Type != post.TypePage {
		return ""
	}
	return ed.Href(edition.Static, r.Slug)
}

func writeAuthors(ctx context.Context, tx db.Tx, todo []*preparedPost, ids []int64) error {
	var slugs []string
	for _, s := range todo {
		slugs = append(slugs, s.Authors...)
	}
	known := map[string]int64{}
	if len(slugs) > 0 {
		var rows []struct {
			ID   int64
			Slug string
		}
		if err := tx.NewRaw("SELECT id, slug FROM content_authors WHERE slug IN (?)", bun.List(post.Unique(slugs))).
			Scan(ctx, &rows); err != nil {
			return err
		}
		for _, r := range rows {
			known[r.Slug] = r.ID
		}
	}
	var values []string
	for _, s := range todo {
		for i, slug := range s.Authors {
			id, ok := known[slug]
			if !ok {
				return post.ErrInvalid.On("authors").With("post", s.Title).Becausef("post %q: there is no author %q", s.Title, slug)
			}
			values = append(values, fmt.Sprintf("(%d, %d, %d)", s.row.ID, id, i))
		}
	}
	return replaceLinks(ctx, tx, post.ByAuthor, ids, values)
}

// replaceLinks writes what posts belong to: values are "(post, owner, position)", numbers of ours. List and time are
// taken from the post, which alone knows them.
func replaceLinks(ctx context.Context, tx db.Tx, r post.Relation, ids []int64, values []string) error {
	if _, err := tx.NewRaw("DELETE FROM "+r.Table+" WHERE post_id IN (?)", bun.List(ids)).Exec(ctx); err != nil ||
		len(values) == 0 {
		return err
	}
	_, err := tx.NewRaw(`INSERT INTO ` + r.Table + ` (post_id, ` + r.Column + `, position, list, published_at)
		SELECT p.id, v.owner, v.position, p.list, p.published_at
		FROM (VALUES ` + strings.Join(values, ", ") + `) v(post, owner, position) JOIN content_posts p ON p.id = v.post`).
		Exec(ctx)
	return err
}

func writeCategories(ctx context.Context, tx db.Tx, todo []*preparedPost, ids []int64) error {
	t, err := post.LoadTree(ctx, tx)
	if err != nil {
		return err
	}
	var values []string
	for _, s := range todo {
		seen := map[int64]bool{}
		for i, name := range s.Categories {
			c := t.Find(name)
			if c == nil {
				return post.ErrInvalid.On("categories").With("post", s.Title).
					Becausef("post %q: there is no category %q", s.Title, name)
			}
			if !seen[c.ID] {
				seen[c.ID] = true
				values = append(values, fmt.Sprintf("(%d, %d, %d)", s.row.ID, c.ID, i))
			}
		}
	}
	return replaceLinks(ctx, tx, post.InCategory, ids, values)
}

// writeTags replaces the tags of posts.
func writeTags(ctx context.Context, tx db.Tx, todo []*preparedPost, ids []int64) error {
	var slugs, values []string
	for _, s := range todo {
		slugs = append(slugs, s.Tags...)
	}
	known, err := topic.FindIDs(ctx, tx, post.Unique(slugs))
	if err != nil {
		return err
	}
	for _, s := range todo {
		for i, slug := range s.Tags {
			id, ok := known[slug]
			if !ok {
				return s.refuse("tags", "there is no tag %q", slug)
			}
			values = append(values, fmt.Sprintf("(%d, %d, %d)", s.row.ID, id, i))
		}
	}
	return replaceLinks(ctx, tx, post.InTag, ids, values)
}
