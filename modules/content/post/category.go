package post

import (
	"example.org/broadsheet/platform/paper/edition"
)

// Category is a node of the tree of an edition.
type Category struct {
	ID          int64
	Key         string
	Slug        string
	Name        string
	Description string
	ParentID    int64
	Position    int
	Parent      *Category   `bun:"-"`
	Children    []*Category `bun:"-"`
}

// Tree is all categories of an edition.
type Tree struct {
	ByID   map[int64]*Category
	BySlug map[string]*Category
	ByKey  map[string]*Category
}

// NewTree links rows that come in order of position.
func NewTree(rows []*Category) *Tree {
	t := &Tree{ByID: map[int64]*Category{}, BySlug: map[string]*Category{}, ByKey: map[string]*Category{}}
	for _, c := range rows {
		t.ByID[c.ID], t.BySlug[c.Slug], t.ByKey[c.Key] = c, c, c
	}
	for _, c := range rows {
		if p := t.ByID[c.ParentID]; p != nil {
			c.Parent = p
			p.Children = append(p.Children, c)
		}
	}
	return t
}

// Find looks a category up by slug, then by key.
func (t *Tree) Find(name string) *Category {
	if c := t.BySlug[name]; c != nil {
		return c
	}
	return t.ByKey[name]
}

// Subtree lists a category and all below it.
func (c *Category) Subtree() []int64 {
	ids := []int64{c.ID}
	for _, child := range c.Children {
		ids = append(ids, child.Subtree()...)
	}
	return ids
}

// Root is the topmost category over c, or c.
func (c *Category) Root() *Category {
	for c.Parent != nil {
		c = c.Parent
	}
	return c
}

// Path lists the categories from the top down to c.
func (c *Category) Path() []*Category {
	if c.Parent == nil {
		return []*Category{c}
	}
	return append(c.Parent.Path(), c)
}

// Section is the category as pages name it.
func (c *Category) Section(ed *edition.Edition) *Section {
	return &Section{Key: c.Key, Name: c.Name, URL: ed.Href(edition.CategoryPage, c.Slug)}
}
