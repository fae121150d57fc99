package logging

import (
	"context"
	"strconv"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/readerlog"
	"example.org/broadsheet/platform/web"
)

// What one network may report; how often the same of a reader counts within ten minutes, which a page reports that is
// loaded anew or clicked twice; and how many that are alike of an edition's errors are looked at in an hour.
var (
	eventsOfNetwork = limit.Budget{Name: "logging.events", Max: 240, Window: 5 * time.Minute}
	eventsAlike     = limit.Budget{Name: "logging.alike", Max: 1, Window: 10 * time.Minute}
	errorsAlike     = limit.Budget{Name: "logging.errors.alike", Max: 20, Window: time.Hour}
	errorsOfNetwork = limit.Budget{Name: "logging.errors", Max: 30, Window: 5 * time.Minute}
)

// Record keeps what a reader did; readerID is the session's, 0 for a visitor.
func (m *Module) Record(ctx context.Context, readerID int64, e Event, network string) error {
	if _, ok := readerlog.Parse(e.Action); !ok {
		return web.ErrInvalidArgs.On("action")
	}
	e.MetaValue, e.PublishDate = clean(e.MetaValue, maxMeta), clean(e.PublishDate, maxDate)
	who := network
	if readerID != 0 {
		who = strconv.FormatInt(readerID, 10)
	}
	return m.within(ctx, eventsOfNetwork, network, func(ctx context.Context, tx db.Tx) error {
		return record(ctx, tx, who, readerID, e)
	})
}

// Report keeps a failure in a browser, and puts it into the server's log.
func (m *Module) Report(ctx context.Context, e ClientError, network string) error {
	if e.Message == "" {
		return web.ErrInvalidArgs.On("data")
	}
	few := false
	err := m.within(ctx, errorsOfNetwork, network, func(ctx context.Context, tx db.Tx) (err error) {
		if few, err = limit.Spend(ctx, tx, errorsAlike, e.Message+"\x00"+e.Place); err != nil || !few {
			return err
		}
		return insertError(ctx, tx, e)
	})
	if err != nil || !few {
		return err
	}
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	m.log.WarnContext(ctx, "an error in a browser", "edition", ed.ID, "message", e.Message, "place", e.Place, "path",
		e.Path, "agent", e.Agent)
	return nil
}

// within writes what a network's budget has room for. There is no transaction: many report the same at once, and would
// wait for each other.
func (m *Module) within(ctx context.Context, b limit.Budget, network string,
	write func(context.Context, db.Tx) error,
) error {
	ok := false
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
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
