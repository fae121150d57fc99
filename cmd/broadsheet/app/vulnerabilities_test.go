package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// `make security` asks the databases of vulnerabilities with external tools. Here, stand-ins answer in their place.
func TestKnownVulnerabilities(t *testing.T) {
	t.Parallel()
	const (
		noFinding = `echo "No vulnerabilities found."`
		noReport  = `echo '{"auditReportVersion":2,"vulnerabilities":{},"metadata":{}}'`
		noHost    = `echo "govulncheck: fetching vulnerabilities: dial tcp: lookup vuln.go.dev: no such host" >&2; exit 1`
	)
	for name, c := range map[string]struct {
		govulncheck, npm string
		fails            bool
		want             []string
	}{
		"nothing is known": {
			noFinding, noReport, false,
			[]string{"Go modules: no known vulnerability", "npm packages: no known vulnerability"},
		},
		"no database can be reached": {
			noHost, `echo '{"message":"405 Method Not Allowed","statusCode":405}'; exit 1`, false,
			[]string{
				"not checked: Go modules. govulncheck: fetching vulnerabilities: dial tcp: lookup vuln.go.dev: no such host",
				"not checked: npm packages. 405 Method Not Allowed",
			},
		},
		"a module": {
			`echo "Vulnerability #1: GO-2026-0001"; exit 3`, noReport, true,
			[]string{"Vulnerability #1: GO-2026-0001", "npm packages: no known vulnerability"},
		},
		"a package": {
			noFinding,
			`echo '{"vulnerabilities":{"a":{"name":"a","range":"<2.0.0","severity":"high"}},"metadata":{}}'; exit 1`, true,
			[]string{"Go modules: no known vulnerability", "a <2.0.0: high"},
		},
		"the program does not compile": {
			`echo "govulncheck: loading packages: undefined: x" >&2; exit 1`, noReport, true, []string{"loading packages"},
		},
		"npm has no lock file": {noFinding, `echo '{"error":{"code":"ENOLOCK"}}'; exit 1`, true, []string{"ENOLOCK"}},
		"npm is not there":     {noFinding, `exit 127`, true, []string{"npm audit"}},
		"a module, and no registry": {
			`echo "Vulnerability #1"; exit 3`, `echo '{"message":"405"}'; exit 1`, true,
			[]string{"Vulnerability #1", "not checked: npm packages. 405"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			script, err := os.ReadFile(filepath.Join(root, ".ci/vulnerabilities"))
			if err != nil {
				t.Fatal(err)
			}
			version := `[ "$1" = -version ] && echo "Scanner: govulncheck@v1.9.0" && exit`
			for path, text := range map[string]string{
				".ci/vulnerabilities": string(script),
				"bin/govulncheck":     "#!/bin/bash\n" + version + "\n" + c.govulncheck,
				"path/npm":            "#!/bin/bash\n" + c.npm,
			} {
				if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.CommandContext(t.Context(), filepath.Join(dir, ".ci/vulnerabilities"))
			cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "path")+":"+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			if (err != nil) != c.fails {
				t.Errorf("error %v, want one: %v\n%s", err, c.fails, out)
			}
			for _, want := range c.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("nothing of %q in\n%s", want, out)
				}
			}
		})
	}
}
