package page

import (
	"context"
	"time"
)

// File is an answer of an edition that is no page: a feed, a map of the site, an icon. It is the same for everybody.
type File struct {
	Type   string // content type
	Body   []byte
	Tags   []string      // what invalidates a kept copy, as in Page
	MaxAge time.Duration // how long others may keep it; 0: as long as a page
}

// FileSource makes a file. params are those of its path, unescaped.
type FileSource func(ctx context.Context, params map[string]string) (*File, error)

// Files maps paths such as "/rss/category/:slug" to what makes them.
type Files map[string]FileSource
