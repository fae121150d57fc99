package content

import (
	"context"
	"sync"
	"time"

	"example.org/broadsheet/modules/content/seen"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

const (
	flushViews = 10 * time.Second
	// maxCounted bounds the posts of an edition that are counted between two writes; more are not counted.
	maxCounted = 10_000
	keepViews  = 90 * 24 * time.Hour
	// How often a post is counted on one day for a network, behind which there may be many readers, and for a reader.
	maxViewsOfNetwork = 50
	maxViewsOfReader  = 5
)

// viewer names who reads a post on one day: a reader, or a network.
type viewer struct {
	edition, day string
	post, reader int64
	visitor      uint64
}

// viewBuffer counts reading in memory: a read must not cost a write.
type viewBuffer struct {
	mu     sync.Mutex
	counts map[string]*editionViews
	seen   *seen.Counter[viewer]
}

type editionViews struct {
	ed    *edition.Edition
	posts map[int64]int64
}

// Viewed counts one reading of a post, for the most-read lists: of one reader or network only so often a day. Run
// writes it down.
func (m *Module) Viewed(ctx context.Context, postID int64) {
	ed, err := edition.From(ctx)
	if err != nil {
		return // nobody's paper
	}
	v, most := viewer{edition: ed.ID, post: postID, reader: session.ReaderID(ctx)}, int32(maxViewsOfReader)
	if v.reader == 0 {
		v.visitor, most = web.Visitor(ctx), maxViewsOfNetwork
	}
	v.day = m.db.Clock().Now().In(ed.Location).Format(time.DateOnly)
	if (v.reader == 0 && v.visitor == 0) || m.views.seen.Within(v, most) { // a program of the paper's own is neither
		m.views.add(ed, postID, 1)
	}
}

func (b *viewBuffer) add(ed *edition.Edition, postID, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.counts == nil {
		b.counts = map[string]*editionViews{}
	}
	e := b.counts[ed.ID]
	if e == nil {
		e = &editionViews{posts: map[int64]int64{}}
		b.counts[ed.ID] = e
	}
	e.ed = ed
	if _, known := e.posts[postID]; known || len(e.posts) < maxCounted {
		e.posts[postID] += n
	}
}

func (b *viewBuffer) take() map[string]*editionViews {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := b.counts
	b.counts = nil
	return taken
}

// Run writes the counted views and searches every few seconds until ctx ends, and once more then. Every process that
// answers readers runs it.
func (m *Module) Run(ctx context.Context) {
	t := time.NewTicker(flushViews)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			m.FlushViews(last)
			m.search.Flush(last)
			return
		case <-t.C:
			m.FlushViews(ctx)
			m.search.Flush(ctx)
		}
	}
}

// FlushViews writes what this process has counted, for all editions. What cannot be written is counted on.
func (m *Module) FlushViews(ctx context.Context) {
	for id, e := range m.views.take() {
		err := m.db.InTx(edition.With(ctx, e.ed), func(ctx context.Context, tx db.Tx) error {
			return addViews(ctx, tx, e.posts)
		})
		if err == nil {
			continue
		}
		m.log.WarnContext(ctx, "views not written", "edition", id, "error", err)
		for post, n := range e.posts {
			m.views.add(e.ed, post, n)
		}
	}
}

// countMostRead puts the most read posts of the last 1 to 30 days in order, from what all processes have counted.
func (m *Module) countMostRead(ctx context.Context) error {
	return m.db.InTx(ctx, writeMostRead)
}
