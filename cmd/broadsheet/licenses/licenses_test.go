package licenses

import (
	"encoding/json"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"example.org/broadsheet/frontend"
)

// inBundle finds the package of a source file: the innermost one.
var inBundle = regexp.MustCompile(`.*/node_modules/((?:@[^/]+/)?[^/]+)/`)

// packages returns what must have a notice: packages that the source maps of the server's bundles name, which the
// bundles of browsers hold too, dependencies, and typefaces.
func packages(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{"swagger-ui-dist": true, "vite": true, "rolldown": true, "Unicode CLDR": true}
	for _, name := range []string{"server", "prelude"} {
		raw, err := fs.ReadFile(frontend.Dist, "dist/server/"+name+".js.map")
		if err != nil {
			t.Fatal(err)
		}
		var sources struct{ Sources []string }
		if err := json.Unmarshal(raw, &sources); err != nil {
			t.Fatal(err)
		}
		for _, source := range sources.Sources {
			if m := inBundle.FindStringSubmatch(source); m != nil {
				found[m[1]] = true
			}
		}
	}
	raw, err := os.ReadFile("../../../frontend/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var described struct{ Dependencies, DevDependencies map[string]string }
	if err := json.Unmarshal(raw, &described); err != nil {
		t.Fatal(err)
	}
	for name := range described.Dependencies {
		found[name] = true
	}
	for name := range described.DevDependencies {
		if strings.HasPrefix(name, "@fontsource") {
			found[name] = true
		}
	}
	return found
}

func TestText(t *testing.T) {
	t.Parallel()
	got, err := Text()
	if err != nil {
		t.Fatal(err)
	}
	want := packages(t)
	if !want["react-dom"] || !want["@formatjs/intl"] {
		t.Fatalf("the source maps name %v", want)
	}
	for name := range want {
		listed := regexp.MustCompile(`\n` + regexp.QuoteMeta(name) + ` [0-9.]+ \((MIT|ISC|0BSD|BSD-[23]-Clause|` +
			`Apache-2\.0|OFL-1\.1|Unicode-3\.0)\)\n`)
		notice := regexp.MustCompile(`\n={80}\n(?:[^\n]+\n)*` + regexp.QuoteMeta(name) + ` [0-9.]+\n(?:[^\n]+\n)*\n[^=]`)
		if !listed.MatchString(got) || !notice.MatchString(got) {
			t.Errorf("%s: in the list %v, with a notice %v", name, listed.MatchString(got), notice.MatchString(got))
		}
	}
	for _, words := range []string{
		"Copyright 2009 The Go Authors.", "github.com/gin-gonic/gin v", "fonts-noto-core", "SIL OPEN FONT LICENSE",
	} {
		if !strings.Contains(got, words) {
			t.Errorf("nothing of %q", words)
		}
	}
	if strings.Contains(got, "GNU General Public License") || strings.Contains(got, "GNU GENERAL PUBLIC LICENSE") {
		t.Error("a part is under the GPL")
	}
}

// The file of browsers is named by the bundle that each page loads.
func TestBundlesNameTheFile(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(frontend.Dist, "dist/client/assets/vendor-*.js")
	if err != nil || len(names) != 1 {
		t.Fatalf("bundles %q, error %v, want one", names, err)
	}
	raw, err := fs.ReadFile(frontend.Dist, names[0])
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(raw), "\n")
	if want := "/*! Licences: /assets/licenses.txt */"; first != want {
		t.Errorf("the first line is %.80q, want %q", first, want)
	}
}
