// Package access knows what a reader may read, and until when: subscriptions, trials, access that was given away, and
// what follows from all of them. Here too is the review queue, in which support finds what no program can decide.
//
// Open subscription.go next, then entitlement.go. The package imports stripe and person and nothing else of billing.
package access

import (
	"log/slog"

	"example.org/broadsheet/platform/db"
)

// Service answers what readers may read. It remembers answers for a minute, or until they are forgotten.
type Service struct {
	db    *db.DB
	cache *cache
	log   *slog.Logger
}

// NewService returns a Service that remembers nothing yet.
func NewService(d *db.DB, log *slog.Logger) *Service {
	return &Service{db: d, cache: newCache(), log: log}
}
