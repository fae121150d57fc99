package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// platforms are what the program is built for.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/arm64"}

// module is a Go module, with the licence files of itself and of those of its packages that are linked.
type module struct {
	path, version, dir string
	files              []file
}

type file struct{ name, text string }

func (m *module) String() string { return strings.TrimSpace(m.path + " " + m.version) }

// linked returns the modules of the program, in the order of their paths, and Go itself.
func linked(ctx context.Context) ([]*module, error) {
	byPath := map[string]*module{}
	for _, platform := range platforms {
		out, err := list(ctx, platform)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(out) {
			part := strings.Split(strings.TrimSpace(line), "\t")
			if len(part) != 4 {
				continue // of Go itself, or ours
			}
			m := byPath[part[0]]
			if m == nil {
				m = &module{path: part[0], version: part[1], dir: part[2]}
				byPath[m.path] = m
			}
			if err := m.collect(part[3]); err != nil {
				return nil, err
			}
		}
	}
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	library := &module{path: "Go, its standard library", dir: strings.TrimSpace(string(root))}
	byPath[library.path] = library
	if err := library.collect(library.dir); err != nil {
		return nil, err
	}
	modules := make([]*module, 0, len(byPath))
	for _, m := range byPath {
		slices.SortFunc(m.files, func(a, b file) int { return strings.Compare(a.name, b.name) })
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b *module) int { return strings.Compare(a.path, b.path) })
	return modules, nil
}

// list returns a line for each package that the program is linked from: path, version and folder of its module, and its
// own folder.
func list(ctx context.Context, platform string) (string, error) {
	goos, goarch, _ := strings.Cut(platform, "/")
	format := "{{with .Module}}{{if .Version}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}"
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-f", format, program)
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go list for %s: %w", platform, err)
	}
	return string(out), nil
}

var (
	// fileNames are names of files with licences and notices.
	fileNames = regexp.MustCompile(`(?i)^(licen[cs]e|unlicense|copying|copyright|notice|third[-_]party)s?\b`)
	// unlinked are names of files that are no licence, or that of a picture of the module's page.
	unlinked = regexp.MustCompile(`\.go$|-LOGO$`)
	// licenceNames are those of files that hold nothing else.
	licenceNames = regexp.MustCompile(`(?i)^(licen[cs]e|unlicense|copying)\b`)
)

// collect adds the files of a package's folder and of those above it, up to the module's.
func (m *module) collect(dir string) error {
	for {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.IsDir() || !fileNames.MatchString(e.Name()) || unlinked.MatchString(e.Name()) {
				continue
			}
			if err := m.take(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
		if dir == m.dir || filepath.Dir(dir) == dir {
			return nil
		}
		dir = filepath.Dir(dir)
	}
}

func (m *module) take(path string) error {
	name, err := filepath.Rel(m.dir, path)
	if err != nil {
		return err
	}
	name = filepath.ToSlash(name)
	if slices.ContainsFunc(m.files, func(f file) bool { return f.name == name }) {
		return nil
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	m.files = append(m.files, file{name, tidy(raw)})
	return nil
}

// kinds returns the names of the module's licences. It returns an error if it has none, one that is not known or one
// that is not allowed.
func (m *module) kinds() ([]string, error) {
	var kinds []string
	var failed []error
	for _, f := range m.files {
		if err := allowed(f.text); err != nil {
			failed = append(failed, fmt.Errorf("%s, %s: %w", m, f.name, err))
		}
		found := kindsOf(f.text)
		if len(found) == 0 && licenceNames.MatchString(filepath.Base(f.name)) {
			failed = append(failed, fmt.Errorf("%s, %s: %w", m, f.name, errUnknown))
		}
		kinds = append(kinds, found...)
	}
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	if len(kinds) == 0 {
		failed = append(failed, fmt.Errorf("%s: %w", m, errUnknown))
	}
	return kinds, errors.Join(failed...)
}
