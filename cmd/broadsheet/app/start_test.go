package app

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// captureLog collects what is logged from now until the end of the test.
func captureLog(t *testing.T) func() string {
	t.Helper()
	var mu sync.Mutex
	var text bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(writer(func(b []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return text.Write(b)
	}), nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		return text.String()
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

// A supervisor's patience ends after a few quick failures, so what passes is waited for, and only what does not ends a
// start.
func TestStartWaitsForWhatPasses(t *testing.T) {
	said := captureLog(t)
	for name, tc := range map[string]struct {
		failure error
		tries   int
	}{
		"no free connection": {&pgconn.PgError{Code: "53300", Message: "remaining connection slots are reserved"}, 2},
		"starting up":        {&pgconn.PgError{Code: "57P03"}, 2},
		"silent":             {context.DeadlineExceeded, 2},
		"wrong password":     {&pgconn.PgError{Code: "28P01"}, 1},
		"no such database":   {&pgconn.PgError{Code: "3D000"}, 1},
		"a bad migration":    {&pgconn.PgError{Code: "42601"}, 1},
	} {
		tries := 0
		err := awaitDatabase(t.Context(), func(context.Context) error {
			if tries++; tries == 1 {
				return tc.failure
			}
			return nil
		})
		if waits := tc.tries > 1; tries != tc.tries || (err == nil) != waits || (!waits && !errors.Is(err, tc.failure)) {
			t.Errorf("%s: %d tries, %v", name, tries, err)
		}
	}
	if !strings.Contains(said(), "remaining connection slots") {
		t.Errorf("log: %s", said())
	}
}

// askAdmin asks the operators' listener; 0 is no answer.
func askAdmin(address, path string) (int, string) {
	client := http.Client{Timeout: 5 * time.Second}
	r, err := client.Get("http://" + address + path)
	if err != nil {
		return 0, err.Error()
	}
	defer r.Body.Close() //nolint:errcheck // read to its end
	b, _ := io.ReadAll(r.Body)
	return r.StatusCode, string(b)
}

// production sets the environment of `serve` and `work`, with a database at an address; it returns the operators'
// address.
func production(t *testing.T, dsn string) string {
	t.Helper()
	admin := "127.0.0.1:" + testkit.FreePort(t)
	for name, value := range map[string]string{
		"DATABASE_URL": dsn, "SECRET": "a secret that is good for tests, 0123456789", "REDIS_URL": "redis://127.0.0.1:1/0",
		"MAIL_URL":  "smtp://127.0.0.1:1",
		"WEB_ADMIN": admin, "WEB_LISTEN": "127.0.0.1:" + testkit.FreePort(t), "MEDIA_DIR": t.TempDir(),
		"WEB_STOP_DELAY": "0s",
	} {
		t.Setenv("BROADSHEET_"+name, value)
	}
	return admin
}

// execute runs a command until it ends.
func execute(ctx context.Context, arguments ...string) error {
	c := NewCommand()
	c.PersistentPreRunE = nil // the log is the test's
	c.SetArgs(arguments)
	return c.ExecuteContext(ctx)
}

// starting runs a command in the environment of production until the test ends; it returns the operators' address.
func starting(t *testing.T, dsn string, arguments ...string) string {
	t.Helper()
	admin := production(t, dsn)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- execute(ctx, arguments...) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error("it ended with ", err)
		}
	})
	return admin
}

func TestStartWaitsForADatabaseThatIsAwaySilentOrLocked(t *testing.T) {
	for _, role := range []string{"serve", "work"} {
		t.Run(role, func(t *testing.T) {
			said := captureLog(t)
			d := testkit.Empty(t)
			port := testkit.FreePort(t)
			admin := starting(t, "postgres://"+d.Config().User+"@127.0.0.1:"+port+"/"+d.Config().
				Database+"?sslmode=disable&connect_timeout=1", role)
			waits := func(reason string) {
				t.Helper()
				wait.Until(t, "it waits and is alive: "+reason, func() bool {
					alive, _ := askAdmin(admin, "/livez")
					ready, _ := askAdmin(admin, "/readyz")
					return alive == http.StatusOK && ready == http.StatusServiceUnavailable && strings.Contains(said(), reason)
				})
			}
			waits("connection refused")

			proxy := testkit.NewProxyAt(t, d, "127.0.0.1:"+port)
			proxy.Silence(true)
			waits("timeout")

			holder, err := pgx.ConnectConfig(t.Context(), d.Config())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = holder.Close(context.Background()) }()
			for _, s := range []string{
				"SELECT pg_advisory_lock(hashtextextended('broadsheet.migrate.core', 0))",
				"CREATE TABLE core.history AS SELECT * FROM core.bun_migrations", "DELETE FROM core.bun_migrations",
			} {
				if _, err := holder.Exec(t.Context(), s); err != nil {
					t.Fatal(err)
				}
			}
			proxy.Silence(false)
			waits("waiting for another process that migrates the database")

			if _, err := holder.Exec(t.Context(), "INSERT INTO core.bun_migrations SELECT * FROM core.history"); err != nil {
				t.Fatal(err)
			}
			if err := holder.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			wait.Until(t, "it is ready", func() bool {
				ready, _ := askAdmin(admin, "/readyz")
				return ready == http.StatusOK
			})
		})
	}
}

// A port that is taken is no reason to wait.
func TestStartEndsWhereTheOperatorsPortIsTaken(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // of a test
	if _, err := openOperators(t.Context(), l.Addr().String(), nil); err == nil ||
		!strings.Contains(err.Error(), l.Addr().String()) {
		t.Errorf("error: %v", err)
	}
}
