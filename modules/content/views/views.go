// Package views counts how often posts are read, for the lists of what is read most: in memory, since a read must not
// cost a write, and every few seconds in the database.
package views

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"example.org/broadsheet/modules/content/seen"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// How often a post is counted on one day for a network, behind which there may be many readers, and for a reader.
const (
	PerNetwork = 50
	PerReader  = 5
)

// MaxPosts bounds the posts of an edition that are counted between two writes; more are not counted.
const MaxPosts = 10_000

// Kept is how long it is known how often a post was read on a day.
const Kept = 90 * 24 * time.Hour

// viewer names who reads a post on one day: a reader, or a network.
type viewer struct {
	edition      string
	day          int // of the year
	post, reader int64
	visitor      uint64
}

// Counter counts what this process has shown.
type Counter struct {
	db   *db.DB
	log  *slog.Logger
	seen *seen.Counter[viewer]

	mu     sync.Mutex
	counts map[string]*editionViews
}

// New returns a Counter that has counted nothing.
func New(d *db.DB, log *slog.Logger) *Counter {
	return &Counter{db: d, log: log, seen: seen.New[viewer]()}
}

type editionViews struct {
	ed    *edition.Edition
	posts map[int64]int64
}

// Count counts one reading of a post, for the most-read lists: of one reader or network only so often a day.
// Flush writes it down.
func (c *Counter) Count(ctx context.Context, postID int64) {
	ed, err := edition.From(ctx)
	if err != nil {
		return // nobody's paper
	}
	v, most := viewer{edition: ed.ID, post: postID, reader: session.ReaderID(ctx)}, int32(PerReader)
	if v.reader == 0 {
		v.visitor, most = web.Visitor(ctx), PerNetwork
	}
	v.day = c.db.Clock().Now().In(ed.Location).YearDay()
	if (v.reader == 0 && v.visitor == 0) || c.seen.Within(v, most) { // a program of the paper's own is neither
		c.add(ed, postID, 1)
	}
}

func (c *Counter) add(ed *edition.Edition, postID, n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil {
		c.counts = map[string]*editionViews{}
	}
	e := c.counts[ed.ID]
	if e == nil {
		e = &editionViews{posts: map[int64]int64{}}
		c.counts[ed.ID] = e
	}
	e.ed = ed
	if _, known := e.posts[postID]; known || len(e.posts) < MaxPosts {
		e.posts[postID] += n
	}
}

func (c *Counter) take() map[string]*editionViews {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.counts
	c.counts = nil
	return taken
}

// Flush writes what this process has counted, for all editions. What cannot be written is counted on.
func (c *Counter) Flush(ctx context.Context) {
	for id, e := range c.take() {
		err := c.db.InTx(edition.With(ctx, e.ed), func(ctx context.Context, tx db.Tx) error {
			return addViews(ctx, tx, e.posts)
		})
		if err == nil {
			continue
		}
		c.log.WarnContext(ctx, "views not written", "edition", id, "error", err)
		for post, n := range e.posts {
			c.add(e.ed, post, n)
		}
	}
}

// Rank puts the most read posts of the last 1 to 30 days in order, from what all processes have counted.
func (c *Counter) Rank(ctx context.Context) error {
	return c.db.InTx(ctx, writeMostRead)
}
