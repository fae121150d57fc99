package logging

import (
	"context"

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

func deleteOld(ctx context.Context, tx db.Tx) error {
	if _, err := tx.NewRaw("DELETE FROM logging_events WHERE at < ?", tx.Now.Add(-eventsKept)).Exec(ctx); err != nil {
		return err
	}
	_, err := tx.NewRaw("DELETE FROM logging_client_errors WHERE at < ?", tx.Now.Add(-errorsKept)).Exec(ctx)
	return err
}
