package db_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// session is one of d's server, apart from every pool.
func session(t *testing.T, d *db.DB) *pgx.Conn {
	t.Helper()
	conn, err := pgx.ConnectConfig(t.Context(), d.Config())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func query(t *testing.T, conn *pgx.Conn, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := conn.Exec(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

const lockCore = "SELECT pg_advisory_lock(hashtextextended('broadsheet.migrate.core', 0))"

// A start on a database that is up to date must neither wait for somebody who holds the lock, nor need the right to
// make schemas: who restored the database may have been its superuser.
func TestMigrateCoreOfAnUpToDateDatabaseNeedsNoLockAndNoRight(t *testing.T) {
	t.Parallel()
	d := testkit.Empty(t)
	owner := testkit.Name("owner")
	admin := session(t, d)
	query(t, admin, lockCore, "CREATE ROLE "+owner+" LOGIN", "GRANT USAGE ON SCHEMA core TO "+owner,
		"GRANT SELECT ON ALL TABLES IN SCHEMA core TO "+owner)
	t.Cleanup(func() {
		for _, s := range []string{"DROP OWNED BY " + owner, "DROP ROLE " + owner} {
			if _, err := admin.Exec(context.Background(), s); err != nil {
				t.Error(err)
			}
		}
	})
	u, err := url.Parse(d.Config().ConnString())
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.User(owner)
	limited, err := testkit.Open(u.String(), &clock.Clock{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := limited.MigrateCore(ctx); err != nil {
		t.Error(err)
	}
	if err := limited.Close(); err != nil {
		t.Error(err)
	}
}

// lines collects what is logged.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func TestAWaitForMigrationsIsLoggedWithItsHolder(t *testing.T) {
	t.Parallel()
	d := testkit.Empty(t)
	holder := session(t, d)
	query(t, holder, "SET application_name = 'a stranded migration'", lockCore, "DELETE FROM core.bun_migrations")
	var log lines
	waiting := testkit.Process(t, d, func(o *db.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- waiting.MigrateCore(ctx) }()
	want := fmt.Sprintf("session %d of user %s", holder.PgConn().PID(), d.Config().User)
	wait.Until(t, "the log names "+want, func() bool { return strings.Contains(log.String(), want) })
	if said := log.String(); !strings.Contains(said, "a stranded migration") ||
		!strings.Contains(said, "broadsheet.migrate.core") {
		t.Errorf("log:\n%s", said)
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("it migrated without the lock")
	}
}
