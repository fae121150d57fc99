package paywall

import (
	"context"
	"errors"
	"time"

	"example.org/broadsheet/platform/db"
)

// Subscriptions is what the paywall asks of billing.
type Subscriptions interface {
	// ActiveUntil is when the reader's paid, promised or tolerated access ends; zero when there is none.
	ActiveUntil(ctx context.Context, readerID int64) (time.Time, error)
}

// Deps are what a Module works with; all are required.
type Deps struct {
	DB            *db.DB
	Subscriptions Subscriptions
}

// Module decides about access and keeps the meter.
type Module struct {
	db            *db.DB
	subscriptions Subscriptions
}

// New makes the module.
func New(d Deps) (*Module, error) {
	if d.DB == nil || d.Subscriptions == nil {
		return nil, errors.New("paywall: a dependency is missing")
	}
	return &Module{db: d.DB, subscriptions: d.Subscriptions}, nil
}
