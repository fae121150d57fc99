package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/paper/edition"
)

// Restore brings editions of a backup back whose files Read has found whole, and returns their ids. It leaves those as
// they are that came back from the same backup before and wait for somebody to confirm it; no other may be in the
// registry. Each comes back wholly or not at all, is compared with the manifest, and is marked: what was to be done at
// the time of the backup waits until somebody confirms it. What an earlier run has left that was stopped is removed
// first, even if it was killed.
func Restore(ctx context.Context, s Source, dir string, m *Manifest, ids []string) (restored []string, err error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	parts, err := s.missing(ctx, m, ids)
	if err != nil {
		return nil, err
	}
	for i, p := range parts {
		s.tell("editions", i, len(parts))
		if err := s.restore(ctx, dir, m, p); err != nil {
			return restored, fmt.Errorf("edition %s: %w", p.ID, err)
		}
		restored = append(restored, p.ID)
	}
	s.tell("editions", len(parts), len(parts))
	return restored, nil
}

// missing lists the editions of the backup that are to come back and have not yet. It returns an error if one of them
// is there from elsewhere, or has a login of another paper.
func (s Source) missing(ctx context.Context, m *Manifest, ids []string) (parts []Part, err error) {
	there, err := s.Registry.List(ctx)
	if err != nil {
		return nil, err
	}
	restoring, err := s.Registry.Restoring(ctx)
	if err != nil {
		return nil, err
	}
	missing := make([]string, 0, len(ids))
	for _, id := range ids {
		i := slices.IndexFunc(m.Editions, func(p Part) bool { return p.ID == id })
		if i < 0 {
			return nil, fmt.Errorf("the backup has no edition %q", id)
		}
		is := slices.IndexFunc(there, func(st edition.Status) bool { return st.ID == id })
		if is >= 0 && !slices.Contains(restoring, id) {
			if from := there[is].RestoredFrom; !from.IsZero() && from.Equal(m.TakenAt) {
				continue
			}
			return nil, fmt.Errorf("edition %s is there: restore it into another database, or remove it with everything it has "+
				"by `broadsheet edition remove %s --yes --drop --at-once --keep-subscriptions`: its subscriptions run on at the "+
				"payment provider, and in what is restored", id, id)
		}
		parts, missing = append(parts, m.Editions[i]), append(missing, id)
	}
	return parts, s.DB.RolesFree(ctx, s.DB.Core(), missing...)
}

// restoreLock is the advisory lock of the run that restores into a database.
const restoreLock = "broadsheet.restore"

// lockTries bounds for how long a run waits for the lock: the server may not have noticed yet that an earlier run was
// killed.
const lockTries = 100

