package billing

import (
	"context"
	"maps"
	"sync"

	"example.org/broadsheet/platform/db"
)

// measured remembers what was counted last in each edition, for who watches the process.
type measured[T any] struct {
	mu   sync.Mutex
	last map[string]T
}

// measure counts once more in the edition of ctx.
func (m *measured[T]) measure(ctx context.Context, d *db.DB, count func(context.Context, db.Tx) (T, error)) error {
	return d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
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
}

// all is what was counted last, by edition.
func (m *measured[T]) all() map[string]T {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.last)
}
