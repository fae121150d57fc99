package post

import (
	"context"
	"slices"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// CategoryPosts is a part of a category's posts, newest first.
type CategoryPosts struct {
	Category *Category
	Articles []*Post
	Videos   []*Post
	Part     Part
}

// ReadCategory reads a part of the articles of a category and those below it, and their newest videos; web.ErrNotFound
// when there is no such category.
func ReadCategory(ctx context.Context, d *db.DB, slug string, w Window, videos int) (s CategoryPosts, err error) {
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		t, err := LoadTree(ctx, tx)
		if err != nil {
			return err
		}
		if s.Category = t.BySlug[slug]; s.Category == nil {
			return web.ErrNotFound
		}
		if s.Part, err = FindIn(ctx, tx, InCategory, s.Category.Subtree(), "article", w); err != nil {
			return err
		}
		var clips Part
		if videos > 0 {
			if clips, err = FindIn(ctx, tx, InCategory, s.Category.Subtree(), "video", Window{Limit: videos}); err != nil {
				return err
			}
		}
		posts, err := Load(ctx, tx, t, slices.Concat(s.Part.IDs, clips.IDs))
		s.Articles, s.Videos = InOrder(posts, s.Part.IDs), InOrder(posts, clips.IDs)
		return err
	})
	return s, err
}

// InOrder returns the posts of ids in their order; those that are not out are left out.
func InOrder(posts map[int64]*Post, ids []int64) []*Post {
	var out []*Post
	for _, id := range ids {
		if p := posts[id]; p != nil {
			out = append(out, p)
		}
	}
	return out
}

// CardsOf are posts as lists show them.
func CardsOf(ed *edition.Edition, posts []*Post) []Card {
	out := make([]Card, len(posts))
	for i, p := range posts {
		out[i] = p.Card(ed)
	}
	return out
}

// AuthorPosts are a part of an author's posts, newest first.
type AuthorPosts struct {
	id       int64
	Byline   Byline
	Articles []*Post
	Videos   []*Post
	Part     Part
}

// ReadAuthor reads an author with a part of the articles and the newest videos; web.ErrNotFound when there is none.
func ReadAuthor(ctx context.Context, d *db.DB, slug string, w Window, videos int) (a AuthorPosts, err error) {
	err = Read(ctx, d, func(ctx context.Context, tx db.Tx, t *Tree) (err error) {
		if a.id, a.Byline, err = FindAuthor(ctx, tx, slug); err != nil {
			return err
		}
		if a.Part, err = FindIn(ctx, tx, ByAuthor, []int64{a.id}, "article", w); err != nil {
			return err
		}
		var clips Part
		if videos > 0 {
			if clips, err = FindIn(ctx, tx, ByAuthor, []int64{a.id}, "video", Window{Limit: videos}); err != nil {
				return err
			}
		}
		posts, err := Load(ctx, tx, t, slices.Concat(a.Part.IDs, clips.IDs))
		a.Articles, a.Videos = InOrder(posts, a.Part.IDs), InOrder(posts, clips.IDs)
		return err
	})
	return a, err
}

// Read opens the store with the tree, which every list needs.
func Read(ctx context.Context, d *db.DB, fn func(context.Context, db.Tx, *Tree) error) error {
	return d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		t, err := LoadTree(ctx, tx)
		if err != nil {
			return err
		}
		return fn(ctx, tx, t)
	})
}
