// Package reconcile compares subscriptions with the payment provider, for what its messages did not tell, and repairs
// what differs.
//
// Open reconcile.go next: it has the three comparisons, and run.go how one that is interrupted goes on. The package
// imports subscription, which does the repairs, and never billing.
package reconcile

import (
	"context"
	"log/slog"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/db"
)

// Deps are what a Service works with; all are required.
type Deps struct {
	DB            *db.DB
	Access        *access.Service
	Subscriptions *subscription.Service
	Provider      *stripe.Accounts
	Log           *slog.Logger
}

// Service compares, and repairs.
type Service struct {
	db            *db.DB
	access        *access.Service
	subscriptions *subscription.Service
	provider      *stripe.Accounts
	log           *slog.Logger
	drift         gauges[DriftStats]
	waits         gauges[Waiting]
	missed        gauges[int]
}

// NewService returns a Service.
func NewService(d Deps) *Service {
	return &Service{db: d.DB, access: d.Access, subscriptions: d.Subscriptions, provider: d.Provider, log: d.Log}
}

// Ticks registers the comparisons, for each edition.
func (s *Service) Ticks(every func(name string, interval time.Duration, fn func(context.Context) error)) {
	every("billing.reconcile", time.Hour, s.Changed)
	every("billing.reconcile_all", time.Hour, s.Nightly)
	every("billing.drift", 5*time.Minute, s.RepairDrift)
}
