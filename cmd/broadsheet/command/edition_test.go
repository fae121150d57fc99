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

// untried lets editions enter service as they are; the smoke test is tested where the pages are.
var untried = trial{
	smoke: func(context.Context, *db.DB, *edition.Edition) error { return nil },
	fill:  func(context.Context, *db.DB, string) error { return nil },
}

// testEditions runs `edition …` against a database of the test's own.
type testEditions struct {
	t   *testing.T
	db  *db.DB
	try trial
	end subscriptionEnder
	// keys finds accounts at the payment provider; nil for none.
	keys keyOpener
}

func newTestEditions(t *testing.T) *testEditions {
	t.Helper()
	return &testEditions{t: t, db: testkit.Empty(t), try: untried}
}

func (p *testEditions) command() *cobra.Command {
	open := func(cmd *cobra.Command) (*db.DB, *edition.Registry, func(), error) {
		r := edition.NewRegistry(p.db, "https://{host}", nil)
		return p.db, r, func() {}, r.Load(cmd.Context())
	}
	c := editionCommand(open, p.keys, func() bool { return true }, p.try, p.end)
	c.SilenceErrors, c.SilenceUsage = true, true
	return c
}

// run runs a command on what is typed.
func (p *testEditions) run(typed string, args ...string) (string, error) {
	var out bytes.Buffer
	c := p.command()
	c.SetIn(strings.NewReader(typed))
	c.SetOut(&out)
	c.SetErr(&out)
	c.SetArgs(args)
	err := c.ExecuteContext(p.t.Context())
	return out.String(), err
}

// write makes the document of an edition, which is dropped with the test.
func (p *testEditions) write(id, host string) string {
	p.t.Helper()
	standard, err := os.ReadFile(filepath.Join("..", "..", "..", "tenants", "standard.yaml"))
	if err != nil {
		p.t.Fatal(err)
	}
	text := strings.NewReplacer("\nid: standard\n", "\nid: "+id+"\n", "[sk.localhost]", "["+host+"]", "'99123456'",
		"'"+id+"'", "bank_transfer: true", "bank_transfer: false").Replace(string(standard))
	file := filepath.Join(p.t.TempDir(), id+"-"+host+".yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
	p.forget(id)
	return file
}

// forget drops an edition with the test: the database is thrown away, roles are the server's.
func (p *testEditions) forget(id string) {
	p.t.Cleanup(func() {
		if err := p.db.Deprovision(context.Background(), p.db.Core(), id); err != nil {
			p.t.Error(err)
		}
	})
}

func TestEditionCommands(t *testing.T) {
	t.Parallel()
	p := newTestEditions(t)
	write := p.write
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
		{args: []string{"add"}, err: "name the document"},
		{args: []string{"add", second, "--from", first}, err: "--from is for --interactive"},
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
		out, err := p.run("", step.args...)
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
