package app

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// declared lists what the code declares at package level, as "package.Name".
func declared(t *testing.T, root string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, dir := range []string{"cmd", "modules", "platform"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, e fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(gotoken.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, d := range f.Decls {
				for _, name := range namesOf(d) {
					all[f.Name.Name+"."+name.Name] = true
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func namesOf(d ast.Decl) (names []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name)
			case *ast.ValueSpec:
				names = append(names, s.Names...)
			}
		}
	}
	return names
}

// The glossary explains words of this code, not of another one: what its last column names is declared, and no word
// that it says to avoid has come back as the name of a type.
func TestTheGlossaryAgreesWithTheCode(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs", "glossary.md"))
	if err != nil {
		t.Fatal(err)
	}
	code := declared(t, root)
	named := regexp.MustCompile("`([a-z]+\\.\\w+)`")
	words, checked := 0, 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 4 {
			continue
		}
		words++
		for _, m := range named.FindAllStringSubmatch(cells[3], -1) {
			checked++
			if !code[m[1]] {
				t.Errorf("%s: got no declaration of %s", strings.TrimSpace(cells[0]), m[1])
			}
		}
	}
	if words < 30 || checked < 25 {
		t.Errorf("got %d words and %d names, want at least 30 and 25", words, checked)
	}
	for _, gone := range []string{
		"access.Standing", "access.Parked", "billing.wish", "discussion.Measure",
		"identity.Standing",
	} {
		if code[gone] {
			t.Errorf("got a declaration of %s, want the glossary's word", gone)
		}
	}
}
