package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/migrate"

	"example.org/broadsheet/migrations"
	"example.org/broadsheet/platform/edition"
)

// MigrateCore brings the platform's own schema up to date, and closes the public one to everybody.
func (d *DB) MigrateCore(ctx context.Context) error {
	for _, s := range []string{"CREATE SCHEMA IF NOT EXISTS core", "REVOKE ALL ON SCHEMA public, core FROM PUBLIC"} {
		if err := d.settle(ctx, s); err != nil {
			return fmt.Errorf("migrate core: %w", err)
		}
	}
	return d.migrate(ctx, "core", d.base.User, d.base.Password, "core", d.files("core"))
}

// settle runs a catalogue statement that several starting processes may send at the same moment.
func (d *DB) settle(ctx context.Context, statement string) (err error) {
	for range 5 {
		if _, err = d.core.ExecContext(ctx, statement); err == nil {
			return nil
		}
	}
	return err
}

// Migrate brings one edition's schema up to date, as the edition's own role. Each file is one transaction together
// with its line in the history, so that a run that was killed is resumed by the next. Several processes may call it.
func (d *DB) Migrate(ctx context.Context, editionID string) error {
	role := edition.SchemaOf(editionID)
	return d.migrate(ctx, editionID, role, d.Password(editionID), "", d.files("edition"))
}

func (d *DB) files(folder string) fs.FS {
	from := d.opts.Migrations
	if from == nil {
		from = migrations.FS
	}
	sub, err := fs.Sub(from, folder)
	if err != nil { // the name is a constant: only an invalid path fails
		panic(err)
	}
	return sub
}

// migrationLockTimeout bounds how long a change of a busy table holds up the readers that queue behind it.
const migrationLockTimeout = 5 * time.Second

// historyTable and historyLocks are bun's names.
const (
	historyTable = "bun_migrations"
	historyLocks = "bun_migration_locks"
)

func (d *DB) migrate(ctx context.Context, what, user, password, searchPath string, files fs.FS) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("migrate %s: %w", what, err)
		}
	}()
	known := migrate.NewMigrations()
	if err := known.Discover(files); err != nil {
		return err
	}
	// One connection: the lock lives exactly as long as the session that migrates.
	pool := d.open(user, password, searchPath, 1, 0, migrationLockTimeout)
	defer func() { err = errors.Join(err, pool.Close()) }()
	if err := lockSession(ctx, pool, "broadsheet.migrate."+what); err != nil {
		return err
	}
	m := migrate.NewMigrator(pool, known,
		migrate.WithTableName(historyTable), migrate.WithLocksTableName(historyLocks),
		migrate.WithMarkAppliedOnSuccess(true), migrate.WithUpsert(true), migrate.AfterMigration(record))
	if err := m.Init(ctx); err != nil {
		return err
	}
	_, err = m.Migrate(ctx)
	return err
}

// record writes the history's line inside the file's transaction; bun itself does so after the commit, where a
// crash in between would make the next run repeat the file.
func record(ctx context.Context, conn bun.IConn, m *migrate.Migration) error {
	_, err := conn.ExecContext(ctx, "INSERT INTO "+historyTable+" (name, group_id) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", m.Name, m.GroupID)
	return err
}

// lockSession takes a session's advisory lock; it asks again and again because waiting inside the server would
// hit the lock timeout.
func lockSession(ctx context.Context, pool bun.IDB, name string) error {
	for {
		var got bool
		if err := pool.NewRaw("SELECT pg_try_advisory_lock(hashtextextended(?, 0))", name).Scan(ctx, &got); err != nil {
			return err
		}
		if got {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("another process holds %s: %w", name, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}
