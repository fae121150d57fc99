package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func executed(args ...string) (string, error) {
	c := New("test")
	var out bytes.Buffer
	c.SetOut(&out)
	c.SetErr(io.Discard)
	c.SetArgs(args)
	err := c.Execute()
	return out.String(), err
}

func TestVersion(t *testing.T) {
	t.Parallel()
	if got, err := executed("version"); err != nil || !strings.HasPrefix(got, "broadsheet test (go1.") {
		t.Errorf("version: %q, error %v", got, err)
	}
	got, err := executed("version", "--licenses")
	if err != nil || strings.HasPrefix(got, "broadsheet") || !strings.Contains(got, "\ngithub.com/jackc/pgx/v5 v") ||
		!strings.Contains(got, "\nreact-dom ") {
		t.Errorf("version --licenses: %d bytes, error %v, want licences of Go modules and of packages", len(got), err)
	}
}

func TestMistypedCommandsAreRefused(t *testing.T) {
	t.Parallel()
	for line, hint := range map[string]string{
		"srve":                      "serve",
		"bank imprt":                "import",
		"import wordpres":           "wordpress",
		"edition chek":              "check",
		"discussion bna":            "ban",
		"bank import":               "--help",
		"version twice":             "--help",
		"bank list --edtion x":      "--help",
		"coupon --nothing":          "--help",
		"reader invite --edition":   "--help",
		"bank no-such-thing at all": "unknown command",
	} {
		_, err := executed(strings.Fields(line)...)
		if err == nil || exitCode(err) != 2 || !strings.Contains(err.Error(), hint) {
			t.Errorf("broadsheet %s: got status %d, %v; want 2 and a hint at %q", line, exitCode(err), err, hint)
		}
	}
}

// A command that an interrupt has stopped ends with 130, and says whether it can go on.
func TestStoppedCommands(t *testing.T) {
	t.Parallel()
	for says, resumes := range map[string]map[string]string{"the same command goes on": resumed, "stopped": {}} {
		ctx, interrupt := context.WithCancel(t.Context())
		cmd := &cobra.Command{
			Use: "x", Annotations: resumes, SilenceErrors: true, SilenceUsage: true,
			RunE: func(cmd *cobra.Command, _ []string) error { interrupt(); return cmd.Context().Err() },
		}
		cmd.SetArgs([]string{})
		err := execute(ctx, cmd)
		if err == nil || exitCode(err) != 130 || !strings.Contains(err.Error(), says) {
			t.Errorf("status %d, %v", exitCode(err), err)
		}
	}
	failing := &cobra.Command{
		Use: "x", SilenceErrors: true, SilenceUsage: true,
		RunE: func(*cobra.Command, []string) error { return errors.New("no disk") },
	}
	failing.SetArgs([]string{})
	if err := execute(t.Context(), failing); err == nil || exitCode(err) != 1 {
		t.Errorf("a failure: %v", err)
	}
}

// Every group of commands lists them when it is called alone, and refuses what is none of them; but for a group that
// does something of its own and takes an argument for it.
func TestGroupsListTheirCommands(t *testing.T) {
	t.Parallel()
	each(New("test"), func(c *cobra.Command) {
		if !c.HasSubCommands() || c.Name() == "completion" || strings.Contains(c.Use, " ") {
			return
		}
		path := strings.Fields(c.CommandPath())[1:]
		out, err := executed(path...)
		if err != nil || !strings.Contains(out, "Available Commands") {
			t.Errorf("%s: got %v, %q; want its commands", c.CommandPath(), err, out)
		}
		if _, err := executed(append(path, "zzzz")...); err == nil || exitCode(err) != 2 {
			t.Errorf("%s zzzz: got %v; want a usage error", c.CommandPath(), err)
		}
	})
}

// Help names what a flag takes: FILE, ID, a date, not just "string".
func TestFlagsNameTheirValues(t *testing.T) {
	t.Parallel()
	each(New("test"), func(c *cobra.Command) {
		if slices.Contains([]string{"completion", "help"}, strings.Fields(c.CommandPath() + " -")[1]) {
			return
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if name, _ := pflag.UnquoteUsage(f); strings.HasPrefix(name, "string") || strings.Contains(name, " ") {
				t.Errorf("%s --%s: got the value %q; want a word in backquotes that names it", c.CommandPath(), f.Name, name)
			}
		})
	})
}

func each(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, sub := range c.Commands() {
		each(sub, do)
	}
}

// advice is a command in a text of the source, up to what is filled in.
var advice = regexp.MustCompile("`broadsheet ([a-z][^`\"%]*)")

// Commands and flags that messages and comments name in backquotes are there.
func TestCommandsThatAreNamedExist(t *testing.T) {
	t.Parallel()
	found := 0
	for _, root := range []string{"../../../cmd", "../../../modules", "../../../platform"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range advice.FindAllStringSubmatch(joined.ReplaceAllString(string(text), ""), -1) {
				found++
				if wrong := unknownIn(strings.Fields(m[1])); wrong != "" {
					t.Errorf("%s: `broadsheet %s`: there is no %s", path, m[1], wrong)
				}
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if found < 30 {
		t.Errorf("got %d commands, want at least 30", found)
	}
}

// joined is where a text of the source goes on in the next line, or around an id.
var joined = regexp.MustCompile(`"\s*\+\s*(?:[a-zA-Z.]+\s*\+\s*)?"`)

// unknownIn returns the first word of a command line that names neither a command nor a flag; "" for none.
func unknownIn(words []string) string {
	c, rest, err := New("test").Find(words)
	if err != nil || c.Name() != words[0] && len(rest) == len(words) {
		return words[0]
	}
	if c.HasSubCommands() && len(rest) > 0 && c.Args == nil {
		return rest[0]
	}
	for _, word := range rest {
		if name, isFlag := strings.CutPrefix(word, "--"); isFlag && c.Flags().Lookup(name) == nil &&
			c.InheritedFlags().Lookup(name) == nil {
			return word
		}
	}
	return ""
}
