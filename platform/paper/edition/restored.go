package edition

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"
)

// restoredKey begins the name of the setting that marks an edition as restored from a backup. A mark of its own, and no
// state: the edition is served, or out of service, as any other.
const restoredKey = "restored:"

// MarkRestored marks an edition as restored from a backup that was taken at an instant: until somebody confirms it,
// workers run none of its periodic jobs. The edition may be added afterwards.
func (r *Registry) MarkRestored(ctx context.Context, id string, taken time.Time) error {
	_, err := r.db.Core().NewRaw(`INSERT INTO settings (key, value) VALUES (?, ?)
		ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
		restoredKey+id, taken.UTC().Format(time.RFC3339)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("edition %s: %w", id, err)
	}
	return nil
}

// ConfirmRestored takes the mark away and tells every process.
func (r *Registry) ConfirmRestored(ctx context.Context, id string) error {
	err := r.db.Core().RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewRaw("DELETE FROM settings WHERE key = ?", restoredKey+id).Exec(ctx); err != nil {
			return err
		}
		return r.db.Notify(ctx, tx, RegistryTopic, "", id)
	})
	if err != nil {
		return fmt.Errorf("edition %s: %w", id, err)
	}
	return r.Load(ctx)
}

// restored are the marks, by edition.
func (r *Registry) restored(ctx context.Context) (map[string]time.Time, error) {
	var rows []struct{ Key, Value string }
	err := r.db.Core().NewRaw("SELECT key, value FROM settings WHERE starts_with(key, ?)", restoredKey).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("editions: %w", err)
	}
	marks := map[string]time.Time{}
	for _, row := range rows {
		id := strings.TrimPrefix(row.Key, restoredKey)
		if marks[id], err = time.Parse(time.RFC3339, row.Value); err != nil {
			return nil, fmt.Errorf("edition %s: the mark of its restore: %w", id, err)
		}
	}
	return marks, nil
}
