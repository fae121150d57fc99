package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/migrate"

	"example.org/broadsheet/migrations"
	"example.org/broadsheet/platform/edition"
)

// MigrateCore brings the platform's own schema up to date, and closes the public one to everybody. Where there is nothing
// to do it takes no lock and needs no right beyond reading.
func (d *DB) MigrateCore(ctx context.Context) error {
	return d.migrate(ctx, "core", d.base.User, d.base.Password, "core", d.files("core"), closeSchemas)
}

// closeSchemas makes the platform's schema where there is none, and closes it and the public one. Neither statement is sent
// without need: after a restore the owner of the schemas may have no right to make one in the database.
func closeSchemas(ctx context.Context, pool bun.IDB, change bool) (done bool, err error) {
	var made, open bool
	err = pool.NewRaw(`SELECT to_regnamespace('core') IS NOT NULL, EXISTS (
		SELECT FROM pg_namespace n, aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) a
		WHERE n.nspname IN ('public', 'core') AND a.grantee = 0)`).Scan(ctx, &made, &open)
	if err != nil || !change {
		return made && !open, err
	}
	if !made {
		if _, err := pool.ExecContext(ctx, "CREATE SCHEMA core"); err != nil {
			return false, err
		}
	}
	if open {
		_, err = pool.ExecContext(ctx, "REVOKE ALL ON SCHEMA public, core FROM PUBLIC")
	}
	return err == nil, err
}

// Migrate brings one edition's schema up to date, as the edition's own role. Each file is one transaction together
// with its line in the history, so that a run that was killed is resumed by the next. Several processes may call it.
func (d *DB) Migrate(ctx context.Context, editionID string) error {
	role := edition.SchemaOf(editionID)
	return d.migrate(ctx, editionID, role, d.Password(editionID), "", d.files("edition"), nil)
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

// preparation brings about what the migrations need and reports whether it is there; without change it only looks.
type preparation func(ctx context.Context, pool bun.IDB, change bool) (done bool, err error)

func (d *DB) migrate(ctx context.Context, what, user, password, searchPath string, files fs.FS, prepare preparation) (err error) {
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
	if prepare == nil {
		prepare = func(context.Context, bun.IDB, bool) (bool, error) { return true, nil }
	}
	if done, err := d.upToDate(ctx, pool, known, prepare); done || err != nil {
		return err
	}
	if err := lockSession(ctx, pool, d.opts.Log, "broadsheet.migrate."+what); err != nil {
		return err
	}
	if _, err := prepare(ctx, pool, true); err != nil {
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

// upToDate reports whether everything is prepared and every known migration applied. It is bounded because a server may
// take a connection and say nothing.
func (d *DB) upToDate(ctx context.Context, pool bun.IDB, known *migrate.Migrations, prepare preparation) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, d.opts.ConnectTimeout+d.opts.StatementTimeout)
	defer cancel()
	if done, err := prepare(ctx, pool, false); !done || err != nil {
		return false, err
	}
	var there bool
	if err := pool.NewRaw("SELECT to_regclass(?) IS NOT NULL", historyTable).Scan(ctx, &there); !there || err != nil {
		return false, err
	}
	var applied []string
	if err := pool.NewRaw("SELECT name FROM "+historyTable).Scan(ctx, &applied); err != nil {
		return false, err
	}
	return !slices.ContainsFunc(known.Sorted(), func(m migrate.Migration) bool { return !slices.Contains(applied, m.Name) }), nil
}

// record writes the history's line inside the file's transaction; bun itself does so after the commit, where a
// crash in between would make the next run repeat the file.
func record(ctx context.Context, conn bun.IConn, m *migrate.Migration) error {
	_, err := conn.ExecContext(ctx, "INSERT INTO "+historyTable+" (name, group_id) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", m.Name, m.GroupID)
	return err
}

// A wait for another process that migrates is logged after silentWait, and then every so often.
const (
	silentWait = 5 * time.Second
	repeatWait = 30 * time.Second
)

// lockSession takes a session's advisory lock; it asks again and again because waiting inside the server would
// hit the lock timeout.
func lockSession(ctx context.Context, pool bun.IDB, log *slog.Logger, name string) error {
	report := time.NewTimer(silentWait)
	defer report.Stop()
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
		case <-report.C:
			log.Warn("waiting for another process that migrates the database", "lock", name, "holder", lockHolder(ctx, pool, name))
			report.Reset(repeatWait)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// lockHolder describes the session that holds an advisory lock, so that an operator can find it and end it.
func lockHolder(ctx context.Context, pool bun.IDB, name string) string {
	var holder string
	err := pool.NewRaw(`SELECT concat('session ', a.pid, ' of user ', a.usename, ' at ', coalesce(host(a.client_addr), 'a local socket'),
			', ', coalesce(a.application_name, ''), ', ', a.state, ' since ', to_char(a.state_change AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS'), ' UTC')
		FROM pg_locks l JOIN pg_stat_activity a USING (pid)
		WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
			AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
			AND (l.classid::bigint << 32) | l.objid::bigint = hashtextextended(?, 0)`, name).Scan(ctx, &holder)
	if err != nil {
		return "unknown: " + err.Error()
	}
	return holder
}
