// Package notify tells every process of the paper, at once, that something it may hold a
// copy of has changed: Postgres LISTEN/NOTIFY, sent with the transaction that changed it.
// A message can be lost while a process is disconnected, so listeners drop all their
// copies when the connection was renewed.
package notify

import (
	"context"
	"encoding/json"
	"fmt"

	"example.org/broadsheet/platform/db"
)

// Channel is the one channel of the server.
const Channel = "broadsheet"

// Topics.
const (
	Editions = "editions" // the registry changed; Keys: edition ids
	Content  = "content"  // pages changed; Keys: cache tags
	Reader   = "reader"   // sessions or standing changed; Keys: reader ids
)

// Message is one notice. Edition is "" for the registry's own.
type Message struct {
	Topic   string   `json:"t"`
	Edition string   `json:"e,omitempty"`
	Keys    []string `json:"k,omitempty"`
}

// maxPayload is Postgres' limit for a notice, less some room.
const maxPayload = 7500

// Tell sends a notice with the transaction; it arrives after the commit, or never.
func Tell(ctx context.Context, tx db.Tx, topic string, keys ...string) error {
	m := Message{Topic: topic, Edition: tx.Edition.ID, Keys: keys}
	b, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("notify: %w", err)
	}
	if len(b) > maxPayload { // too many keys to name: everything of the topic changed
		m.Keys = nil
		if b, err = json.Marshal(m); err != nil {
			return fmt.Errorf("notify: %w", err)
		}
	}
	if _, err := tx.NewRaw("SELECT pg_notify(?, ?)", Channel, string(b)).Exec(ctx); err != nil {
		return fmt.Errorf("notify: %w", err)
	}
	return nil
}
