package paywall

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/readerlog"
	"example.org/broadsheet/platform/retention"
)

// Subscriptions is what the paywall asks of billing.
type Subscriptions interface {
	// ActiveUntil is when the reader's paid, promised or tolerated access ends; zero when there is none.
	ActiveUntil(ctx context.Context, readerID int64) (time.Time, error)
}

// Videos is what the paywall asks of content.
type Videos interface {
	// IsVideo reports whether a post is a video that is published.
	IsVideo(ctx context.Context, postID int64) (bool, error)
}

// Deps are what a Module works with; all but Log are required.
type Deps struct {
	DB            *db.DB
	Subscriptions Subscriptions
	Videos        Videos
	// Note takes down what a reader did, and does not wait; nil where nobody does.
	Note readerlog.Note
	Log  *slog.Logger
}

// Module decides about access and keeps the meter.
type Module struct {
	db            *db.DB
	subscriptions Subscriptions
	videos        Videos
	note          readerlog.Note
	log           *slog.Logger
}

// New makes the module.
func New(d Deps) (*Module, error) {
	if d.DB == nil || d.Subscriptions == nil || d.Videos == nil {
		return nil, errors.New("paywall: a dependency is missing")
	}
	if d.Note == nil {
		d.Note = func(context.Context, int64, readerlog.Action, string, string) {}
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Module{db: d.DB, subscriptions: d.Subscriptions, videos: d.Videos, note: d.Note, log: d.Log}, nil
}

// Retentions is how long the module keeps what.
func (m *Module) Retentions() []retention.Rule { return retentions }
