package main

import (
	"io"
	"net/http"
	"os"
	"testing"

	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/testkit"
)

// What docs/operations.md tells operators to do brings the paper back, word for word, with an owner who is no superuser.
func TestTheDocumentedRestoreWorks(t *testing.T) {
	before, after, dir := testkit.NewCluster(t), testkit.NewCluster(t), t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // nothing secret is in it
		t.Fatal(err)
	}
	before.CreateDatabase(t)
	d := before.Open(t)
	if err := d.MigrateCore(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := edition.NewRegistry(d, "https://{host}", nil)
	if err := r.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Apply(t.Context(), "../../tenants/standard.yaml"); err != nil {
		t.Fatal(err)
	}
	before.Run(t, dir, testkit.BackupCommands(t)...)

	after.Run(t, dir, testkit.RestoreCommands(t)...)
	admin := starting(t, after.DSN(t), "serve")
	eventually(t, "it is ready", func() bool {
		code, _ := status(admin, "/readyz")
		return code == http.StatusOK
	})
	ed, _ := r.Get("standard")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+os.Getenv("BROADSHEET_WEB_LISTEN")+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = ed.Hosts[0]
	front, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer front.Body.Close() //nolint:errcheck // read to its end
	if body, err := io.ReadAll(front.Body); err != nil || front.StatusCode != http.StatusOK {
		t.Errorf("the front page: %d, %v: %.300s", front.StatusCode, err, body)
	}

	// The owner can go on as before: a changed document is applied, and another edition is added.
	again := edition.NewRegistry(after.Open(t), "https://{host}", nil)
	if err := again.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"standard.yaml", "standard_at.yaml"} {
		if _, err := again.Apply(t.Context(), "../../tenants/"+file); err != nil {
			t.Error(err)
		}
	}
}
