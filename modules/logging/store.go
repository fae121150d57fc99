package logging

import (
	"context"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/retention"
)

func insertEvent(ctx context.Context, tx db.Tx, readerID int64, e Event) error {
	_, err := tx.NewRaw("INSERT INTO logging_events (reader_id, action, meta_value, publish_date, at) VALUES (nullif(?, "+
		"0), ?, ?, ?, ?)",
		readerID, e.Action, e.MetaValue, e.PublishDate, tx.Now).Exec(ctx)
	return err
}

func insertError(ctx context.Context, tx db.Tx, e ClientError) error {
	_, err := tx.NewRaw("INSERT INTO logging_client_errors (message, stack, place, path, agent, at) VALUES (?, ?, ?, ?, "+
		"?, ?)",
		e.Message, e.Stack, e.Place, e.Path, e.Agent, tx.Now).Exec(ctx)
	return err
}

// makeMonth reports whether the month had no table yet.
func makeMonth(ctx context.Context, tx db.Tx, month time.Time) (made bool, err error) {
	err = tx.NewRaw("SELECT logging_events_month(?::date)", month.Format(time.DateOnly)).Scan(ctx, &made)
	return made, err
}

func listParts(ctx context.Context, tx db.Tx) (names []string, err error) {
	err = tx.NewRaw("SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = "+
		"'logging_events'::regclass ORDER BY 1").Scan(ctx, &names)
	return names, err
}

// dropMonth returns how many rows went with the table of a month.
func dropMonth(ctx context.Context, tx db.Tx, month time.Time) (n int64, err error) {
	err = tx.NewRaw("SELECT logging_events_drop(?::date)", month.Format(time.DateOnly)).Scan(ctx, &n)
	return n, err
}

// retentions is how long this module keeps what.
var retentions = []retention.Rule{
	{
		Name: "logging_events", Rows: "what browsers report that readers did", Kept: eventsKept, Where: "x.at < ?0",
		Key: "id", Wholesale: dropMonths,
	},
	{Name: "logging_client_errors", Rows: "what went wrong in browsers", Kept: errorsKept, Where: "x.at < ?0"},
}
