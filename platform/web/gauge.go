package web

import (
	"sync"
	"sync/atomic"
)

// Running counts the requests under way of each edition.
type Running struct {
	limit int64
	n     sync.Map // edition id → *atomic.Int64
}

// NewRunning makes one for at most limit requests of an edition at once.
func NewRunning(limit int64) *Running { return &Running{limit: limit} }

func (g *Running) of(id string) *atomic.Int64 {
	if v, ok := g.n.Load(id); ok {
		return v.(*atomic.Int64)
	}
	v, _ := g.n.LoadOrStore(id, new(atomic.Int64))
	return v.(*atomic.Int64)
}

func (g *Running) enter(id string) bool {
	n := g.of(id)
	if n.Add(1) > g.limit {
		n.Add(-1)
		return false
	}
	return true
}

func (g *Running) leave(id string) { g.of(id).Add(-1) }
