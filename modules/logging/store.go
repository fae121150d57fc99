package logging

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
)

func insertEvent(ctx context.Context, tx db.Tx, readerID int64, e Event) error {
	_, err := tx.NewRaw("INSERT INTO logging_events (reader_id, action, meta_value, publish_date, at) VALUES (nullif(?, 0), ?, ?, ?, ?)",
		readerID, e.Action, e.MetaValue, e.PublishDate, tx.Now).Exec(ctx)
	return err
}

func insertError(ctx context.Context, tx db.Tx, e ClientError) error {
	_, err := tx.NewRaw("INSERT INTO logging_client_errors (message, stack, place, path, agent, at) VALUES (?, ?, ?, ?, ?, ?)",
		e.Message, e.Stack, e.Place, e.Path, e.Agent, tx.Now).Exec(ctx)
	return err
}

// makeMonth tells whether the month had no table yet.
func makeMonth(ctx context.Context, tx db.Tx, month time.Time) (made bool, err error) {
	err = tx.NewRaw("SELECT logging_events_month(?::date)", month.Format(time.DateOnly)).Scan(ctx, &made)
	return made, err
}

func listParts(ctx context.Context, tx db.Tx) (names []string, err error) {
	err = tx.NewRaw("SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'logging_events'::regclass ORDER BY 1").Scan(ctx, &names)
	return names, err
}

func dropPart(ctx context.Context, tx db.Tx, name string) error {
	_, err := tx.NewRaw("DROP TABLE ?", bun.Ident(name)).Exec(ctx)
	return err
}

// deleteOld removes what is too old of the tables that stay, and says how much.
func deleteOld(ctx context.Context, tx db.Tx) (events, failures int64, err error) {
	for _, t := range []struct {
		query string
		kept  time.Duration
		n     *int64
	}{
		{"DELETE FROM logging_events WHERE at < ?", eventsKept, &events},
		{"DELETE FROM logging_client_errors WHERE at < ?", errorsKept, &failures},
	} {
		res, err := tx.NewRaw(t.query, tx.Now.Add(-t.kept)).Exec(ctx)
		if err != nil {
			return 0, 0, err
		}
		if *t.n, err = res.RowsAffected(); err != nil {
			return 0, 0, err
		}
	}
	return events, failures, nil
}
