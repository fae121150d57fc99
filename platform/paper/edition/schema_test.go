package edition

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// UPDATE=1 go test ./platform/paper/edition writes the file anew.
func TestSchemaFileIsCurrent(t *testing.T) {
	t.Parallel()
	file := filepath.Join("..", "..", "..", "tenants", "schema.json")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, Schema(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, Schema()) {
		t.Errorf("tenants/schema.json is not that of the Document: run UPDATE=1 go test ./platform/paper/edition (%v)", err)
	}
}
