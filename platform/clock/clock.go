// Package clock is the one source of "now". In `dev` it can be moved forward, so
// that a trial's end or a renewal can be seen without waiting for it.
package clock

import (
	"sync/atomic"
	"time"
)

// Clock tells the time. The zero value tells the machine's.
type Clock struct{ offset atomic.Int64 }

// Now returns the current instant in UTC.
func (c *Clock) Now() time.Time {
	return time.Now().Add(time.Duration(c.offset.Load())).UTC()
}

// Advance moves the clock forward by d and returns the new time. A negative d is ignored:
// time that went backwards would break every "due since" query.
func (c *Clock) Advance(d time.Duration) time.Time {
	if d > 0 {
		c.offset.Add(int64(d))
	}
	return c.Now()
}

// Offset is how far the clock is ahead of the machine's.
func (c *Clock) Offset() time.Duration { return time.Duration(c.offset.Load()) }
