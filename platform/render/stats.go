package render

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// Stats counts since the start, except for Idle and Waiting, which are of now.
type Stats struct {
	Renders  uint64 // pages rendered or tried
	Failures uint64 // of these: exceptions and engine errors
	Timeouts uint64 // of these: stopped by the limit or by the caller
	Busy     uint64 // calls that waited in vain for a runtime
	Paused   uint64 // calls refused by the circuit breaker
	Recycled uint64 // runtimes replaced
	Time     time.Duration
	Size     int // runtimes
	Idle     int
	Waiting  int
}

type counters struct {
	renders, failures, timeouts, busy, paused, recycled atomic.Uint64
	nanos, waiting                                      atomic.Int64
}

func (c *counters) add(d time.Duration, err error) {
	c.renders.Add(1)
	c.nanos.Add(int64(d))
	switch {
	case err == nil:
	case errors.Is(err, ErrTimeout), errors.Is(err, context.Canceled):
		c.timeouts.Add(1)
	default:
		c.failures.Add(1)
	}
}

// Stats returns the counters.
func (r *Renderer) Stats() Stats {
	return Stats{
		Renders:  r.count.renders.Load(),
		Failures: r.count.failures.Load(),
		Timeouts: r.count.timeouts.Load(),
		Busy:     r.count.busy.Load(),
		Paused:   r.count.paused.Load(),
		Recycled: r.count.recycled.Load(),
		Time:     time.Duration(r.count.nanos.Load()),
		Size:     r.cfg.Size,
		Idle:     len(r.idle),
		Waiting:  int(r.count.waiting.Load()),
	}
}
