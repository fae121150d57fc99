package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// neighbour is one of several papers on a server: a database, and a secret.
type neighbour struct{ dsn, secret string }

// run runs a command with the settings of the paper on what is typed, and returns all that it has printed.
func (n neighbour) run(t *testing.T, typed string, args ...string) (string, error) {
	t.Helper()
	t.Setenv("BROADSHEET_DATABASE_URL", n.dsn)
	t.Setenv("BROADSHEET_SECRET", n.secret)
	var out bytes.Buffer
	c := New("test")
	c.PersistentPreRunE = nil // the log is the test's
	c.SetIn(strings.NewReader(typed))
	c.SetOut(&out)
	c.SetErr(&out)
	c.SetArgs(args)
	ctx, cancel := context.WithTimeout(t.Context(), wait.Patience) // dev goes on if nothing keeps it from that
	defer cancel()
	err := c.ExecuteContext(ctx)
	return out.String(), err
}

// must is run for what has to succeed.
func (n neighbour) must(t *testing.T, args ...string) {
	t.Helper()
	if out, err := n.run(t, "", args...); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// reach asks the server for a new connection of an edition's login.
func (n neighbour) reach(t *testing.T, id string) error {
	t.Helper()
	cfg := config.Config{Secret: n.secret}
	d, err := db.Open(n.dsn, &clock.Clock{}, db.Options{
		Password: func(id string) string { return cfg.Password("database", id) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	d.Attach(id, edition.SchemaOf(id))
	return d.Reach(t.Context(), id)
}

// newNeighbours sets up a server that asks the editions' logins for passwords, a paper on it with one edition, a backup
// of the paper, and an empty database for another paper.
func newNeighbours(t *testing.T) (c *testkit.Cluster, paper neighbour, stage, backup string) {
	t.Helper()
	for name, value := range map[string]string{
		"REDIS_URL": "redis://127.0.0.1:1/0", "MAIL_URL": "smtp://127.0.0.1:1", "MEDIA_DIR": t.TempDir(),
	} {
		t.Setenv("BROADSHEET_"+name, value)
	}
	c = testkit.NewCluster(t)
	c.CreateDatabase(t)
	c.AskPasswords(t, "ed_standard", "ed_standard_at")
	paper = neighbour{c.DSN(t), "the secret of the paper that runs, 0123456789"}
	paper.must(t, "edition", "add", sampleDocument("standard"))
	backup = filepath.Join(t.TempDir(), "backup")
	paper.must(t, "backup", backup)
	return c, paper, c.CreateSecondDatabase(t, "stage"), backup
}

func sampleDocument(id string) string {
	return filepath.Join("..", "..", "..", "tenants", id+".yaml")
}

// No command of a paper with another secret takes a login away from the paper that runs on the same server, unless its
// flag says so.
func TestRolesOfAnotherPaper(t *testing.T) {
	c, paper, dsn, backup := newNeighbours(t)
	stage := neighbour{dsn, "the secret of a stage on the same server, 9876543210"}
	document := sampleDocument("standard")
	reaches := func(t *testing.T, n neighbour, want bool) {
		t.Helper()
		if err := n.reach(t, "standard"); (err == nil) != want {
			t.Errorf("the login of ed_standard: %v, want it to work: %v", err, want)
		}
	}
	says := []string{"ed_standard", "database broadsheet", "BROADSHEET_SECRET", "--take-roles"}
	refused := func(t *testing.T, n neighbour, typed string, args ...string) {
		t.Helper()
		out, err := n.run(t, typed, args...)
		if err == nil {
			t.Errorf("%v was not refused:\n%s", args, out)
		} else {
			out += err.Error()
		}
		for _, want := range says {
			if !strings.Contains(out, want) {
				t.Errorf("%v does not say %q:\n%s", args, want, out)
			}
		}
		reaches(t, paper, true)
	}
	made := func(t *testing.T) {
		t.Helper()
		c.Run(t, t.TempDir(), `test "$(psql -Atqd stage -c "SELECT count(*) FROM pg_namespace WHERE nspname = `+
			`'ed_standard'")" = 0`)
	}

	media := t.TempDir()
	for _, tc := range []struct {
		typed string
		args  []string
	}{
		{args: []string{"edition", "add", document}},
		{args: []string{"edition", "apply", document}},
		{
			typed: strings.Join(dialogue("standard", "stage.test", "x")[:2], "\n"),
			args:  []string{"edition", "add", "--interactive", filepath.Join(t.TempDir(), "new.yaml")},
		},
		{args: []string{"restore", backup}},
		{args: []string{
			"dev", "--empty", "--data", t.TempDir(), "--listen", "127.0.0.1:" + testkit.FreePort(t), "--admin", "",
		}},
	} {
		t.Run(strings.Join(tc.args[:2], " "), func(t *testing.T) {
			t.Setenv("BROADSHEET_MEDIA_DIR", media)
			refused(t, stage, tc.typed, tc.args...)
			made(t)
		})
	}
	if left, err := os.ReadDir(filepath.Join(media, "standard")); err == nil {
		t.Errorf("a refused restore has written %v", left)
	}

	t.Run("the same secret", func(t *testing.T) {
		same := neighbour{dsn, paper.secret}
		same.must(t, "restore", backup)
		reaches(t, same, true)
		reaches(t, paper, true)
		same.must(t, "migrate", "--new-secret")
		reaches(t, paper, true)
	})
	t.Run("migrate --new-secret", func(t *testing.T) {
		neighbour{dsn, paper.secret}.must(t, "edition", "add", sampleDocument("standard_at"))
		refused(t, stage, "", "migrate", "--new-secret")
		if err := (neighbour{dsn, paper.secret}).reach(t, "standard_at"); err != nil {
			t.Errorf("a refused change of the secret has changed another login: %v", err)
		}
	})
	t.Run("edition remove", func(t *testing.T) {
		neighbour{dsn, paper.secret}.must(t, "edition", "remove", "standard", "--drop", "--at-once", "--yes")
		reaches(t, paper, true)
		made(t)
	})
	t.Run("--take-roles", func(t *testing.T) {
		stage.must(t, "restore", backup, "--take-roles")
		reaches(t, stage, true)
		reaches(t, paper, false)
		out, err := paper.run(t, "", "doctor")
		if err == nil || !strings.Contains(out, "database stage") || !strings.Contains(out, "--take-roles") {
			t.Errorf("the doctor of a paper without its login: %v\n%s", err, out)
		}
		says[1] = "database stage"
		if out, err := paper.run(t, "", "migrate", "--new-secret"); err == nil {
			t.Errorf("the login was taken back without the flag:\n%s", out)
		}
		reaches(t, stage, true)
		paper.must(t, "migrate", "--new-secret", "--take-roles")
		reaches(t, paper, true)
		reaches(t, stage, false)
	})
	t.Run("a login that no database uses", func(t *testing.T) {
		c.Run(t, t.TempDir(), "dropdb stage")
		empty := neighbour{c.CreateSecondDatabase(t, "third"), stage.secret}
		refused := []string{"edition", "add", document}
		if out, err := empty.run(t, "", refused...); err == nil {
			t.Errorf("%v was not refused:\n%s", refused, out)
		}
		empty.must(t, "edition", "add", sampleDocument("standard_at"))
		if err := empty.reach(t, "standard_at"); err != nil {
			t.Errorf("the login that the dropped database had: %v", err)
		}
	})
}
