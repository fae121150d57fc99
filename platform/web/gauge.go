package web

import (
	"sync"
	"sync/atomic"
)

// gauge counts what is under way, by edition.
type gauge struct {
	limit int64
	n     sync.Map // edition id → *atomic.Int64
}

func newGauge(limit int64) *gauge { return &gauge{limit: limit} }

func (g *gauge) of(id string) *atomic.Int64 {
	if v, ok := g.n.Load(id); ok {
		return v.(*atomic.Int64)
	}
	v, _ := g.n.LoadOrStore(id, new(atomic.Int64))
	return v.(*atomic.Int64)
}

func (g *gauge) enter(id string) bool {
	n := g.of(id)
	if n.Add(1) > g.limit {
		n.Add(-1)
		return false
	}
	return true
}

func (g *gauge) leave(id string) { g.of(id).Add(-1) }
