package consent

import (
	"context"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/web"
)

// Reminders is what consent asks of billing.
type Reminders interface {
	// DismissReminder notes that a reader has put the notice of the subscription's end aside; false takes it back.
	DismissReminder(ctx context.Context, readerID int64, dismissed bool) error
}

// Pages is what consent asks of content.
type Pages interface {
	// PageText returns title and sanitised HTML of a page of the edition.
	PageText(ctx context.Context, slug string) (title, html string, err error)
}

// Deps is what the module needs; all are required.
type Deps struct {
	DB        *db.DB
	Cookies   web.Cookies
	Reminders Reminders
	Pages     Pages
}

// Module is the consent module.
type Module struct {
	db        *db.DB
	cookies   web.Cookies
	reminders Reminders
	pages     Pages
}

// New makes the module.
func New(d Deps) *Module {
	return &Module{db: d.DB, cookies: d.Cookies, reminders: d.Reminders, pages: d.Pages}
}

// Ticks hands the module's repeated work to a worker, as jobs.Worker.Every takes it.
func (m *Module) Ticks(every func(name string, interval time.Duration, fn func(context.Context) error)) {
	every("consent.prune", 24*time.Hour, m.Prune)
}
