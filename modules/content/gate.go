package content

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/maypok86/otter/v2"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
)

// gateLife is how long the facts of a gate are trusted without word of a change.
const gateLife = 10 * time.Second

type gateKey struct {
	edition string
	post    int64
}

// gate is what must be known of a post before a reader is let in. It is kept in memory, because it is asked for by
// every request. One that still says "open" of a post that was just locked gives the page of the tier that may not
// read locked text, so that being late never shows too much.
type gate struct {
	Type   Type
	Locked bool
	Out    bool // published, and its time has come

	Published time.Time
}

func (m *Module) gate(ctx context.Context, id int64) (gate, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return gate{}, err
	}
	return m.gates.Get(ctx, gateKey{ed.ID, id}, otter.LoaderFunc[gateKey, gate](func(ctx context.Context, k gateKey) (g gate, err error) {
		err = m.db.View(ctx, func(ctx context.Context, tx db.Tx) error { g, err = loadGate(ctx, tx, k.post); return err })
		return g, err
	}))
}

// IsVideo tells whether a post is a video that is published.
func (m *Module) IsVideo(ctx context.Context, postID int64) (bool, error) {
	g, err := m.gate(ctx, postID)
	return g.Out && g.Type == TypeVideo, err
}

// Changed forgets what is kept in memory of posts that another process has changed: the keys of a notice with the
// topic notify.Content, or none for all of them.
func (m *Module) Changed(editionID string, keys ...string) {
	if len(keys) == 0 {
		m.gates.InvalidateAll()
		m.writers.Invalidate(editionID)
		return
	}
	for _, k := range keys {
		number, ok := strings.CutPrefix(strings.TrimPrefix(k, purgePrefix), postPrefix)
		if id, err := strconv.ParseInt(number, 10, 64); ok && err == nil {
			m.gates.Invalidate(gateKey{editionID, id})
		}
	}
}
