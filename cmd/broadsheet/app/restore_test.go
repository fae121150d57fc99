package app

import (
	"io"
	"net/http"
	"os"
	"testing"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// founded makes the database of a cluster with one edition, whose owner is no superuser.
func founded(t *testing.T, c *testkit.Cluster) *edition.Edition {
	t.Helper()
	c.CreateDatabase(t)
	d := c.Open(t)
	if err := d.MigrateCore(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := edition.NewRegistry(d, "https://{host}", nil)
	if err := r.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	ed, err := r.Apply(t.Context(), "../../../tenants/standard.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return ed
}

// front asks a `serve` that was started by starting for an edition's front page.
func front(t *testing.T, ed *edition.Edition) response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		"http://"+os.Getenv("BROADSHEET_WEB_LISTEN")+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = ed.Hosts[0]
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close() //nolint:errcheck // read to its end
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response{Status: r.StatusCode, Header: r.Header, Body: string(body)}
}

// What docs/operations.md tells operators to do brings the paper back, word for word, with an owner who is no
// superuser.
func TestTheDocumentedRestoreWorks(t *testing.T) {
	before, after, dir := testkit.NewCluster(t), testkit.NewCluster(t), t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	ed := founded(t, before)
	before.Run(t, dir, testkit.BackupCommands(t)...)

	after.Run(t, dir, testkit.RestoreCommands(t)...)
	if open, err := after.Open(t).OpenDatabases(t.Context()); err != nil || len(open) != 0 {
		t.Errorf("the editions' logins can connect to %v, %v", open, err)
	}
	admin := starting(t, after.DSN(t), "serve")
	wait.Until(t, "it is ready", func() bool {
		code, _ := askAdmin(admin, "/readyz")
		return code == http.StatusOK
	})
	if r := front(t, ed); r.Status != http.StatusOK {
		t.Errorf("the front page: %d: %.300s", r.Status, r.Body)
	}

	// The owner can go on as before: a changed document is applied, and another edition is added.
	again := edition.NewRegistry(after.Open(t), "https://{host}", nil)
	if err := again.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"standard.yaml", "standard_at.yaml"} {
		if _, err := again.Apply(t.Context(), "../../../tenants/"+file); err != nil {
			t.Error(err)
		}
	}
}
