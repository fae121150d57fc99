package db

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/uptrace/bun"
)

// Channel is the one NOTIFY channel of the server.
const Channel = "broadsheet"

// Notice is what travels on Channel. Edition is "" for the registry's own.
type Notice struct {
	Topic   string   `json:"t"`
	Edition string   `json:"e,omitempty"`
	Keys    []string `json:"k,omitempty"`
}

// maxNotice is Postgres' limit for a notice, less some room.
const maxNotice = 7500

// Notify sends a notice with the transaction; it arrives after the commit, or never.
func (d *DB) Notify(ctx context.Context, tx bun.IDB, topic, editionID string, keys ...string) error {
	return SendNotice(ctx, tx, Notice{Topic: topic, Edition: editionID, Keys: keys})
}

// SendNotice is Notify for whoever holds a transaction only.
func SendNotice(ctx context.Context, tx bun.IDB, n Notice) error {
	text, err := n.Text()
	if err != nil {
		return err
	}
	if _, err := tx.NewRaw("SELECT pg_notify(?, ?)", Channel, text).Exec(ctx); err != nil {
		return fmt.Errorf("notify: %w", err)
	}
	return nil
}

// Text is the notice as it travels.
func (n Notice) Text() (string, error) {
	b, err := json.Marshal(n)
	if err == nil && len(b) > maxNotice { // too many keys to name: everything of the topic changed
		n.Keys = nil
		b, err = json.Marshal(n)
	}
	if err != nil {
		return "", fmt.Errorf("notify: %w", err)
	}
	return string(b), nil
}
