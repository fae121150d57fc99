package logging

import (
	"context"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/web"
)

// What one network may report.
var (
	eventsOfNetwork = limit.Budget{Name: "logging.events", Max: 240, Window: 5 * time.Minute}
	errorsOfNetwork = limit.Budget{Name: "logging.errors", Max: 30, Window: 5 * time.Minute}
)

// Record keeps what a reader did; readerID is the session's, 0 for a visitor.
func (m *Module) Record(ctx context.Context, readerID int64, e Event, network string) error {
	if !actions[e.Action] {
		return web.ErrInvalidArgs.On("action")
	}
	e.MetaValue, e.PublishDate = clean(e.MetaValue, maxMeta), clean(e.PublishDate, maxDate)
	return m.within(ctx, eventsOfNetwork, network, func(ctx context.Context, tx db.Tx) error { return insertEvent(ctx, tx, readerID, e) })
}

// Report keeps a failure in a browser, and puts it into the server's log.
func (m *Module) Report(ctx context.Context, e ClientError, network string) error {
	if e.Message == "" {
		return web.ErrInvalidArgs.On("data")
	}
	if err := m.within(ctx, errorsOfNetwork, network, func(ctx context.Context, tx db.Tx) error { return insertError(ctx, tx, e) }); err != nil {
		return err
	}
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	m.log.WarnContext(ctx, "an error in a browser", "edition", ed.ID, "message", e.Message, "place", e.Place, "path", e.Path, "agent", e.Agent)
	return nil
}

func (m *Module) within(ctx context.Context, b limit.Budget, network string, write func(context.Context, db.Tx) error) error {
	ok := false
	err := m.db.Update(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if ok, err = limit.Spend(ctx, tx, b, network); err != nil || !ok {
			return err
		}
		return write(ctx, tx)
	})
	if err == nil && !ok {
		return web.ErrTooMany
	}
	return err
}

// Prune removes what was kept for long enough.
func (m *Module) Prune(ctx context.Context) error { return m.db.View(ctx, deleteOld) }
