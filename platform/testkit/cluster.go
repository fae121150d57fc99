package testkit

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/embedded/postgres"
)

// Owner is the role that owns the database Owner of a cluster. As in production it may create roles, and is no
// superuser.
const Owner = "broadsheet"

// Cluster is a PostgreSQL server of the test's own, for what concerns a whole server, such as its roles, backup and
// restore.
type Cluster struct {
	server *postgres.Server
}

// NewCluster starts a server without any role or database of ours; it ends with the test.
func NewCluster(t testing.TB) *Cluster {
	t.Helper()
	s, err := postgres.Start(t.Context(), postgres.Options{Ephemeral: true})
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := s.Stop(ctx); err != nil {
			t.Errorf("testkit: %v", err)
		}
	})
	return &Cluster{s}
}

// CreateDatabase makes the owner and an empty database of theirs.
func (c *Cluster) CreateDatabase(t testing.TB) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), c.server.DSN("postgres"))
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	defer func() { _ = conn.Close(context.Background()) }() // the statements' own errors count
	for _, s := range []string{
		"CREATE ROLE " + Owner + " LOGIN CREATEROLE",
		"CREATE DATABASE " + Owner + " OWNER " + Owner,
	} {
		if _, err := conn.Exec(t.Context(), s); err != nil {
			t.Fatalf("testkit: %s: %v", s, err)
		}
	}
}

// CreateSecondDatabase makes another empty database of the owner's, and returns its address.
func (c *Cluster) CreateSecondDatabase(t testing.TB, name string) (dsn string) {
	t.Helper()
	c.Run(t, t.TempDir(), "createdb -O "+Owner+" "+name)
	return withDatabase(c.DSN(t), name)
}

// AskPasswords has the server ask some roles for their passwords, as a server in a network does. It trusts all others.
func (c *Cluster) AskPasswords(t testing.TB, roles ...string) {
	t.Helper()
	dir, rules := t.TempDir(), "local all all trust\n"
	for _, r := range roles {
		rules = "local all " + r + " scram-sha-256\n" + rules
	}
	if err := os.WriteFile(filepath.Join(dir, "hba"), []byte(rules), 0o600); err != nil {
		t.Fatalf("testkit: %v", err)
	}
	c.Run(t, dir, `cat hba > "$(psql -Atqd postgres -c 'SHOW hba_file')"`,
		"psql -qd postgres -c 'SELECT pg_reload_conf()' > /dev/null")
}

// DSN is the address of the owner's database for its owner.
func (c *Cluster) DSN(t testing.TB) string {
	t.Helper()
	u := c.address(t)
	u.User = url.User(Owner)
	return u.String()
}

func (c *Cluster) address(t testing.TB) *url.URL {
	t.Helper()
	u, err := url.Parse(c.server.DSN(Owner))
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	return u
}

// Open opens the owner's database as one process does.
func (c *Cluster) Open(t testing.TB) *db.DB {
	t.Helper()
	d, err := Open(c.DSN(t), &clock.Clock{})
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	t.Cleanup(func() { _ = d.Close() }) // the server ends with the test
	return d
}

// Tools is the folder of the server's programs.
func (c *Cluster) Tools() string { return c.server.Tools() }

// Run runs commands of PostgreSQL's tools, each a line for a shell, as the server's superuser in a folder.
func (c *Cluster) Run(t testing.TB, dir string, commands ...string) {
	t.Helper()
	address := c.address(t)
	tools := c.server.Tools()
	for _, line := range commands {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", line) // #nosec G204 -- a test names it
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"), "PGHOST="+address.Query().Get("host"),
			"PGPORT="+address.Query().Get("port"), "PGUSER="+address.User.Username(), "PGDATABASE=", "PGPASSWORD=", "LC_ALL=C")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("testkit: %s: %v: %s\n(PostgreSQL's tools are needed in the server's version: .ci/services installs them)",
				line, err, out)
		}
	}
}

// BackupCommands and RestoreCommands are those of docs/operations.md, word for word, so that it says what works.
func BackupCommands(t testing.TB) []string { return documented(t, "pg_dump") }

// RestoreCommands are for an empty server, in the folder with the backup.
func RestoreCommands(t testing.TB) []string { return documented(t, "psql", "createdb", "pg_restore") }

// documented are the lines of the document's code that begin with one of some programs.
func documented(t testing.TB, programs ...string) (commands []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(projectRoot(t), "docs", "operations.md"))
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Backups\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for line := range strings.Lines(section) {
		command, indented := strings.CutPrefix(line, "        ")
		for _, p := range programs {
			if indented && strings.HasPrefix(command, p) {
				commands = append(commands, strings.TrimSpace(command))
				break
			}
		}
	}
	if len(commands) == 0 {
		t.Fatalf("testkit: docs/operations.md has no command of %v", programs)
	}
	return commands
}

// projectRoot is the folder with go.mod, above that of the test.
func projectRoot(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs(".")
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	t.Fatalf("testkit: there is no go.mod above %s: %v", dir, err)
	return ""
}
