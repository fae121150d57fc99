// Package devstate stores the state of a running `dev` in its database, for commands beside it: its addresses, and how
// far its clock is ahead. Start at Store and Load.
package devstate

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
)

// State is that of a running `dev`. The zero value is that of none.
type State struct {
	PublicURL  string        // template of the editions' addresses, with {host}
	SandboxURL string        // API of the payment sandbox
	Ahead      time.Duration // by which its clock is ahead of the machine's
}

// Settings that hold the parts.
const (
	publicURL  = "public_url"
	sandboxURL = "stripe_api_base"
	clockAhead = "clock_ahead"
)

// Store replaces what is there.
func Store(ctx context.Context, d *db.DB, s State) error {
	_, err := d.Core().NewRaw(`INSERT INTO settings (key, value) VALUES (?, ?), (?, ?), (?, ?)
		ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
		publicURL, s.PublicURL, sandboxURL, s.SandboxURL, clockAhead, s.Ahead.String()).Exec(ctx)
	return err
}

// Load returns what a `dev` has stored; the zero value where none has.
func Load(ctx context.Context, d *db.DB) (s State, err error) {
	var rows []struct{ Key, Value string }
	err = d.Core().NewRaw("SELECT key, value FROM settings WHERE key IN (?)", parts()).Scan(ctx, &rows)
	if err != nil {
		return State{}, err
	}
	for _, r := range rows {
		switch r.Key {
		case publicURL:
			s.PublicURL = r.Value
		case sandboxURL:
			s.SandboxURL = r.Value
		case clockAhead:
			if s.Ahead, err = time.ParseDuration(r.Value); err != nil {
				return State{}, fmt.Errorf("core.settings, %s: %w", clockAhead, err)
			}
		}
	}
	return s, nil
}

// Remove is for a `dev` that ends, and for whoever finds that one was killed.
func Remove(ctx context.Context, d *db.DB) error {
	_, err := d.Core().NewRaw("DELETE FROM settings WHERE key IN (?)", parts()).Exec(ctx)
	return err
}

func parts() any { return bun.List([]string{publicURL, sandboxURL, clockAhead}) }
