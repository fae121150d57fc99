package render

import (
	"encoding/json"
	"sync"
	"time"
)

const (
	tripAfter = 5 // failures in a row
	tripPause = 30 * time.Second
)

type route struct{ edition, name string }

// trip is the record of a route that fails.
type trip struct {
	failures int
	until    time.Time // paused until then, once failures has reached tripAfter
}

type verdict int

const (
	worked verdict = iota
	failed
	undecided // the caller left, or nothing was rendered
)

// breaker keeps routes that fail time after time from using up the runtimes.
type breaker struct {
	now   func() time.Time
	mu    sync.Mutex
	trips map[route]*trip
}

// pass is the leave to render once.
type pass struct {
	b     *breaker
	route func() route
	trial bool // the one render that decides whether a pause ends
}

// enter lets a render pass unless its route is paused. Finding the route means
// reading the page's data, so it is done only where some route has failed.
func (b *breaker) enter(find func() route) (pass, bool) {
	p := pass{b: b, route: sync.OnceValue(find)}
	b.mu.Lock()
	quiet := len(b.trips) == 0
	b.mu.Unlock()
	if quiet {
		return p, true
	}
	key := p.route()
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.trips[key]
	if t == nil || t.failures < tripAfter {
		return p, true
	}
	now := b.now()
	if now.Before(t.until) {
		return p, false
	}
	t.until = now.Add(tripPause) // for all but this one
	p.trial = true
	return p, true
}

func (p pass) leave(v verdict) {
	b := p.b
	b.mu.Lock()
	quiet := len(b.trips) == 0
	b.mu.Unlock()
	if v != failed && quiet {
		return
	}
	key := p.route()
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.trips[key]
	switch v {
	case worked:
		delete(b.trips, key)
	case undecided:
		if p.trial && t != nil {
			t.until = b.now()
		}
	default:
		if t == nil {
			t = &trip{}
			b.trips[key] = t
		}
		if t.failures++; t.failures >= tripAfter {
			t.until = b.now().Add(tripPause)
		}
	}
}

// routeOf reads the route of a page; pages without one share a record.
func routeOf(pageJSON []byte) string {
	var page struct {
		Route string `json:"route"`
	}
	if json.Unmarshal(pageJSON, &page) != nil {
		return ""
	}
	return page.Route
}
