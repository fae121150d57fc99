package content

import (
	"context"
	"maps"
	"slices"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/rank"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
)

// findRanks reads the ranks of the posts, as stored; a post that is new has none.
func findRanks(ctx context.Context, tx db.Tx, todo []*preparedPost) (map[int64]rank.Rank, error) {
	var ids []int64
	for _, s := range todo {
		if s.row.ID != 0 {
			ids = append(ids, s.row.ID)
		}
	}
	return rank.Find(ctx, tx, ids)
}

// announce names to the caches what was saved. A page names every post that it shows, so the post's own tag finds the
// pages that carry it already; a list is named only where a post came, went or moved.
func announce(ctx context.Context, tx db.Tx, saved []*preparedPost, before, after map[int64]rank.Rank) error {
	tags := map[string]bool{}
	for _, s := range saved {
		tag := post.Tag(s.row.ID)
		tags[tag] = true
		// What was open may be in any copy; it must not be seen once more, not even while the page is made anew.
		if s.was != nil && s.was.Status == post.StatusPublished && (s.row.Status != post.StatusPublished || s.row.Locked) {
			tags[post.PurgePrefix+tag] = true
		}
		if s.row.Type == post.TypePage {
			tags[post.PagesTag] = true
		}
		for _, t := range rank.Moved(before[s.row.ID], after[s.row.ID]) {
			tags[t] = true
		}
	}
	if len(tags) == 0 {
		return nil
	}
	return notify.Tell(ctx, tx, notify.Content, slices.Sorted(maps.Keys(tags))...)
}
