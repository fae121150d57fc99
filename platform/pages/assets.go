package pages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// Assets are the built files of the browser's part, and which of them a page needs.
type Assets struct {
	files fs.FS
	entry string
	need  map[string]map[string]Files // route → locale
	cache *pagecache.Cache
}

// Files is what one page loads at once; addresses, in order.
type Files struct {
	Entry string   `json:"-"`
	JS    []string `json:"js"`
	CSS   []string `json:"css"`
	Fonts []string `json:"fonts"`
}

// Licenses is the file about the packages in the bundles. Its name has no hash: the bundles name it.
const Licenses = "assets/licenses.txt"

// ErrNotBuilt means that the frontend was not built into the binary.
var ErrNotBuilt = errors.New("the frontend is not built: run `make build`")

// NewAssets reads preload.json of a build's client folder.
func NewAssets(client fs.FS) (*Assets, error) {
	b, err := fs.ReadFile(client, "preload.json")
	if err != nil {
		return nil, errors.Join(ErrNotBuilt, err)
	}
	var index struct {
		Entry  string                      `json:"entry"`
		Routes map[string]map[string]Files `json:"routes"`
	}
	if err := json.Unmarshal(b, &index); err != nil {
		return nil, fmt.Errorf("preload.json: %w", err)
	}
	// The build's files never change: one compression serves the life of the process.
	cache, err := pagecache.New(pagecache.Config{MaxBytes: 16 << 20, Fresh: 24 * 365 * time.Hour})
	if err != nil {
		return nil, err
	}
	return &Assets{files: client, entry: index.Entry, need: index.Routes, cache: cache}, nil
}

// For returns the files of a route in an edition's words.
func (a *Assets) For(r edition.Route, ed *edition.Edition) Files {
	byLocale, ok := a.need[string(r)]
	if !ok {
		byLocale = a.need[string(edition.NotFound)]
	}
	f, ok := byLocale[ed.IntlLocale]
	if !ok {
		f = byLocale[ed.Locale]
	}
	f.Entry = a.entry
	return f
}

// Serve answers /assets/*: names carry a hash of their content, so they are kept for ever, save the licences.
func (a *Assets) Serve(c *gin.Context) error {
	name := strings.TrimPrefix(path.Clean(c.Request.URL.Path), "/")
	e, _, err := a.cache.Fetch(c.Request.Context(), pagecache.Key{Path: name, Tier: pagecache.Anonymous},
		func(context.Context) (*pagecache.Entry, error) {
			b, err := fs.ReadFile(a.files, name)
			if err != nil {
				return nil, web.ErrNotFound.Because(err)
			}
			kind := mime.TypeByExtension(path.Ext(name))
			if kind == "" {
				kind = "application/octet-stream"
			}
			if strings.HasSuffix(name, ".woff2") {
				kind = "font/woff2"
			}
			keep := "public, max-age=31536000, immutable"
			if name == Licenses {
				keep = "public, max-age=86400"
			}
			return &pagecache.Entry{Header: http.Header{"Content-Type": {kind}}, Body: b, CacheControl: keep}, nil
		})
	if err != nil {
		return err
	}
	pagecache.Serve(c.Writer, c.Request, e)
	return nil
}
