package reconcile

import (
	"context"
	"maps"
	"sync"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// gauges remembers what was counted last in each edition, for the metrics of the process.
type gauges[T any] struct {
	mu   sync.Mutex
	last map[string]T
}

// update counts once more in the edition of ctx. If it cannot, the edition has no count.
func (m *gauges[T]) update(ctx context.Context, d *db.DB, count func(context.Context, db.Tx) (T, error)) error {
	err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		now, err := count(ctx, tx)
		if err != nil {
			return err
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.last == nil {
			m.last = map[string]T{}
		}
		m.last[tx.Edition.ID] = now
		return nil
	})
	if err != nil {
		m.forget(ctx)
	}
	return err
}

// forget notes that the count of the edition of ctx is not known.
func (m *gauges[T]) forget(ctx context.Context) {
	if ed, err := edition.From(ctx); err == nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.last, ed.ID)
	}
}

// all is what was counted last, by edition.
func (m *gauges[T]) all() map[string]T {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.last)
}
