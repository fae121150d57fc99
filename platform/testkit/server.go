package testkit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"example.org/broadsheet/migrations"
	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/embedded/postgres"
)

// server is the Postgres of this test process. Every test gets a database of its own, copied from a template that
// was migrated once; a copy costs a fraction of the migrations.
type server struct {
	dsn      func(database string) string
	template string
	empty    string // template with a core schema alone
}

var start = sync.OnceValues(func() (*server, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	s := &server{}
	if dsn := os.Getenv("BROADSHEET_TEST_DATABASE_URL"); dsn != "" {
		s.dsn = func(database string) string { return withDatabase(dsn, database) }
	} else {
		// It ends with this process; the next start sweeps what it leaves on the disk.
		pg, err := postgres.Start(ctx, postgres.Options{Ephemeral: true, Settings: map[string]string{"max_connections": "300", "autovacuum": "off"}})
		if err != nil {
			return nil, fmt.Errorf("tests need a PostgreSQL: %w (or set BROADSHEET_TEST_DATABASE_URL)", err)
		}
		s.dsn = pg.DSN
	}
	version, err := fingerprint()
	if err != nil {
		return nil, err
	}
	s.template, s.empty = "broadsheet_test_"+version, "broadsheet_core_"+version
	return s, s.prepare(ctx)
})

// withDatabase puts another database into an address.
func withDatabase(dsn, database string) string {
	u, err := url.Parse(dsn)
	if err != nil || u.Scheme == "" { // "host=… dbname=…": the last word of a kind wins
		return dsn + " dbname=" + database
	}
	u.Path = "/" + database
	return u.String()
}

// fingerprint changes when the migrations or the documents do, so that a server that is kept makes a new template.
func fingerprint() (string, error) {
	h := sha256.New()
	err := fs.WalkDir(migrations.FS, ".", func(path string, f fs.DirEntry, err error) error {
		if err != nil || f.IsDir() {
			return err
		}
		b, err := fs.ReadFile(migrations.FS, path)
		h.Write(fmt.Appendf(nil, "%s %x\n", path, b))
		return err
	})
	for n := range MaxEditions {
		h.Write([]byte(Document(n).ID))
	}
	return hex.EncodeToString(h.Sum(nil)[:6]), err
}

// prepare makes the templates, unless another test process has done so.
func (s *server) prepare(ctx context.Context) (err error) {
	conn, err := pgx.Connect(ctx, s.dsn("postgres"))
	if err != nil {
		return fmt.Errorf("tests need a PostgreSQL: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(hashtext('broadsheet.testkit'))"); err != nil {
		return err
	}
	for _, t := range []struct {
		name, from string
		fill       func(context.Context, *db.DB) error
	}{{s.empty, "template0", migrateCore}, {s.template, s.empty, provision}} {
		var there bool
		if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1 AND datistemplate)", t.name).Scan(&there); err != nil {
			return err
		}
		if there {
			continue
		}
		name := pgx.Identifier{t.name}.Sanitize()
		for _, q := range []string{"DROP DATABASE IF EXISTS " + name, "CREATE DATABASE " + name + " TEMPLATE " + t.from} {
			if _, err := conn.Exec(ctx, q); err != nil {
				return err
			}
		}
		d, err := open(s.dsn(t.name), &clock.Clock{})
		if err != nil {
			return err
		}
		if err := errors.Join(t.fill(ctx, d), d.Close()); err != nil {
			return err
		}
		if _, err := conn.Exec(ctx, "ALTER DATABASE "+name+" IS_TEMPLATE true"); err != nil {
			return err
		}
	}
	return nil
}

func provision(ctx context.Context, d *db.DB) error {
	for n := range MaxEditions {
		id := Document(n).ID
		if err := d.Provision(ctx, d.Core(), id); err != nil {
			return err
		}
		if err := d.Migrate(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// options are the same in every test process, and so are the passwords of the roles.
func options() db.Options {
	return db.Options{
		MaxConns: 10, StatementTimeout: 30 * time.Second, LockTimeout: 20 * time.Second,
		Password: func(id string) string { return "test-" + id },
	}
}

func open(dsn string, c *clock.Clock) (*db.DB, error) { return db.Open(dsn, c, options()) }

func migrateCore(ctx context.Context, d *db.DB) error { return d.MigrateCore(ctx) }
