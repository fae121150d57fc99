package app

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// bannedWords are words that had to be looked up, and what is said instead. To ban another one, remove its last use
// and add a line.
var bannedWords = []struct {
	word *regexp.Regexp
	say  string
}{
	{regexp.MustCompile(`\bparked\b`), "in the review queue"},
	{regexp.MustCompile(`\bdeeds?\b`), "action"},
	{regexp.MustCompile(`\bheed(s|ed)?\b`), "subscribe to, apply"},
	{regexp.MustCompile(`\bcan not\b`), "cannot"},
	{regexp.MustCompile(`\btells whether\b`), "reports whether"},
	{regexp.MustCompile(`\b[Ww]hat (became|has become) of\b`), "the outcome of, the state of"},
	{regexp.MustCompile(`\b([Tt]ells? of|told of)\b`), "says, lists, reports"},
	{regexp.MustCompile(`\b([Jj]udge[ds]?|wished|wishes)\b`), "check, decide; want, choose"},
	{regexp.MustCompile(`\b[Aa]pologi[sz]e`), "answer an error as a page"},
}

// allowedWords are contracts with readers of the log of audited actions, and the names that they had before.
var allowedWords = regexp.MustCompile("billing_parked|parked-resolve|`broadsheet parked`")

// wordFiles are what is read: code and documents, not texts of readers.
func wordFiles(t *testing.T) (files []string) {
	t.Helper()
	ours := []string{".go", ".md", ".ts", ".tsx", ".mjs", ".css"}
	for _, root := range []string{"cmd", "modules", "platform", "migrations", "docs", "frontend/src", "frontend/scripts"} {
		err := filepath.WalkDir(filepath.Join("../../..", root), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name := d.Name()
			if d.IsDir() && (name == "gen" || name == "testdata" || name == "sample") {
				return fs.SkipDir
			}
			if !d.IsDir() && slices.Contains(ours, filepath.Ext(name)) && !strings.Contains(name, ".gen.") {
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return append(files, "../../../README.md", "../../../CONTRIBUTING.md", "../../../CHANGELOG.md")
}

func TestWordsArePlain(t *testing.T) {
	t.Parallel()
	files := wordFiles(t)
	if len(files) < 500 {
		t.Fatalf("got %d files, want all of the project", len(files))
	}
	for _, path := range files {
		if filepath.Base(path) == "words_test.go" || filepath.Base(path) == "glossary.md" {
			continue // they name the words
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range strings.Split(allowedWords.ReplaceAllString(string(text), ""), "\n") {
			for _, b := range bannedWords {
				if found := b.word.FindString(line); found != "" {
					t.Errorf("%s:%d: got %q, say %q", path, n+1, found, b.say)
				}
			}
		}
	}
}
