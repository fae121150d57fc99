package post

import (
	"strconv"
)

// Tags of cached pages. A notice with PurgePrefix before a tag means that no old copy may be served any more.
const (
	PurgePrefix = "purge:"
	PostPrefix  = "post:"
	FrontTag    = "front"
	MinutesTag  = "minutes"
	TopicsTag   = "topics" // of what shows which weekly topics there are
	PagesTag    = "pages"  // of what shows that a page is missing
)

// Tag is of every page that shows the post.
func Tag(id int64) string { return PostPrefix + strconv.FormatInt(id, 10) }

// CategoryTag is of the pages that list a category.
func CategoryTag(slug string) string { return "category:" + slug }

// AuthorTag is of the pages that list what an author wrote.
func AuthorTag(slug string) string { return "author:" + slug }

// TopicTag is of the pages that list a weekly topic.
func TopicTag(slug string) string { return "topic:" + slug }

// TopicNameTag is of the pages that name a weekly topic.
func TopicNameTag(slug string) string { return "tag:" + slug }

// WithCardTags adds the tags of the posts that a page shows: a change of one makes the page old.
func WithCardTags(tags []string, lists ...[]Card) []string {
	seen := map[int64]bool{}
	for _, list := range lists {
		for _, c := range list {
			if !seen[c.ID] {
				seen[c.ID] = true
				tags = append(tags, Tag(c.ID))
			}
		}
	}
	return tags
}
