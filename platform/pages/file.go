package pages

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/web"
)

// file is the variant of a cached file.
const file = "file"

// File answers GET and HEAD of a file of the request's edition, out of the cache.
func (s *Server) File(load page.FileSource) func(*gin.Context) error {
	return func(c *gin.Context) error {
		ctx := c.Request.Context()
		ed, err := edition.From(ctx)
		if err != nil {
			return err
		}
		key := pagecache.Key{Edition: ed.ID, Path: c.Request.URL.EscapedPath(), Tier: pagecache.Anonymous, Variant: file}
		e, outcome, err := s.Cache.Fetch(ctx, key, func(ctx context.Context) (*pagecache.Entry, error) {
			params := make(map[string]string, len(c.Params))
			for _, p := range c.Params {
				params[p.Key] = p.Value
			}
			f, err := load(ctx, params)
			if err != nil {
				return nil, err
			}
			return fileEntry(f), nil
		})
		if err != nil {
			return err
		}
		web.SendKept(c, e, outcome, nil)
		return nil
	}
}

func fileEntry(f *page.File) *pagecache.Entry {
	e := &pagecache.Entry{Body: f.Body, Tags: f.Tags, Dated: true, CacheControl: pagecache.Public}
	if f.MaxAge > 0 {
		e.CacheControl = fmt.Sprintf("public, max-age=%d, %s", int(f.MaxAge/time.Second), pagecache.StaleIfError)
	}
	e.Header = http.Header{"Content-Type": {f.Type}}
	return e
}
