// Package clock is the one source of "now". In `dev` it can be moved forward, so
// that a trial's end or a renewal can be seen without waiting for it.
package clock

import (
	"sync/atomic"
	"time"
)

// Clock tells the time. The zero value tells the machine's.
type Clock struct {
	offset  atomic.Int64
	stopped atomic.Int64 // the instant at which it stands, in nanoseconds since 1970; 0: it runs
}

// step is how far this process takes the machine's clock to be off.
var step atomic.Int64

// Step makes every clock of this process run d ahead of the machine's, or behind it, as if the machine's had been set.
// It is for tests: no command calls it.
func Step(d time.Duration) { step.Store(int64(d)) }

// Now returns the current instant in UTC.
func (c *Clock) Now() time.Time {
	if at := c.stopped.Load(); at != 0 {
		return time.Unix(0, at).UTC()
	}
	return time.Now().Add(time.Duration(c.offset.Load() + step.Load())).UTC()
}

// Advance moves the clock forward by d and returns the new time. A negative d is ignored:
// time that went backwards would break every "due since" query.
func (c *Clock) Advance(d time.Duration) time.Time {
	switch {
	case d <= 0:
	case c.stopped.Load() != 0:
		c.stopped.Add(int64(d))
	default:
		c.offset.Add(int64(d))
	}
	return c.Now()
}

// Stop makes the clock stand at an instant, until it is advanced or stopped at another one. It is for tests that are to
// see the same times whenever they run, and however fast.
func (c *Clock) Stop(at time.Time) { c.stopped.Store(at.UnixNano()) }

// Offset is how far the clock is ahead of the machine's.
func (c *Clock) Offset() time.Duration { return time.Duration(c.offset.Load()) }
