package app

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.org/broadsheet/migrations"
)

// Only this package makes modules, so that one file shows what each of them is given.
func TestModulesAreMadeHere(t *testing.T) {
	t.Parallel()
	makes := regexp.MustCompile(`modules/(\w+)"`)
	found := 0
	for _, dir := range []string{"cmd", "modules", "platform"} {
		err := filepath.WalkDir(filepath.Join("../../..", dir), func(file string, _ fs.DirEntry, err error) error {
			if err != nil || path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
				return err
			}
			text, err := os.ReadFile(file)
			here := strings.Contains(filepath.ToSlash(file), "cmd/broadsheet/app/")
			for _, m := range makes.FindAllStringSubmatch(string(text), -1) {
				if !strings.Contains(string(text), m[1]+".New("+m[1]+".Deps") {
					continue
				}
				if found++; !here {
					t.Errorf("%s makes the module %s; only cmd/broadsheet/app does", file, m[1])
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 5 {
		t.Errorf("got %d modules that this package makes, want at least 5", found)
	}
}

// Modules reach each other by interfaces and events. The linter sees imports, but not what SQL names: no file of a
// module may name a table of another.
func TestTablesStayHome(t *testing.T) {
	t.Parallel()
	created := regexp.MustCompile(`(?m)^CREATE TABLE (?:IF NOT EXISTS )?([a-z]+)(_[a-z_]+)`)
	foreign := map[string][]string{} // tables by module
	err := fs.WalkDir(migrations.FS, "edition", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(file) != ".sql" {
			return err
		}
		text, err := fs.ReadFile(migrations.FS, file)
		for _, m := range created.FindAllStringSubmatch(string(text), -1) {
			foreign[m[1]] = append(foreign[m[1]], m[1]+m[2])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	modules := os.DirFS("../../../modules")
	statements := regexp.MustCompile("(?s)`[^`]*`|\"(?:[^\"\\\\\n]|\\\\.)*\"")
	read := 0
	err = fs.WalkDir(modules, ".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(modules, file)
		own, _, _ := strings.Cut(file, "/")
		for module, tables := range foreign {
			if module == own {
				continue
			}
			named := regexp.MustCompile(`\b(?:FROM|JOIN|INTO|UPDATE|TABLE|table:)\s*(` + strings.Join(tables, "|") + `)\b`)
			for _, words := range statements.FindAllString(string(text), -1) {
				if m := named.FindStringSubmatch(words); m != nil {
					t.Errorf("%s names %s, a table of another", file, m[1])
				}
			}
		}
		read++
		return err
	})
	if err != nil || read < 100 {
		t.Fatalf("%d files were read: %v", read, err)
	}
	if len(foreign["billing"]) < 20 || len(foreign["mail"]) == 0 {
		t.Errorf("tables are not found: %v", foreign)
	}
}
