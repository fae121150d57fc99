package app

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/broadsheet/platform/config"
)

// docs/configuration.md is written from the settings: UPDATE=1 go test ./cmd/broadsheet/app -run Configuration
func TestConfigurationIsDocumented(t *testing.T) {
	t.Parallel()
	const file = "../../../docs/configuration.md"
	want := "# Settings\n\nEvery setting has a default (`configs/default.yaml`), may stand in a file (`--config`, or " +
		"`BROADSHEET_CONFIG`), and may be\n" +
		"given in the environment, which stands over both. A setting marked as secret can also be given as the name of a " +
		"file,\n" +
		"with `_FILE` behind its name. A name that starts with `BROADSHEET_` and is no setting is an error. What an " +
		"edition is like\n" +
		"(prices, hosts, categories, limits of the meter) is no setting: that is its document in `tenants/`.\n\n" +
		"Browsers ask `/api/env-vars` for `ENV_HOST`, the id of the edition that the host belongs to, and `ENV_LOCALE`, " +
		"the language of\n" +
		"its words: that of its document (`locale`), unless the setting of that name gives another one for every " +
		"edition.\n\n" + strings.TrimSpace(config.Table()) + "\n\n" +
		"An edition's keys at the payment provider: `BROADSHEET_STRIPE_<ID>_SECRET_KEY` and " +
		"`BROADSHEET_STRIPE_<ID>_WEBHOOK_SECRET`, both also with `_FILE`.\n\n" +
		"Bounds that are not settings: a body of 64 KiB (16 for logs, 256 for webhooks), headers of 32 KiB within 5 s, a " +
		"body within 10 s, 10 s for a call or a page,\n" +
		"200 requests of one edition at once (pages that are in memory, asked for without a session, are given beyond " +
		"them), 5 s to connect to Postgres, 5 s for a statement and 2 s for a lock, 15 s to finish requests when a process " +
		"ends.\n" +
		"A network (an IPv4 address or an IPv6 /64) that is not signed in, or a reader, may have 240 pages rendered at " +
		"once in a process and four a second from then on; then pages that are not in memory are answered 429 with " +
		"`Retry-After`. Pages in memory are not\n" +
		"counted, and neither are addresses of this machine. Every address with nothing shares one page.\n"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != want {
		t.Errorf("docs/configuration.md is not what the settings are (%v): run with UPDATE=1", err)
	}
}

var (
	quoted   = regexp.MustCompile("`([^`]+)`")
	testName = regexp.MustCompile(`^((?:Test|Fuzz|Benchmark)\w+|…)(?:/(\S+))?$`)
	testFile = regexp.MustCompile(`^[\w./*-]+\.(?:tsx?|go|yaml)$`)
)

// testNames are the functions of all tests by their folder, and every source file.
func testNames(t *testing.T, root string) (names map[string][]string, files []string) {
	t.Helper()
	names = map[string][]string{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			if n := e.Name(); n == "node_modules" || n == "dist" || n == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		files = append(files, filepath.ToSlash(rel))
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(filepath.Clean(path))
		dir := filepath.ToSlash(filepath.Dir(rel))
		for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
			names[dir] = append(names[dir], m[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names, files
}

// namedTests checks that every test and file that a document names exists, in the folder that is named with it or else
// is the usual one of the heading above. It returns how many there are.
func namedTests(t *testing.T, file string, usual func(heading string) string) (checked int) {
	t.Helper()
	const root = "../../.."
	text, err := os.ReadFile(root + "/" + file)
	if err != nil {
		t.Fatal(err)
	}
	names, files := testNames(t, root)
	attacks, err := os.ReadFile("attack_test.go")
	if err != nil {
		t.Fatal(err)
	}
	folder := usual("")
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "## ") {
			folder = usual(line)
		}
		dir := folder
		for _, q := range quoted.FindAllStringSubmatch(line, -1) {
			word := q[1]
			name := testName.FindStringSubmatch(word)
			switch {
			case names[word] != nil:
				dir = word
			case name != nil && name[1] != "…" && !slices.Contains(names[dir], name[1]):
				t.Errorf("%s: %s has no %s", file, dir, name[1])
			case name != nil && name[2] != "" &&
				!strings.Contains(string(attacks), strconv.Quote(strings.ReplaceAll(name[2], "_", " "))):
				t.Errorf("%s: there is no %s", file, word)
			case testFile.MatchString(word) && !slices.ContainsFunc(files, func(f string) bool {
				in, _ := path.Match(word, f)
				alone, _ := path.Match(word, path.Base(f))
				return in || alone || strings.HasSuffix(f, "/"+word)
			}):
				t.Errorf("%s: there is no file %s", file, word)
			}
			if name != nil || testFile.MatchString(word) {
				checked++
			}
		}
	}
	return checked
}

// What docs/security-tests.md says to be proven is proven by tests that there are, in the folder that it names.
func TestTheTestsOfTheDocumentExist(t *testing.T) {
	t.Parallel()
	checked := namedTests(t, "docs/security-tests.md", func(heading string) string {
		return map[bool]string{true: "modules/billing", false: "cmd/broadsheet/app"}[strings.HasPrefix(heading, "## Money")]
	})
	if checked < 100 {
		t.Errorf("the document names %d tests only", checked)
	}
}

// docs/reliability.md has a row for each fault and attack, from the first to the last, with tests that there are.
func TestEveryFaultHasItsTest(t *testing.T) {
	t.Parallel()
	const file, rows = "docs/reliability.md", 35
	namedTests(t, file, func(string) string { return "cmd/broadsheet/app" })
	text, err := os.ReadFile("../../../" + file)
	if err != nil {
		t.Fatal(err)
	}
	next := 1
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		n, err := strconv.Atoi(strings.TrimSpace(cells[min(1, len(cells)-1)]))
		if err != nil || len(cells) < 5 {
			continue
		}
		if n != next {
			t.Errorf("row %d follows row %d", n, next-1)
		}
		next = n + 1
		if named := slices.ContainsFunc(quoted.FindAllStringSubmatch(cells[4], -1), func(q []string) bool {
			return testName.MatchString(q[1]) || testFile.MatchString(q[1])
		}); !named {
			t.Errorf("row %d names no test", n)
		}
	}
	if next != rows+1 {
		t.Errorf("the last row is %d, want %d", next-1, rows)
	}
}
