package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

// editions runs `edition …` against a database of the test's own.
func editions(t *testing.T) (run func(args ...string) (string, error), write func(id, host string) string) {
	t.Helper()
	d := testkit.Empty(t)
	open := func(cmd *cobra.Command) (*db.DB, *edition.Registry, func(), error) {
		r := edition.NewRegistry(d, "https://{host}", nil)
		return d, r, func() {}, r.Load(cmd.Context())
	}
	run = func(args ...string) (string, error) {
		var out bytes.Buffer
		c := editionCommand(open, nil, func() bool { return true })
		c.SilenceErrors, c.SilenceUsage = true, true
		c.SetOut(&out)
		c.SetErr(&out)
		c.SetArgs(args)
		err := c.ExecuteContext(t.Context())
		return out.String(), err
	}
	standard, err := os.ReadFile(filepath.Join("..", "..", "..", "tenants", "standard.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write = func(id, host string) string {
		text := strings.NewReplacer("\nid: standard\n", "\nid: "+id+"\n", "[sk.localhost]", "["+host+"]", "'99123456'",
			"'"+id+"'", "bank_transfer: true", "bank_transfer: false").Replace(string(standard))
		file := filepath.Join(dir, id+"-"+host+".yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := d.Deprovision(context.Background(), d.Core(), id); err != nil {
				t.Error(err)
			}
		})
		return file
	}
	return run, write
}

func TestEditionCommands(t *testing.T) {
	t.Parallel()
	run, write := editions(t)
	one, two := testkit.Name("one"), testkit.Name("two")
	first, second := write(one, "one.test"), write(two, "two.test")
	same := filepath.Join(t.TempDir(), "same.yaml")
	text, err := os.ReadFile(second)
	if err == nil {
		err = os.WriteFile(same, bytes.ReplaceAll(text, []byte("'"+two+"'"), []byte("'99123456'")), 0o600)
	}
	// Take transfers into one account.
	shared := []string{filepath.Join(t.TempDir(), "a.yaml"), filepath.Join(t.TempDir(), "b.yaml")}
	for i, from := range []string{first, second} {
		if err == nil {
			text, err = os.ReadFile(from)
		}
		if err == nil {
			err = os.WriteFile(shared[i], bytes.Replace(text, []byte("bank_transfer: false"), []byte("bank_transfer: true"), 1),
				0o600)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		args      []string
		says, err string
	}{
		{args: []string{"list"}, says: "EDITION"},
		{args: []string{"check", first, second}, says: "2 documents are good"},
		{args: []string{"check", first, write(two, "one.test")}, err: "one.test is that of"},
		{args: []string{"check", first, first}, err: "is that of"},
		{
			args: []string{"check", first, filepath.Join("..", "..", "..", "tenants", "standard.yaml"), same},
			err:  "would have the same numbers",
		},
		{
			args: []string{"check", shared[0], shared[1]},
			err:  "the orders of " + shared[0] + " would have the same references",
		},
		{args: []string{"check", shared[0], second}, says: "2 documents are good"},
		{args: []string{"check", "nowhere.yaml"}, err: "nowhere.yaml"},
		{args: []string{"add", first}, says: one + " is live at https://one.test"},
		{args: []string{"add", first}, err: "is there already"},
		{args: []string{"add"}, err: "accepts 1 arg"},
		{args: []string{"apply", first, second}, says: two + " is live at https://two.test"},
		{args: []string{"apply", write(two, "one.test")}, err: "one.test is that of edition " + one},
		{args: []string{"check", write(testkit.Name("three"), "one.test")}, err: "one.test is that of edition " + one},
		{args: []string{"check", write(two, "one.test"), write(one, "two.test")}, says: "2 documents are good"},
		{args: []string{"list"}, says: two + "  live"},
		{args: []string{"check"}, says: "2 editions are good"},
		{args: []string{"remove", one}, err: "say --yes"},
		{args: []string{"remove", one, "--drop"}, err: "destroys all its data"},
		{args: []string{"remove", one, "--yes"}, says: one + " is removed"},
		{args: []string{"list"}, says: one + "  disabled"},
		{args: []string{"add", first}, says: "is live"},
		{args: []string{"remove", one, "--yes", "--drop"}, err: "out of service for 30 days"},
		{args: []string{"remove", one, "--yes", "--drop", "--at-once"}, says: "is removed"},
		{args: []string{"remove", one, "--yes"}, err: "there is no such edition"},
	} {
		out, err := run(step.args...)
		if (err != nil) != (step.err != "") || (err != nil && !strings.Contains(err.Error(), step.err)) ||
			!strings.Contains(out, step.says) {
			t.Errorf("%v: %q, %v", step.args, out, err)
		}
	}
}

// The program checks what each module reads of a document.
func TestEverySectionIsChecked(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "tenants", "standard.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	bad := strings.NewReplacer("theme: sk", "theme: '?'", "period: month", "period: day", "currency: EUR", "currency: XXX",
		"registration: open", "registration: maybe", "sections: 7", "sections: 0", "kind: brief", "kind: weekly").
		Replace(string(text))
	_, err = edition.Parse("x.yaml", []byte(bad))
	for _, key := range []string{
		"theme", "meter.period", "billing.currency", "identity.registration", "consent.accordions[0].sections",
		"newsletters[0].kind",
	} {
		if err == nil || !strings.Contains(err.Error(), key+": ") {
			t.Errorf("got %v, want it to name %s", err, key)
		}
	}
}
