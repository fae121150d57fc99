// Package lazytimeout is context.WithTimeout for what is answered from memory nearly always: its timer is made when
// somebody first waits for the context. It imports nothing of this repository.
package lazytimeout

import (
	"context"
	"sync"
	"time"
)

// New returns a context that ends after a time, with the parent, or by the function, whichever comes first. The
// function must be called, as that of context.WithTimeout must.
func New(parent context.Context, after time.Duration) (context.Context, context.CancelFunc) {
	c := &lazy{Context: parent, until: time.Now().Add(after)}
	return c, c.end
}

type lazy struct {
	context.Context // the parent
	until           time.Time

	mu     sync.Mutex
	made   context.Context //nolint:containedctx // it is this one
	cancel context.CancelFunc
	ended  bool
}

func (c *lazy) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.cancel != nil {
		c.cancel()
	}
}

func (c *lazy) make() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made == nil {
		c.made, c.cancel = context.WithDeadline(c.Context, c.until)
		if c.ended {
			c.cancel()
		}
	}
	return c.made
}

// Deadline implements context.Context.
func (c *lazy) Deadline() (time.Time, bool) { return c.make().Deadline() }

// Done implements context.Context.
func (c *lazy) Done() <-chan struct{} { return c.make().Done() }

// Err implements context.Context.
func (c *lazy) Err() error { return c.make().Err() }

// Value implements context.Context. Once made, the real context answers, so that a derived one finds what ends it.
func (c *lazy) Value(key any) any {
	c.mu.Lock()
	made := c.made
	c.mu.Unlock()
	if made != nil {
		return made.Value(key)
	}
	return c.Context.Value(key)
}
