package reconcile

import (
	"context"
	"time"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
)

// Bounds of the age of a message that is missed. The provider sends most messages within seconds, and one that was lost
// in an outage says nothing of the present.
const (
	minMissedAge = 30 * time.Minute
	maxMissedAge = 6 * time.Hour
)

// countMissed counts the messages among those of the provider that have not arrived here. The comparison does not need
// them; their absence means that the endpoint at the provider, or its secret, is not the edition's.
func (s *Service) countMissed(ctx context.Context, all []stripe.Event) error {
	return s.missed.update(ctx, s.db, func(ctx context.Context, tx db.Tx) (int, error) {
		var ids []string
		for _, e := range all {
			if age := tx.Now.Sub(e.Created); age >= minMissedAge && age <= maxMissedAge {
				ids = append(ids, e.ID)
			}
		}
		stored, err := countStored(ctx, tx, ids)
		return len(ids) - stored, err
	})
}

// Missed returns, by edition, how many messages of the provider of the last hours have not arrived, as far as this
// process has compared.
func (s *Service) Missed() map[string]int { return s.missed.all() }
