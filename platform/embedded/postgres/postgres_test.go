package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"example.org/broadsheet/platform/testkit/wait"
)

// TestMain lets the test binary play the process that runs a server, so that tests can kill it.
func TestMain(m *testing.M) {
	if dir := os.Getenv("TEST_SERVE_DIR"); dir != "" {
		os.Exit(serveUntilKilled(dir))
	}
	os.Exit(m.Run())
}

func serveUntilKilled(dir string) int {
	ctx := context.Background()
	s, err := Start(ctx, Options{Dir: dir, Log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	if err != nil {
		fmt.Println("failed", err)
		return 1
	}
	fmt.Println("ready", s.Pid())
	if err := s.Wait(); err != nil {
		fmt.Println("failed", err)
		return 1
	}
	return 0
}

func start(t *testing.T, opts Options) *Server {
	t.Helper()
	if opts.Log == nil {
		opts.Log = testLog(t)
	}
	s, err := Start(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, s) })
	return s
}

func stop(t *testing.T, s *Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := s.Stop(ctx); err != nil {
		t.Error(err)
	}
}

// testLog drops what arrives after the test.
func testLog(t *testing.T) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// tempDir is like t.TempDir, but open to the account that the server runs as.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pg-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		wait.Until(t, "nobody works in the folder that is about to be removed", func() bool {
			running, _ := usersOf(filepath.Join(dir, "postgres"), 0)
			making, _ := usersOf(filepath.Join(dir, "postgres.new"), 0)
			return len(running)+len(making) == 0
		})
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func run(t *testing.T, s *Server, sql string) {
	t.Helper()
	if err := try(s, sql); err != nil {
		t.Fatal(err)
	}
}

func try(s *Server, sql string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.DSN("postgres"))
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, sql)
	return errors.Join(err, conn.Close(ctx))
}

func query[T any](t *testing.T, s *Server, sql string) (value T) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.DSN("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(conn.QueryRow(t.Context(), sql).Scan(&value), conn.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestEphemeralServerLivesAndLeavesNothing(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Ephemeral: true})
	for setting, want := range map[string]string{
		"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "listen_addresses": "",
		"server_encoding": "UTF8", "TimeZone": "UTC", "max_connections": "200", "lc_ctype": locale(),
	} {
		show := "SELECT coalesce((SELECT setting FROM pg_settings WHERE name = '" + setting + "'), " +
			"(SELECT datctype FROM pg_database WHERE datname = current_database()))"
		if got := query[string](t, s, show); got != want {
			t.Errorf("%s = %q, want %q", setting, got, want)
		}
	}
	run(t, s, "CREATE EXTENSION unaccent; CREATE EXTENSION pg_trgm")
	for range 2 {
		if err := s.EnsureDatabase(t.Context(), `a "quoted" name`); err != nil {
			t.Fatal(err)
		}
	}
	run(t, s, "CREATE ROLE ed_guest LOGIN")
	for name, code := range map[string]string{`a "quoted" name`: "", "postgres": "42501", "template1": "42501"} {
		c, err := pgx.ParseConfig(s.DSN(name))
		if err != nil {
			t.Fatal(err)
		}
		c.User = "ed_guest"
		conn, err := pgx.ConnectConfig(t.Context(), c)
		var refused *pgconn.PgError
		if (code == "" && err != nil) || (code != "" && (!errors.As(err, &refused) || refused.Code != code)) {
			t.Errorf("a login of an edition connects to %s: %v", name, err)
		}
		if err == nil {
			_ = conn.Close(t.Context())
		}
	}
	stop(t, s)
	stop(t, s)
	if _, err := os.Stat(s.opts.Dir); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", s.opts.Dir, err)
	}
	if err := try(s, "SELECT 1"); err == nil {
		t.Error("a stopped server answers")
	}
}

func TestDurableServerSyncsAndKeepsItsData(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	first := start(t, Options{Dir: dir, Settings: map[string]string{"work_mem": "7MB"}})
	if got := query[string](t, first, "SHOW fsync"); got != "on" {
		t.Errorf("fsync = %s", got)
	}
	if got := query[string](t, first, "SHOW work_mem"); got != "7MB" {
		t.Errorf("work_mem = %s", got)
	}
	run(t, first, "CREATE TABLE kept AS SELECT 42 AS n")
	stop(t, first)
	second := start(t, Options{Dir: dir})
	if n := query[int](t, second, "SELECT n FROM kept"); n != 42 {
		t.Errorf("n = %d", n)
	}
}
