// Package outbox writes facts and work in the caller's transaction: what is told happens
// if and only if the transaction commits. The relay (platform/jobs) carries the rows to the
// queue; a row's done_at, not the queue, says whether the work was done. A notice wakes
// it for what is due soon; the rest it finds when it looks by itself.
package outbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/paper/event"
)

// Tell records one fact, delivered to every listener at least once.
func Tell[P any](ctx context.Context, tx db.Tx, name event.Name[P], payload P) error {
	return put(ctx, tx, string(name), payload, tx.Now, "")
}

// TellAll is Tell for many facts of one kind, in one statement.
func TellAll[P any](ctx context.Context, tx db.Tx, name event.Name[P], payloads []P) error {
	if len(payloads) == 0 {
		return nil
	}
	return insert(ctx, tx, string(name), payloads, tx.Now, `INSERT INTO outbox (event, payload, created_at, due_at,
		next_at) SELECT ?0, value, ?2, ?3, ?3 FROM jsonb_array_elements(?1::jsonb) WITH ORDINALITY ORDER BY ordinality`)
}

// Later records a fact that falls due at a time.
func Later[P any](ctx context.Context, tx db.Tx, name event.Name[P], payload P, due time.Time) error {
	return put(ctx, tx, string(name), payload, due, "")
}

// Once is Tell for a fact with a key: a second row with the same key is not written.
func Once[P any](ctx context.Context, tx db.Tx, name event.Name[P], payload P, key string) error {
	return put(ctx, tx, string(name), payload, tx.Now, key)
}

// LaterOnce is Later for a fact with a key, as in Once.
func LaterOnce[P any](ctx context.Context, tx db.Tx, name event.Name[P], payload P, due time.Time, key string) error {
	return put(ctx, tx, string(name), payload, due, key)
}

func put(ctx context.Context, tx db.Tx, name string, payload any, due time.Time, key string) error {
	return insert(ctx, tx, name, payload, due, `INSERT INTO outbox (event, payload, created_at, due_at, next_at,
		dedupe_key) VALUES (?0, ?1::jsonb, ?2, ?3, ?3, nullif(?4, '')) ON CONFLICT (dedupe_key) DO NOTHING`, key)
}

// soon is how far ahead of its time a row is announced. The relay looks by itself more often than that.
const soon = time.Minute

// insert runs a statement that writes rows, with the name, the payload, now, the time they are due, and more arguments.
// What is due soon is announced with the transaction.
func insert(
	ctx context.Context, tx db.Tx, name string, payload any, due time.Time, statement string, more ...any,
) error {
	b, err := json.Marshal(payload)
	if err != nil {
		return fmt.Errorf("outbox %s: %w", name, err)
	}
	args := append([]any{name, string(b), tx.Now, due}, more...)
	if due.Sub(tx.Now) <= soon {
		notice, err := db.Notice{Topic: notify.Outbox, Edition: tx.Edition.ID}.Text()
		if err != nil {
			return err
		}
		statement = fmt.Sprintf("WITH x AS (%s RETURNING 1) SELECT pg_notify(?%d, ?%d) WHERE EXISTS (SELECT FROM x)",
			statement, len(args), len(args)+1)
		args = append(args, db.Channel, notice)
	}
	if _, err := tx.NewRaw(statement, args...).Exec(ctx); err != nil {
		return fmt.Errorf("outbox %s: %w", name, err)
	}
	return nil
}
