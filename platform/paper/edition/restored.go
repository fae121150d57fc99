package edition

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"
)

// restoredKey begins the name of the setting that marks an edition as restored from a backup. A mark of its own, and no
// state: the edition is served, or out of service, as any other.
const restoredKey = "restored:"

// restoringKey begins the name of the setting that marks an edition whose restore has started and not ended. It
// becomes restoredKey with the end.
const restoringKey = "restoring:"

// ErrRestoring means that what there is of an edition is a part of a backup.
var ErrRestoring = errors.New("its restore was begun and has not ended: repeat `broadsheet restore`, or remove what " +
	"is there by `broadsheet edition remove ID --drop --yes`")

// BeginRestore makes roles and schema of an edition that is to be filled from a backup that was taken at an instant,
// and marks it: until EndRestore or DropRestore it cannot be added.
func (r *Registry) BeginRestore(ctx context.Context, id string, taken time.Time) error {
	return r.locked(ctx, func() error {
		before, err := r.find(ctx, id)
		if err != nil {
			return err
		}
		if before != nil {
			return errors.New("it is in the registry already")
		}
		return r.db.Core().RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			_, err := tx.NewRaw("INSERT INTO settings (key, value) VALUES (?, ?)", restoringKey+id,
				taken.UTC().Format(time.RFC3339)).Exec(ctx)
			if err != nil {
				return err
			}
			return r.db.Provision(ctx, tx, id)
		})
	})
}

// EndRestore puts an edition into service whose schema is filled, and marks it as restored from the backup: until
// somebody confirms it, workers run none of its periodic jobs.
func (r *Registry) EndRestore(ctx context.Context, id, document string) (*Edition, error) {
	return r.bring(ctx, id, []byte(document), func(ctx context.Context, doc *Document, text []byte) error {
		return r.add(ctx, r.live(doc, text), doc, nil)
	})
}

// markRestored makes the mark of an edition that is being restored that of one that is. It does nothing to others.
func markRestored(ctx context.Context, tx bun.IDB, id string) error {
	_, err := tx.NewRaw(`WITH begun AS (DELETE FROM settings WHERE key = ?0 RETURNING value)
		INSERT INTO settings (key, value) SELECT ?1, value FROM begun
		ON CONFLICT (key) DO UPDATE SET value = excluded.value`, restoringKey+id, restoredKey+id).Exec(ctx)
	return err
}

// DropRestore removes what a restore has made of an edition and not completed, and reports whether there
// was anything.
func (r *Registry) DropRestore(ctx context.Context, id string) (dropped bool, err error) {
	err = r.locked(ctx, func() error {
		restoring, err := r.Restoring(ctx)
		if err != nil || !slices.Contains(restoring, id) {
			return err
		}
		dropped = true
		return r.db.Core().RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			if err := r.db.Deprovision(ctx, tx, id); err != nil {
				return err
			}
			return forget(ctx, tx, id)
		})
	})
	if err != nil {
		return false, fmt.Errorf("edition %s: what its restore has left: %w", id, err)
	}
	return dropped, nil
}

// Restoring lists the editions whose restore has started and not ended: it goes on, or was stopped.
func (r *Registry) Restoring(ctx context.Context) ([]string, error) {
	marks, err := r.marks(ctx, restoringKey)
	return slices.Sorted(maps.Keys(marks)), err
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

// marks are the times that the settings of a kind give for editions, by edition.
func (r *Registry) marks(ctx context.Context, kind string) (map[string]time.Time, error) {
	var rows []struct{ Key, Value string }
	err := r.db.Core().NewRaw("SELECT key, value FROM settings WHERE starts_with(key, ?)", kind).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("editions: %w", err)
	}
	marks := map[string]time.Time{}
	for _, row := range rows {
		id := strings.TrimPrefix(row.Key, kind)
		if marks[id], err = time.Parse(time.RFC3339, row.Value); err != nil {
			return nil, fmt.Errorf("edition %s: the mark of its restore: %w", id, err)
		}
	}
	return marks, nil
}
