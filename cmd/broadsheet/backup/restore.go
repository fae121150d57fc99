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

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/paper/edition"
)

// Restore brings editions of a backup back whose files Read has found whole; none may be in the registry. Each comes
// back wholly or not at all, is compared with the manifest, and is marked: what was to be done at the time of the
// backup waits until somebody confirms it.
func Restore(ctx context.Context, s Source, dir string, m *Manifest, ids []string) error {
	there, err := s.Registry.List(ctx)
	if err != nil {
		return err
	}
	var parts []Part
	for _, id := range ids {
		i := slices.IndexFunc(m.Editions, func(p Part) bool { return p.ID == id })
		if i < 0 {
			return fmt.Errorf("the backup has no edition %q", id)
		}
		if slices.ContainsFunc(there, func(st edition.Status) bool { return st.ID == id }) {
			return fmt.Errorf("edition %s is there: restore it into another database, or remove it with everything it has by "+
				"`broadsheet edition remove %s --yes --drop --at-once --keep-subscriptions`: its subscriptions run on at the "+
				"payment provider, and in what is restored", id, id)
		}
		parts = append(parts, m.Editions[i])
	}
	for i, p := range parts {
		s.tell("editions", i, len(parts))
		if err := s.restore(ctx, dir, m, p); err != nil {
			return fmt.Errorf("edition %s: %w", p.ID, err)
		}
	}
	s.tell("editions", len(parts), len(parts))
	return nil
}

func (s Source) restore(ctx context.Context, dir string, m *Manifest, p Part) error {
	doc, err := edition.Parse(p.ID, []byte(p.Document))
	if err != nil {
		return err
	}
	if err := s.Registry.Clashes(ctx, doc); err != nil {
		return err
	}
	var made bool
	if err := s.DB.Core().NewRaw("SELECT to_regnamespace(?) IS NOT NULL", edition.SchemaOf(p.ID)).
		Scan(ctx, &made); err != nil {
		return err
	}
	if made {
		return fmt.Errorf("there is a schema %s already, which the registry does not know: "+
			"`broadsheet edition add` takes it over, or drop it", edition.SchemaOf(p.ID))
	}
	if err := s.restorePictures(ctx, dir, m, p.ID); err != nil {
		return err
	}
	if err := s.restoreSchema(ctx, dir, p); err != nil {
		return errors.Join(err, s.drop(ctx, p.ID))
	}
	// First the mark, then the row in the registry: no worker sees the edition without it.
	if err := s.Registry.MarkRestored(ctx, p.ID, m.TakenAt); err != nil {
		return errors.Join(err, s.drop(ctx, p.ID))
	}
	_, err = s.Registry.ApplyText(ctx, p.ID, []byte(p.Document))
	return err
}

// restoreSchema makes role and schema, fills the schema, compares it, and holds its work.
func (s Source) restoreSchema(ctx context.Context, dir string, p Part) error {
	err := s.DB.Core().RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		return s.DB.Provision(ctx, tx, p.ID)
	})
	if err != nil {
		return err
	}
	err = s.run(ctx, "pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", "--schema="+
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

// drop removes what a restore that failed has made.
func (s Source) drop(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	return s.DB.Core().RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		return s.DB.Deprovision(ctx, tx, id)
	})
}

func (s Source) restorePictures(ctx context.Context, dir string, m *Manifest, id string) error {
	if s.Store == nil {
		return nil
	}
	store, err := media.Sub(s.Store, id)
	if err != nil {
		return err
	}
	prefix := path.Join("media", id) + "/"
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
