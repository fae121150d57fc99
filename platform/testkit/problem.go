package testkit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/strictyaml"
)

// DocumentProblems makes mistakes in the first edition's document, by their names: what stands there, what replaces it,
// and what the error must say besides file and line.
func DocumentProblems(t *testing.T, problems map[string][3]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(projectRoot(t), "tenants", "standard.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	good := string(text)
	for name, p := range problems {
		old, replacement, want := p[0], p[1], p[2]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bad := strings.Replace(good, old, replacement, 1)
			if bad == good {
				t.Fatalf("%q is not in the file", old)
			}
			doc, err := edition.Parse("x.yaml", []byte(bad))
			var file *strictyaml.FileError
			if !errors.As(err, &file) || doc != nil {
				t.Fatalf("got %v, want a list of problems", err)
			}
			if !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "x.yaml") {
				t.Errorf("got\n%v\nwant it to say %q", err, want)
			}
			for _, one := range file.List {
				if one.Line == 0 && !strings.Contains(err.Error(), "not YAML") {
					t.Errorf("got no line: %+v", one)
				}
			}
		})
	}
}
