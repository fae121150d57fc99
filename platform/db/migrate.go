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
	"example.org/broadsheet/platform/paper/edition"
)

// MigrateCore brings the platform's own schema up to date, and closes the public one to everybody. Where there is
// nothing to do it takes no lock and needs no right beyond reading.
func (d *DB) MigrateCore(ctx context.Context) error {
	return d.migrate(ctx, migration{name: "core", look: d.openCore, prepare: closeSchemas, change: d.openCore})
}

func (d *DB) openCore() *bun.DB {
	return d.open(d.session("core"), 1, 0, migrationLockTimeout)
}

// closeSchemas makes the platform's schema where there is none, and closes it and the public one. Neither statement is
// sent without need: after a restore the owner of the schemas may have no right to make one in the database.
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

// Migrate brings one edition's schema up to date, as the owner of its tables. Each file is one transaction together
// with its line in the history, so that a run that was killed is resumed by the next. Several processes may call it.
// Where there is nothing to do the edition's login finds that out, which needs no further right.
func (d *DB) Migrate(ctx context.Context, editionID string) error {
	login := edition.SchemaOf(editionID)
	attached, err := d.SessionPool(editionID)
	if err != nil && !errors.Is(err, ErrNoPool) {
		return err
	}
	return d.migrate(ctx, migration{
		name:     editionID,
		login:    login,
		attached: attached,
		look: func() *bun.DB {
			return d.open(d.login(editionID, login), 1, 0, migrationLockTimeout)
		},
		prepare: func(ctx context.Context, pool bun.IDB, change bool) (bool, error) {
			owned, err := belongsToOwner(ctx, pool, editionID)
			if err != nil {
				return false, err
			}
			bounded, err := d.hasPooledSettings(ctx, pool, editionID)
			if err != nil || !change {
				return owned && bounded, err
			}
			if !bounded {
				if err := d.setPooledSettings(ctx, pool, editionID); err != nil {
					return false, err
				}
			}
			if owned {
				return true, nil
			}
			return true, d.takeOver(ctx, pool, editionID)
		},
		change: func() *bun.DB { return d.OpenOwner(editionID) },
	})
}

// OpenOwner opens a session as the owner of an edition's tables, who may change them. The caller closes it.
func (d *DB) OpenOwner(editionID string) *bun.DB {
	s := d.session(searchPath(edition.SchemaOf(editionID)))
	s.role = OwnerOf(editionID)
	return d.open(s, 1, 0, migrationLockTimeout)
}

// takeOverTries bounds how often a schema is taken over anew: each of its tables has to be locked at once, and readers
// who hold one and want another end in a deadlock.
const takeOverTries = 5

func (d *DB) takeOver(ctx context.Context, pool bun.IDB, editionID string) (err error) {
	for range takeOverTries {
		err = pool.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error { return giveToOwner(ctx, tx, editionID) })
		if !errors.Is(Classify(err), ErrBusy) {
			break
		}
	}
	return err
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

// migration is what brings one schema up to date. look, change and the preparation have sessions of their own.
type migration struct {
	name     string  // of the edition, or "core"
	login    string  // of the edition, which reads the history alone; "" where there is none
	attached *bun.DB // the edition's pool, in place of look; nil where there is none
	look     func() *bun.DB
	prepare  preparation // as the login of BROADSHEET_DATABASE_URL
	change   func() *bun.DB
}

func (m migration) folder() string {
	if m.login == "" {
		return m.name
	}
	return "edition"
}

func (m migration) searchPath() string {
	if m.login == "" {
		return m.name
	}
	return searchPath(m.login)
}

func (d *DB) migrate(ctx context.Context, m migration) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("migrate %s: %w", m.name, err)
		}
	}()
	known := migrate.NewMigrations()
	if err := known.Discover(d.files(m.folder())); err != nil {
		return err
	}
	var done bool
	look := func(pool *bun.DB) (err error) {
		done, err = d.upToDate(ctx, pool, known, m)
		return err
	}
	if m.attached != nil {
		err = look(m.attached)
	} else {
		err = using(m.look, look)
	}
	if done || err != nil {
		return err
	}
	lock := "broadsheet.migrate." + m.name
	err = using(d.openCore, func(pool *bun.DB) error {
		if err := lockSession(ctx, pool, d.opts.Log, lock); err != nil {
			return err
		}
		_, err := m.prepare(ctx, pool, true)
		return err
	})
	if err != nil {
		return err
	}
	return using(m.change, func(pool *bun.DB) error {
		if err := lockSession(ctx, pool, d.opts.Log, lock); err != nil {
			return err
		}
		return m.apply(ctx, pool, known)
	})
}

// using runs work in a session. It has one connection: a lock lives exactly as long as that.
func using(open func() *bun.DB, work func(*bun.DB) error) error {
	pool := open()
	return errors.Join(work(pool), pool.Close())
}

func (m migration) apply(ctx context.Context, pool *bun.DB, known *migrate.Migrations) error {
	b := migrate.NewMigrator(pool, known,
		migrate.WithTableName(historyTable), migrate.WithLocksTableName(historyLocks),
		migrate.WithMarkAppliedOnSuccess(true), migrate.WithUpsert(true), migrate.AfterMigration(record))
	if err := b.Init(ctx); err != nil {
		return err
	}
	if m.login != "" {
		if _, err := pool.NewRaw(closeHistory, bun.Ident(m.login)).Exec(ctx); err != nil {
			return err
		}
	}
	_, err := b.Migrate(ctx)
	return err
}

// upToDate reports whether everything is prepared and every known migration applied. It is bounded because a server may
// take a connection and say nothing.
func (d *DB) upToDate(ctx context.Context, pool bun.IDB, known *migrate.Migrations, m migration) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, d.opts.ConnectTimeout+d.opts.StatementTimeout)
	defer cancel()
	if err := requireSession(ctx, pool, m.searchPath()); err != nil {
		return false, err
	}
	if done, err := m.prepare(ctx, pool, false); !done || err != nil {
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
	return !slices.ContainsFunc(known.Sorted(), func(m migrate.Migration) bool {
		return !slices.Contains(applied, m.Name)
	}), nil
}

// record writes the history's line inside the file's transaction; bun itself does so after the commit, where a
// crash in between would make the next run repeat the file.
func record(ctx context.Context, conn bun.IConn, m *migrate.Migration) error {
	_, err := conn.ExecContext(ctx, "INSERT INTO "+historyTable+" (name, group_id) VALUES (?, ?) ON CONFLICT (name) DO "+
		"NOTHING", m.Name, m.GroupID)
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
			log.WarnContext(ctx, "waiting for another process that migrates the database", "lock", name, "holder",
				lockHolder(ctx, pool, name))
			report.Reset(repeatWait)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// lockHolder describes the session that holds an advisory lock, so that an operator can find it and end it.
func lockHolder(ctx context.Context, pool bun.IDB, name string) string {
	var holder string
	err := pool.NewRaw(`SELECT concat('session ', a.pid, ' of user ', a.usename, ' at ', coalesce(host(a.client_addr),
		'a local socket'),
			', ', coalesce(a.application_name, ''), ', ', a.state, ' since ', to_char(a.state_change AT TIME ZONE 'UTC',
			'YYYY-MM-DD HH24:MI:SS'), ' UTC')
		FROM pg_locks l JOIN pg_stat_activity a USING (pid)
		WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
			AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
			AND (l.classid::bigint << 32) | l.objid::bigint = hashtextextended(?, 0)`, name).Scan(ctx, &holder)
	if err != nil {
		return "unknown: " + err.Error()
	}
	return holder
}
