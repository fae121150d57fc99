package logging

import (
	"context"
	"log/slog"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/retention"
)

// Deps is what the module needs; Log may be nil.
type Deps struct {
	DB  *db.DB
	Log *slog.Logger
}

// Module is the logging module.
type Module struct {
	db    *db.DB
	log   *slog.Logger
	notes chan note
	noted *noted
}

// New makes the module.
func New(d Deps) *Module {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Module{db: d.DB, log: d.Log, notes: make(chan note, maxNotes), noted: newNoted()}
}

// Ticks hands the module's repeated work to a worker, as jobs.Worker.Every takes it.
func (m *Module) Ticks(every func(name string, interval time.Duration, fn func(context.Context) error)) {
	every("logging.months", 6*time.Hour, m.Months)
}

// Retentions is how long the module keeps what.
func (m *Module) Retentions() []retention.Rule { return retentions }
