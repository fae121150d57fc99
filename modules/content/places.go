package content

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
)

// rank is where a post stands: the lists that hold it, and all that decides over its place there.
type rank struct {
	List        string
	PublishedAt time.Time
	Featured    int
	Pick        int
	Versus      string
	Pictured    bool // the lead story has a picture

	categories []*post.Category
	authors    []string // slugs
	topics     []string // slugs
}

// key is the same for two ranks that no list tells apart.
func (p rank) key() string {
	var ids []int64
	for _, c := range p.categories {
		ids = append(ids, c.ID)
	}
	return fmt.Sprint(p.List, p.PublishedAt.UnixMicro(), p.Featured, p.Pick, p.Versus, p.Pictured, ids,
		p.authors, p.topics)
}

// tags are those of the pages that list what stands there.
func (p rank) tags() []string {
	switch p.List {
	case "":
		return nil
	case "minute":
		return []string{post.FrontTag, post.MinutesTag}
	}
	out := []string{post.FrontTag}
	for _, c := range p.categories {
		for _, c := range c.Path() {
			out = append(out, post.CategoryTag(c.Slug))
		}
	}
	for _, slug := range p.authors {
		out = append(out, post.AuthorTag(slug))
	}
	for _, slug := range p.topics {
		out = append(out, post.TopicTag(slug))
	}
	return out
}

// announce tells what was saved, for caches. A page names every post that it shows, so the post's own tag finds the
// pages that carry it already; the tags of lists are told only where a post came, went or moved.
func announce(ctx context.Context, tx db.Tx, saved []*preparedPost, before, after map[int64]rank) error {
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
		was, is := before[s.row.ID], after[s.row.ID]
		if was.key() != is.key() {
			for _, t := range slices.Concat(was.tags(), is.tags()) {
				tags[t] = true
			}
		}
	}
	if len(tags) == 0 {
		return nil
	}
	return notify.Tell(ctx, tx, notify.Content, slices.Sorted(maps.Keys(tags))...)
}
