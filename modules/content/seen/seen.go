// Package seen counts what counts only so often on one day: a reader's views of a post, a network's searches for a
// term. All of it is in memory alone, and gone after a day. It imports nothing of modules/content.
package seen

import (
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
)

const (
	remembered = 100_000 // keys
	memory     = 24 * time.Hour
)

// Counter counts by key. Keys hold the day.
type Counter[K comparable] struct {
	counts *otter.Cache[K, *atomic.Int32]
}

// New makes a counter that has seen nothing.
func New[K comparable]() *Counter[K] {
	return &Counter[K]{otter.Must(&otter.Options[K, *atomic.Int32]{
		MaximumSize:      remembered,
		ExpiryCalculator: otter.ExpiryCreating[K, *atomic.Int32](memory),
	})}
}

// Within counts one more of a key, and reports whether there are at most so many.
func (c *Counter[K]) Within(k K, most int32) bool {
	n, _ := c.counts.ComputeIfAbsent(k, func() (*atomic.Int32, bool) { return new(atomic.Int32), false })
	return n.Add(1) <= most
}
