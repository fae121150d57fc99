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

// DatabaseURL is the environment variable that names the server of a whole run of tests.
const DatabaseURL = "BROADSHEET_TEST_DATABASE_URL"

// ServerOptions are those of a server for tests. Its connections are enough for the packages that run at a time.
func ServerOptions() postgres.Options {
	return postgres.Options{Ephemeral: true, Settings: map[string]string{"max_connections": "600", "autovacuum": "off"}}
}

// server is the Postgres of this test process. Every test gets a database of its own, copied from a template that
// was migrated once; a copy costs a fraction of the migrations.
type server struct {
	dsn     func(database string) string
	version string         // of what the templates have
	idle    chan *pgx.Conn // to make databases with, for the next who do; they end with the process

	mu   sync.Mutex
	made int // templates that are there: without editions, with one, with two…
}

var start = sync.OnceValues(func() (*server, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	s := &server{idle: make(chan *pgx.Conn, 3)}
	if dsn := os.Getenv(DatabaseURL); dsn != "" {
		s.dsn = func(database string) string { return withDatabase(dsn, database) }
	} else {
		// It ends with this process; the next start sweeps what it leaves on the disk.
		pg, err := postgres.Start(ctx, ServerOptions())
		if err != nil {
			return nil, fmt.Errorf("tests need a PostgreSQL: %w (or set "+DatabaseURL+")", err)
		}
		s.dsn = pg.DSN
	}
	var err error
	s.version, err = fingerprint()
	return s, err
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

// template names the database that has so many editions, which copies are made of; it makes it unless another test, or
// another process of tests, has done so. What a copy costs goes by how much there is to copy.
func (s *server) template(editions int) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	for ; s.made <= editions; s.made++ {
		if err := s.prepare(ctx, s.made); err != nil {
			return "", err
		}
	}
	return s.name(editions), nil
}

func (s *server) name(editions int) string {
	return fmt.Sprintf("broadsheet_%d_%s", editions, s.version)
}

// copyFiles is the way to copy a database that costs least where nothing waits for a disk: a third of the default.
const copyFiles = " STRATEGY FILE_COPY"

// prepare makes a template from the one that has an edition less.
func (s *server) prepare(ctx context.Context, editions int) (err error) {
	conn, err := pgx.Connect(ctx, s.dsn("postgres"))
	if err != nil {
		return fmt.Errorf("tests need a PostgreSQL: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(hashtext('broadsheet.testkit'))"); err != nil {
		return err
	}
	var there bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1 AND datistemplate)",
		s.name(editions)).Scan(&there); err != nil || there {
		return err
	}
	from, name := "template0", pgx.Identifier{s.name(editions)}.Sanitize()
	if editions > 0 {
		from = pgx.Identifier{s.name(editions - 1)}.Sanitize()
	}
	create := "CREATE DATABASE " + name + " TEMPLATE " + from + copyFiles
	for _, q := range []string{"DROP DATABASE IF EXISTS " + name, create} {
		if _, err := conn.Exec(ctx, q); err != nil {
			return err
		}
	}
	d, err := open(s.dsn(s.name(editions)), &clock.Clock{})
	if err != nil {
		return err
	}
	if err := errors.Join(fill(ctx, d, editions), d.Close()); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "ALTER DATABASE "+name+" IS_TEMPLATE true")
	return err
}

// fill adds the last of so many editions; without any, what they have in common.
func fill(ctx context.Context, d *db.DB, editions int) error {
	if editions == 0 {
		// Drops the free space and visibility maps of the catalogs, a tenth of the files that are copied for each test.
		if _, err := d.Core().ExecContext(ctx, "VACUUM FULL"); err != nil {
			return err
		}
		return d.MigrateCore(ctx)
	}
	id := Document(editions - 1).ID
	if err := d.Provision(ctx, d.Core(), id); err != nil {
		return err
	}
	return d.Migrate(ctx, id)
}

// options are the same in every test process, and so are the passwords of the roles.
func options() db.Options {
	return db.Options{
		MaxConns: 10, CoreConns: 5, StatementTimeout: 30 * time.Second, LockTimeout: 20 * time.Second,
		Password: func(id string) string { return "test-" + id },
	}
}

func open(dsn string, c *clock.Clock) (*db.DB, error) { return db.Open(dsn, c, options()) }
