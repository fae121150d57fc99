package content

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/singleflight"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/paper/edition"
)

const (
	// gateLife is how long the facts of a gate are trusted without word of a change.
	gateLife = 10 * time.Second
	// gateKept is how long they are kept: for longer than any page is, for while the database is away nothing newer can be
	// had.
	gateKept = pagecache.Outage + 10*time.Minute
	// gatePatience is how long newer facts are waited for where there are older ones.
	gatePatience = 100 * time.Millisecond
	// gateTimeout bounds a look at the facts, which goes on when nobody waits for it any more.
	gateTimeout = 5 * time.Second
)

type gateKey struct {
	edition string
	post    int64
}

// gate is what must be known of a post before a reader is let in. It is kept in memory, because it is asked for by
// every request. One that still says "open" of a post that was just locked gives the page of the tier that may not
// read locked text, so that being late never shows too much.
type gate struct {
	Type   post.Type
	Locked bool
	Out    bool // published, and its time has come

	Published time.Time
}

// gates are those of all editions.
type gates struct {
	kept  *otter.Cache[gateKey, cachedGate]
	looks singleflight.Group
	round atomic.Uint64 // of forgetting: what was asked for before it is not kept
}

type cachedGate struct {
	gate
	until time.Time
}

func newGates() *gates {
	return &gates{kept: otter.Must(&otter.Options[gateKey, cachedGate]{
		MaximumSize: 20_000, ExpiryCalculator: otter.ExpiryWriting[gateKey, cachedGate](gateKept),
	})}
}

func (g *gates) forget(k gateKey) {
	g.round.Add(1)
	g.kept.Invalidate(k)
}

func (g *gates) forgetAll() {
	g.round.Add(1)
	g.kept.InvalidateAll()
}

// gate looks the facts of a post up. While the database hangs or is away, those that were known last are good enough:
// whoever gets a page by them gets one that lies in memory.
func (m *Module) gate(ctx context.Context, id int64) (gate, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return gate{}, err
	}
	k := gateKey{ed.ID, id}
	old, known := m.gates.kept.GetIfPresent(k)
	if known && m.db.Now().Before(old.until) {
		return old.gate, nil
	}
	var enough <-chan time.Time
	if known {
		enough = time.After(gatePatience)
	}
	select {
	case look := <-m.loadGate(ctx, k):
		if look.Err != nil {
			return old.gate, unlessKnown(known, look.Err)
		}
		return look.Val.(gate), nil
	case <-enough:
		return old.gate, nil
	case <-ctx.Done():
		return old.gate, unlessKnown(known, ctx.Err())
	}
}

func unlessKnown(known bool, err error) error {
	if known {
		return nil
	}
	return err
}

// loadGate asks the database, once for all requests that wait for it.
func (m *Module) loadGate(ctx context.Context, k gateKey) <-chan singleflight.Result {
	round := m.gates.round.Load()
	return m.gates.looks.DoChan(fmt.Sprint(k, round), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), gateTimeout)
		defer cancel()
		var g gate
		err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			g, err = loadGate(ctx, tx, k.post)
			return err
		})
		if err != nil {
			return nil, err
		}
		m.gates.kept.Set(k, cachedGate{g, m.db.Now().Add(gateLife)})
		if m.gates.round.Load() != round {
			m.gates.kept.Invalidate(k)
		}
		return g, nil
	})
}

// IsVideo reports whether a post is a video that is published.
func (m *Module) IsVideo(ctx context.Context, postID int64) (bool, error) {
	g, err := m.gate(ctx, postID)
	return g.Out && g.Type == post.TypeVideo, err
}

// Changed forgets what is kept in memory of posts that another process has changed: the keys of a notice with the
// topic notify.Content, or none for all of them.
func (m *Module) Changed(editionID string, keys ...string) {
	if len(keys) == 0 {
		m.gates.forgetAll()
		m.search.Forget(editionID)
		return
	}
	for _, k := range keys {
		number, ok := strings.CutPrefix(strings.TrimPrefix(k, post.PurgePrefix), post.PostPrefix)
		if id, err := strconv.ParseInt(number, 10, 64); ok && err == nil {
			m.gates.forget(gateKey{editionID, id})
		}
	}
}
