// Package rank is where posts stand: which lists hold them, and in which place. Whoever changes a post compares its
// rank before and after, and the difference names the pages that change with it. It may import post and the platform.
// Start at Rank.
package rank

import (
	"fmt"
	"slices"
	"time"

	"example.org/broadsheet/modules/content/post"
)

// Rank is where a post stands: the lists that hold it, and all that decides over its place there.
type Rank struct {
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
func (p Rank) key() string {
	var ids []int64
	for _, c := range p.categories {
		ids = append(ids, c.ID)
	}
	return fmt.Sprint(p.List, p.PublishedAt.UnixMicro(), p.Featured, p.Pick, p.Versus, p.Pictured, ids,
		p.authors, p.topics)
}

// tags are those of the pages that list what stands there.
func (p Rank) tags() []string {
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

// Moved are the tags of the lists that a post entered, left or moved in; none where its place is the same.
func Moved(before, after Rank) []string {
	if before.key() == after.key() {
		return nil
	}
	return slices.Concat(before.tags(), after.tags())
}
