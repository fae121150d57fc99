package edition

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"
)

// Status is one line of the registry, served or not.
type Status struct {
	ID        string
	State     string // pending, live, failed, disabled
	Error     string // of the last migration
	Hosts     []string
	AppliedAt time.Time

	RestoredFrom time.Time // when the backup was taken from which it came back; zero if that is confirmed
}

// List tells the state of every edition that was ever added and not dropped.
func (r *Registry) List(ctx context.Context) ([]Status, error) {
	var rows []row
	if err := r.db.Core().NewSelect().Model(&rows).Order("id").Scan(ctx); err != nil {
		return nil, fmt.Errorf("editions: %w", err)
	}
	var hosts []struct{ Host, EditionID string }
	if err := r.db.Core().NewRaw("SELECT host, edition_id FROM edition_hosts ORDER BY host").
		Scan(ctx, &hosts); err != nil {
		return nil, fmt.Errorf("editions: %w", err)
	}
	marks, err := r.marks(ctx, restoredKey)
	if err != nil {
		return nil, err
	}
	out := make([]Status, 0, len(rows))
	for _, row := range rows {
		s := Status{
			ID: row.ID, State: row.State, Error: row.Error, AppliedAt: row.AppliedAt, RestoredFrom: marks[row.ID],
		}
		for _, h := range hosts {
			if h.EditionID == row.ID {
				s.Hosts = append(s.Hosts, h.Host)
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// Text is the document of an edition as it was applied; ErrUnknown where there is none.
func (r *Registry) Text(ctx context.Context, id string) (string, error) {
	found, err := r.find(ctx, id)
	if err != nil {
		return "", err
	}
	if found == nil {
		return "", ErrUnknown
	}
	return found.Document, nil
}

// ErrUnknown means that the registry has no such edition.
var ErrUnknown = errors.New("there is no such edition")

// DropAfter is for how long an edition has to be out of service before its data may go: who has mistaken it, or still
// needs its books, has that long to notice.
const DropAfter = 30 * 24 * time.Hour

// ErrHeld means that an edition's data may not go yet.
var ErrHeld = errors.New("its data may go when it has been out of service for 30 days")

// Remove takes an edition out of service and frees its hosts; its data stays, and Apply brings it back.
func (r *Registry) Remove(ctx context.Context, id string) error {
	return r.remove(ctx, id, func(*row) error { return r.disable(ctx, id) })
}

// Drop removes schema, role and row of an edition for good, with all that was sold and written there. It is ErrHeld
// until the edition has been out of service for DropAfter, unless it is to go at once. What a restore has left that was
// stopped goes at once.
func (r *Registry) Drop(ctx context.Context, id string, atOnce bool) error {
	if dropped, err := r.DropRestore(ctx, id); dropped || err != nil {
		return err
	}
	return r.remove(ctx, id, func(before *row) error {
		if out := before.DisabledAt; !atOnce && (out.IsZero() || r.db.Now().Sub(out.Time) < DropAfter) {
			return ErrHeld
		}
		// Out of service first: a process that still worked there would hold up the drop.
		if err := r.disable(ctx, id); err != nil {
			return err
		}
		return r.db.Core().RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			if err := r.db.Deprovision(ctx, tx, id); err != nil {
				return err
			}
			return forget(ctx, tx, id)
		})
	})
}

// forget deletes all that the registry has of an edition.
func forget(ctx context.Context, tx bun.IDB, id string) error {
	if _, err := tx.NewDelete().Model((*row)(nil)).Where("id = ?", id).Exec(ctx); err != nil {
		return err
	}
	_, err := tx.NewRaw("DELETE FROM settings WHERE key IN (?, ?)", restoredKey+id, restoringKey+id).Exec(ctx)
	return err
}

// remove has an edition that there is removed in some way.
func (r *Registry) remove(ctx context.Context, id string, how func(*row) error) error {
	err := r.locked(ctx, func() error {
		before, err := r.find(ctx, id)
		switch {
		case err != nil:
			return err
		case before == nil:
			return ErrUnknown
		}
		return how(before)
	})
	if err != nil {
		return fmt.Errorf("edition %s: %w", id, err)
	}
	return r.Load(ctx)
}

func (r *Registry) disable(ctx context.Context, id string) error {
	return r.db.Core().RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewRaw("UPDATE editions SET state = ?, disabled_at = coalesce(disabled_at, ?) WHERE id = ?",
			stateDisabled, r.db.Now(), id).Exec(ctx); err != nil {
			return err
		}
		if _, err := tx.NewRaw("DELETE FROM edition_hosts WHERE edition_id = ?", id).Exec(ctx); err != nil {
			return err
		}
		return r.db.Notify(ctx, tx, RegistryTopic, "", id)
	})
}

// RenewLogins gives the login role of every edition, also of those out of service, the password that the present secret
// has for it: all of them, or none if another paper on the server uses one with another password.
func (r *Registry) RenewLogins(ctx context.Context) error {
	return r.locked(ctx, func() error {
		list, err := r.List(ctx)
		if err != nil {
			return err
		}
		var ids []string
		for _, s := range list {
			ids = append(ids, s.ID)
		}
		return r.db.Core().RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			if err := r.db.RolesFree(ctx, tx, ids...); err != nil {
				return err
			}
			for _, id := range ids {
				if err := r.db.Provision(ctx, tx, id); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// MigrateAll brings the schemas of all editions up to date. One that fails is recorded as failed and stays on its old
// schema; the others go on. The error names every edition that failed. It calls tell, which may be nil, with how many
// are done. A run that was stopped is completed by the next.
func (r *Registry) MigrateAll(ctx context.Context, tell func(done, all int)) error {
	list, err := r.List(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for i, s := range list {
		if ctx.Err() != nil {
			return errors.Join(append(errs, ctx.Err())...)
		}
		if tell != nil {
			tell(i, len(list))
		}
		if s.State != stateLive && s.State != stateFailed {
			continue
		}
		state, text := stateLive, ""
		if err := r.db.Migrate(ctx, s.ID); ctx.Err() != nil {
			continue // it did not fail: it was stopped
		} else if err != nil {
			state, text = stateFailed, err.Error()
			errs = append(errs, err)
		}
		if state == s.State && text == s.Error {
			continue
		}
		_, err := r.db.Core().NewRaw("UPDATE editions SET state = ?, error = ? WHERE id = ? AND state IN (?, ?)",
			state, text, s.ID, stateLive, stateFailed).Exec(ctx)
		errs = append(errs, err)
	}
	if tell != nil {
		tell(len(list), len(list))
	}
	return errors.Join(errs...)
}
