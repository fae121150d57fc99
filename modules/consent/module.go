package consent

import (
	"context"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/web"
)

// Deps is what the module needs.
type Deps struct {
	DB      *db.DB
	Cookies web.Cookies
}

// Module is the consent module.
type Module struct {
	db      *db.DB
	cookies web.Cookies
}

// New makes the module.
func New(d Deps) *Module { return &Module{db: d.DB, cookies: d.Cookies} }

// Ticks hands the module's repeated work to a worker, as jobs.Worker.Every takes it.
func (m *Module) Ticks(every func(name string, interval time.Duration, fn func(context.Context) error)) {
	every("consent.prune", 24*time.Hour, m.Prune)
}
