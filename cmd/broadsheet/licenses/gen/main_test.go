package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	t.Chdir("..") // where `make gen` runs it
	got, err := text(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("go.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Error("go.txt is out of date: run `make gen`")
	}
	packages, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f",
		"{{with .Module}}{{.Path}} {{.Version}}{{end}}", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(packages)) {
		module := strings.TrimSpace(line)
		if _, version, _ := strings.Cut(module, " "); version == "" {
			continue // of Go itself, or ours
		}
		if !strings.Contains(got, "\n"+module+", ") {
			t.Errorf("%s has no notice", module)
		}
	}
	for _, font := range []string{"fonts-dejavu-core", "fonts-droid-fallback", "fonts-nanum", "fonts-noto-core"} {
		if !strings.Contains(got, "\n"+font+"\n\n") {
			t.Errorf("%s has no notice", font)
		}
	}
}

func TestKindsOf(t *testing.T) {
	t.Parallel()
	ours, err := os.ReadFile("../../../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"broken lines": {
			"Permission is hereby granted, free of charge, to any\n// person obtaining a copy of this\r\nsoftware and",
			[]string{"MIT"},
		},
		"two in one": {
			"Apache License\n   Version 2.0, January 2004\n\nPermission to use, copy, modify, and/or distribute this software " +
				"for any purpose with or without fee",
			[]string{"Apache-2.0", "ISC"},
		},
		"BSD of three clauses": {
			"Redistributions in binary form must reproduce the above copyright notice … may be used to endorse or promote " +
				"products derived from this software without",
			[]string{"BSD-3-Clause"},
		},
		"BSD of two clauses": {
			"Redistributions in binary form must reproduce the above copyright notice", []string{"BSD-2-Clause"},
		},
		"all rights reserved": {string(ours), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := kindsOf(c.text); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

const mit = "Permission is hereby granted, free of charge, to any person obtaining a copy of this software and"

// moduleOf writes a module into a folder of its own.
func moduleOf(t *testing.T, files map[string]string) *module {
	t.Helper()
	m := &module{path: "example.org/m", version: "v1.0.0", dir: t.TempDir()}
	for name, text := range files {
		path := filepath.Join(m.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func TestModule(t *testing.T) {
	t.Parallel()
	m := moduleOf(t, map[string]string{
		"LICENSE": mit, "NOTICE.txt": "By Jana \r\nand others\n", "license.go": "package m", "licenses/x": "of a tool",
		"in/third-party-notices": mit, "in/deep/deep.go": "package deep", "out/COPYING": "of a package that is not linked",
	})
	for range 2 { // as of two packages in one folder
		if err := m.collect(filepath.Join(m.dir, "in", "deep")); err != nil {
			t.Fatal(err)
		}
	}
	slices.SortFunc(m.files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	want := []file{{"LICENSE", mit}, {"NOTICE.txt", "By Jana\nand others"}, {"in/third-party-notices", mit}}
	if !slices.Equal(m.files, want) {
		t.Errorf("files %q, want %q", m.files, want)
	}
	if kinds, err := m.kinds(); err != nil || !slices.Equal(kinds, []string{"MIT"}) {
		t.Errorf("kinds %q, error %v, want MIT", kinds, err)
	}
}

func TestModule_Refused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		want  error
	}{
		"no licence": {map[string]string{"README": mit}, errUnknown},
		"unknown":    {map[string]string{"LICENSE": "Ask us."}, errUnknown},
		"GPL":        {map[string]string{"COPYING": "GNU GENERAL PUBLIC\n  LICENSE"}, errRefused},
		"AGPL beside MIT": {
			map[string]string{"LICENSE": mit, "LICENSE-AGPL": "GNU Affero General Public License"}, errRefused,
		},
		"LGPL":               {map[string]string{"LICENSE.md": "the GNU *Lesser General Public License*"}, errRefused},
		"unknown beside MIT": {map[string]string{"LICENSE": mit, "in/LICENSE": "Ask us."}, errUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := moduleOf(t, c.files)
			dir := m.dir
			if _, ok := c.files["in/LICENSE"]; ok {
				dir = filepath.Join(dir, "in")
			}
			if err := m.collect(dir); err != nil {
				t.Fatal(err)
			}
			if kinds, err := m.kinds(); !errors.Is(err, c.want) || !strings.Contains(err.Error(), m.path) {
				t.Errorf("kinds %q, error %v, want %v", kinds, err, c.want)
			}
		})
	}
}

func TestOfFonts(t *testing.T) {
	t.Parallel()
	const (
		font      = "Files: *\nCopyright: 2010 Jana\nLicense: OFL-1.1"
		packaging = "Files:\n debian/*\nCopyright: 2011 Ján\nLicense: GPL-3+"
		ofl, gpl  = "License: OFL-1.1\n SIL", "License: GPL-3+\n GNU General Public License"
	)
	got := ofFonts(strings.Join([]string{"Format: x", font, packaging, ofl, gpl}, "\n\n"))
	if want := strings.Join([]string{"Format: x", font, ofl}, "\n\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