// lock keeps other runs out of the database until unlock, or the end of the process.
func (s Source) lock(ctx context.Context) (unlock func(), err error) {
	conn, err := pgx.ConnectConfig(ctx, s.DB.Config())
	if err != nil {
		return nil, err
	}
	unlock = func() { _ = conn.Close(context.WithoutCancel(ctx)) }
	for range lockTries {
		var got bool
		err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock(hashtextextended($1, 0))", restoreLock).Scan(&got)
		if err != nil {
			unlock()
			return nil, err
		}
		if got {
			return unlock, nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
	unlock()
	return nil, errors.New("another restore into this database goes on")
}

func (s Source) restore(ctx context.Context, dir string, m *Manifest, p Part) (err error) {
	doc, err := edition.Parse(p.ID, []byte(p.Document))
	if err != nil {
		return err
	}
	if err := s.removeHalf(ctx, p.ID); err != nil {
		return err
	}
	if err := s.Registry.Clashes(ctx, doc); err != nil {
		return err
	}
	var made bool
	schema := edition.SchemaOf(p.ID)
	if err := s.DB.Core().NewRaw("SELECT to_regnamespace(?) IS NOT NULL", schema).Scan(ctx, &made); err != nil {
		return err
	}
	if made {
		return fmt.Errorf("there is a schema %s already, of which neither the registry nor a restore knows: look at what is "+
			"in it, remove it with DROP SCHEMA %s CASCADE, and repeat the restore", schema, schema)
	}
	defer func() {
		if err != nil {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
			defer cancel()
			err = errors.Join(err, s.removeHalf(ctx, p.ID))
		}
	}()
	if err := s.Registry.BeginRestore(ctx, p.ID, m.TakenAt); err != nil {
		return err
	}
	if err := s.restorePictures(ctx, dir, m, p.ID); err != nil {
		return err
	}
	if err := s.restoreSchema(ctx, dir, p); err != nil {
		return err
	}
	_, err = s.Registry.EndRestore(ctx, p.ID, p.Document)
	return err
}

// removeHalf removes what a run has left that was stopped. Where that one was killed, its pg_restore may still work.
func (s Source) removeHalf(ctx context.Context, id string) error {
	_, err := s.DB.Core().NewRaw(`SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
		WHERE datname = current_database() AND application_name = ?`, sessionOf("pg_restore")).Exec(ctx)
	if err != nil {
		return err
	}
	_, err = s.Registry.DropRestore(ctx, id)
	return err
}

// restoreSchema fills the schema, compares it, and holds its work.
func (s Source) restoreSchema(ctx context.Context, dir string, p Part) error {
	err := s.run(ctx, "pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", "--schema="+
		edition.SchemaOf(p.ID), "--role="+db.OwnerOf(p.ID), "--dbname="+s.DB.Config().Database, filepath.Join(dir, p.Dump))
	if err != nil {
		return err
	}
	snap, err := take(ctx, s.DB)
	if err != nil {
		return err
	}
	tables, err := snap.tables(ctx, p.ID)
	snap.close(ctx)
	if err == nil {
		err = compare(p.Tables, tables)
	}
	if err != nil {
		return err
	}
	return s.hold(ctx, p)
}

// hold gives up the work of an edition that no registry knows yet.
func (s Source) hold(ctx context.Context, p Part) error {
	doc, err := edition.Parse(p.ID, []byte(p.Document))
	if err != nil {
		return err
	}
	ed, err := edition.New(*doc, "https://{host}")
	if err != nil {
		return err
	}
	s.DB.Attach(ed.ID, ed.Schema)
	defer s.DB.Detach(ed.ID) //nolint:errcheck // the registry attaches it again
	_, err = jobs.Hold(edition.With(ctx, ed), s.DB)
	return err
}

func (s Source) restorePictures(ctx context.Context, dir string, m *Manifest, id string) error {
	if s.Store == nil {
		return nil
	}
	store, err := media.Sub(s.Store, id)
	if err != nil {
		return err
	}
	prefix := path.Join(picturesFolder, id) + "/"
	var names []string
	for name := range m.Files {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for i, name := range names {
		s.tell("files of "+id, i, len(names))
		if err := putFile(ctx, store, strings.TrimPrefix(name, prefix), filepath.Join(dir, filepath.FromSlash(name)),
			m.Files[name].Size); err != nil {
			return err
		}
	}
	s.tell("files of "+id, len(names), len(names))
	return nil
}

func putFile(ctx context.Context, store media.Store, key, file string, size int64) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // read only
	return store.Put(ctx, key, f, size, media.TypeOf(key))
}

// compare says in which tables the rows are others.
func compare(want, got map[string]Table) error {
	var errs []error
	for name, w := range want {
		if g := got[name]; g != w {
			errs = append(errs, fmt.Errorf("%s: %d rows came back of %d, or others", name, g.Rows, w.Rows))
		}
	}
	for name := range got {
		if _, known := want[name]; !known {
			errs = append(errs, fmt.Errorf("%s: the backup has no such table", name))
		}
	}
	return errors.Join(errs...)
}
