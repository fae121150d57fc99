// Package content is what the paper prints: posts with their authors, categories and
// pictures, the lists they stand in, and the pages that show them. The text of a post is
// a Body, and only Reveal, given the Access of a reader, turns it into words.
package content

import (
	"time"

	"example.org/broadsheet/modules/content/alternate"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/staticpage"
)

// Draft is a post as it is handed in.
type Draft struct {
	ID       int64  // the post to change; 0: the one of Source and SourceID, else a new one
	Source   string // where it comes from, such as "wordpress"; "" for posts of our own
	SourceID string // its identity there

	Type      post.Type
	Status    post.Status // "" is a draft
	Slug      string      // the wanted one; "" keeps the present one, or makes one from the title
	Title     string      // plain text
	Excerpt   string      // plain text, public also when the post is locked
	Body      string      // HTML, sanitised here
	Locked    bool        // for subscribers
	Published time.Time   // zero: now, at the first publication
	Modified  time.Time   // zero: Published for a new post, now for a changed one

	Picture string // media id of a picture that was saved, or ""
	Alt     string `json:",omitempty"` // what is to be seen in it; "": what the picture says itself
	Caption string
	Video   Video

	Featured int    // rank among the lead stories of the front page, 1 first; 0: none
	Pick     int    // rank among the editors' picks; 0: none
	Versus   string // question over a pair of opposing opinions; both carry the same words

	Authors    []string // slugs, in order of the byline
	Categories []string // slugs or keys, the primary one first
	Tags       []string `json:",omitempty"` // slugs of tags that were saved
	Redirects  []string // old paths that lead here ("/383574", "/2019/05/title/"); kept for good

	Page staticpage.Form `json:",omitzero"` // of a page

	Comments   int              `json:",omitempty"` // approved ones at the source; 0 leaves the count as it is
	Alternates []alternate.Link `json:",omitempty"` // in sister editions; nil leaves them as they are
}

// Video is the moving part of a post.
type Video struct {
	URL     string // https, or the path of a recording in the media library
	Seconds int
}

// Saved is the outcome for one Draft.
type Saved struct {
	ID      int64
	Changed bool // false: it already was exactly like that
}
