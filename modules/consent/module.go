package consent

import (
	"context"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/retention"
	"example.org/broadsheet/platform/web"
)

// Reminders is what consent asks of billing.
type Reminders interface {
	// DismissReminder notes that a reader has put the notice of the subscription's end aside; false takes it back.
	DismissReminder(ctx context.Context, readerID int64, dismissed bool) error
	// ActiveUntil returns when the reader's access ends; zero if there is none.
	ActiveUntil(ctx context.Context, readerID int64) (time.Time, error)
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

// Retentions is how long the module keeps what.
func (m *Module) Retentions() []retention.Rule { return retentions }
