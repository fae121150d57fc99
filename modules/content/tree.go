package content

import (
	"strconv"

	"example.org/broadsheet/platform/edition"
)

// Tags of cached pages. A notice with purgePrefix before a tag means that no old copy may be served any more.
const (
	purgePrefix = "purge:"
	postPrefix  = "post:"
	frontTag    = "front"
	minutesTag  = "minutes"
	topicsTag   = "topics" // of what shows which weekly topics there are
	pagesTag    = "pages"  // of what shows that a page is missing
)

func postTag(id int64) string        { return postPrefix + strconv.FormatInt(id, 10) }
func categoryTag(slug string) string { return "category:" + slug }
func authorTag(slug string) string   { return "author:" + slug } // the author's list
func topicTag(slug string) string    { return "topic:" + slug }  // the topic's list
func aboutTag(slug string) string    { return "tag:" + slug }    // what a topic is called

// category is a node of the tree of an edition.
type category struct {
	ID          int64
	Key         string
	Slug        string
	Name        string
	Description string
	ParentID    int64
	Position    int
	parent      *category
	children    []*category
}

// tree is all categories of an edition.
type tree struct {
	byID   map[int64]*category
	bySlug map[string]*category
	byKey  map[string]*category
}

// newTree links rows that come in order of position.
func newTree(rows []*category) *tree {
	t := &tree{byID: map[int64]*category{}, bySlug: map[string]*category{}, byKey: map[string]*category{}}
	for _, c := range rows {
		t.byID[c.ID], t.bySlug[c.Slug], t.byKey[c.Key] = c, c, c
	}
	for _, c := range rows {
		if p := t.byID[c.ParentID]; p != nil {
			c.parent = p
			p.children = append(p.children, c)
		}
	}
	return t
}

// find looks a category up by slug, then by key.
func (t *tree) find(name string) *category {
	if c := t.bySlug[name]; c != nil {
		return c
	}
	return t.byKey[name]
}

// within lists a category and all below it.
func (c *category) within() []int64 {
	ids := []int64{c.ID}
	for _, child := range c.children {
		ids = append(ids, child.within()...)
	}
	return ids
}

// root is the topmost category over c, or c.
func (c *category) root() *category {
	for c.parent != nil {
		c = c.parent
	}
	return c
}

// path lists the categories from the top down to c.
func (c *category) path() []*category {
	if c.parent == nil {
		return []*category{c}
	}
	return append(c.parent.path(), c)
}

func (c *category) section(ed *edition.Edition) *Section {
	return &Section{Key: c.Key, Name: c.Name, URL: ed.Href(edition.CategoryPage, c.Slug)}
}
