package command

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSingleLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"VS 2600000042\nza noviny", "VS 2600000042 za noviny"},
		{"a\x1b[2Jb", "a [2Jb"},
		{"a\u009b2Jb\x00\x7f", "a 2Jb"},
		{"100\u202e00.9", "10000.9"},
		{"a\u2066b\u2069\u200f", "ab"},
		{"a\u2028b\u0085c", "a b c"},
		{" Žofia\u00a0Ďurčová ", "Žofia Ďurčová"},
	} {
		if got := singleLine(c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestPrintf(t *testing.T) {
	t.Parallel()
	hostile := "a\x1b[2J\tb\r\nc\u202ed\u009b\xff"
	type state string
	var out strings.Builder
	printf(&out, "%d\t%s\t%v\t%q\t%s\t%v\t%.1f %t\n", 7, hostile, errors.New(hostile), hostile, state(hostile),
		[]string{hostile}, 0.5, true)
	const clean = "a [2J b cd \ufffd"
	want := "7\t" + clean + "\t" + clean + "\t\"" + clean + "\"\t" + clean + "\t[" + clean + "]\t0.5 true\n"
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	out.Reset()
	printError(&out, errors.Join(errors.New("one\x1b[2J"), errors.New("two\u202e")))
	if got, want := out.String(), "broadsheet: one [2J\ntwo\n"; got != want {
		t.Errorf("an error: got %q, want %q", got, want)
	}
}

// Whatever commands print goes through printf: no text of other people gets to a terminal as it came.
func TestPrintf_everywhere(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if name == "table.go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is || !printsText(call) {
				return true
			}
			t.Errorf("%v: it prints a text without printf", set.Position(call.Pos()))
			return true
		})
	}
}

// printsText reports whether a call writes with fmt what is not written in the code.
func printsText(call *ast.CallExpr) bool {
	function, is := call.Fun.(*ast.SelectorExpr)
	if !is {
		return false
	}
	from, is := function.X.(*ast.Ident)
	if !is || from.Name != "fmt" || !strings.Contains(function.Sel.Name, "rint") ||
		strings.HasPrefix(function.Sel.Name, "S") {
		return false
	}
	return slices.ContainsFunc(call.Args[min(1, len(call.Args)):], func(arg ast.Expr) bool {
		_, literal := arg.(*ast.BasicLit)
		return !literal
	})
}
