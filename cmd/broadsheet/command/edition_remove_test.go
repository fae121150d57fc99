package command

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/uptrace/bun"

	"example.org/broadsheet/cmd/broadsheet/backup"
	"example.org/broadsheet/cmd/broadsheet/doctor"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

// in runs SQL in an edition.
func (p *testEditions) in(id, sql string, args ...any) {
	p.t.Helper()
	r := edition.NewRegistry(p.db, "https://{host}", nil)
	if err := r.Load(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
	ed, ok := r.Get(id)
	if !ok {
		p.t.Fatalf("%s is not in service", id)
	}
	if err := p.db.Run(edition.With(p.t.Context(), ed), func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(sql, args...).Exec(ctx)
		return err
	}); err != nil {
		p.t.Fatal(err)
	}
}

// sells has three readers of an edition subscribe until a day; one subscription has ended.
func (p *testEditions) sells(id string, until time.Time) {
	p.t.Helper()
	p.in(id, `INSERT INTO billing_subscriptions (reader_id, provider_id, product, status, amount, paid, currency,
		period_start, period_end, started_at, updated_at) SELECT n, 'sub_' || n, 'product_monthly', status, 796, 796, 'eur',
		?0, ?1, ?0, ?0 FROM (VALUES (1, 'active'), (2, 'past_due'), (3, 'canceled')) s (n, status)`, p.db.Now(), until)
}

// While the provider charges its readers, an edition stays in service, and its data stays.
func TestEditionRemove_Subscriptions(t *testing.T) {
	t.Parallel()
	p := newTestEditions(t)
	id := testkit.Name("sells")
	file := p.write(id, "sells.test")
	if out, err := p.run("", "add", file); err != nil {
		t.Fatal(out, err)
	}
	end := p.db.Now().AddDate(0, 0, 20)
	p.sells(id, end)
	zone, err := time.LoadLocation("Europe/Bratislava")
	if err != nil {
		t.Fatal(err)
	}
	until := end.In(zone).Format(time.DateOnly)
	p.end = func(_ *cobra.Command, named string) error {
		p.in(named, "UPDATE billing_subscriptions SET cancel_at_period_end = true WHERE status = 'active'")
		p.in(named, "UPDATE billing_subscriptions SET status = 'canceled' WHERE status = 'past_due'")
		return nil
	}
	over := func() { p.in(id, "UPDATE billing_subscriptions SET status = 'canceled'") }
	for _, step := range []struct {
		args      []string
		before    func()
		says, err string
	}{
		{args: []string{"--yes"}, err: "2 subscriptions run in " + id + ", the last until " + until},
		{args: []string{"--yes", "--drop", "--at-once"}, err: "would go on charging 2:"},
		{args: []string{"--end-subscriptions"}, err: "ends all subscriptions of the edition; say --yes"},
		{args: []string{"--yes", "--end-subscriptions", "--keep-subscriptions"}, err: "keep-subscriptions"},
		{args: []string{"--yes", "--keep-subscriptions"}, says: "2 subscriptions run on at the payment provider"},
		{args: []string{"--yes", "--drop", "--at-once"}, err: "2 subscriptions run in " + id},
		{
			args: []string{"--yes", "--end-subscriptions"}, before: func() { _, _ = p.run("", "add", file) },
			says: "1 subscription runs on in " + id + ", the last until " + until,
		},
		{args: []string{"--yes"}, err: "would go on charging 0:"},
		{args: []string{"--yes", "--end-subscriptions"}, before: over, says: "no subscription runs in " + id},
		{args: []string{"--yes"}, says: id + " is removed"},
		{args: []string{"--yes", "--drop", "--at-once"}, says: id + " is removed"},
	} {
		if step.before != nil {
			step.before()
		}
		out, err := p.run("", append([]string{"remove", id}, step.args...)...)
		if (err != nil) != (step.err != "") || err != nil && !strings.Contains(err.Error(), step.err) ||
			!strings.Contains(out, step.says) {
			t.Errorf("%v: got %q, %v; want %q, %q", step.args, out, err, step.says, step.err)
		}
	}
}

// advised is a command that a text advises.
var advised = regexp.MustCompile("`broadsheet edition (remove [^`]+)`")

// What restore and doctor advise for an edition that is in the way removes it.
func TestEditionRemove_Advised(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before func(p *testEditions, id string)
		advice func(p *testEditions, r *edition.Registry, id string) string
		says   string
	}{
		"restore, of an edition that is there": {
			func(p *testEditions, id string) { p.sells(id, p.db.Now().AddDate(0, 0, 20)) },
			func(p *testEditions, r *edition.Registry, id string) string {
				m := &backup.Manifest{Editions: []backup.Part{{ID: id}}}
				return fmt.Sprint(backup.Restore(p.t.Context(), backup.Source{DB: p.db, Registry: r}, "", m, []string{id}))
			}, "2 subscriptions run on at the payment provider",
		},
		"restore, of one that is out of service": {
			func(p *testEditions, id string) {
				p.sells(id, p.db.Now().AddDate(0, 0, 20))
				if out, err := p.run("", "remove", id, "--yes", "--keep-subscriptions"); err != nil {
					p.t.Fatal(out, err)
				}
			},
			func(p *testEditions, r *edition.Registry, id string) string {
				m := &backup.Manifest{Editions: []backup.Part{{ID: id}}}
				return fmt.Sprint(backup.Restore(p.t.Context(), backup.Source{DB: p.db, Registry: r}, "", m, []string{id}))
			}, "2 subscriptions run on at the payment provider",
		},
		"doctor, of a schema that is lost": {
			func(p *testEditions, id string) {
				if _, err := p.db.Core().NewRaw("DROP SCHEMA ? CASCADE", bun.Ident(edition.SchemaOf(id))).
					Exec(p.t.Context()); err != nil {
					p.t.Fatal(err)
				}
			},
			func(p *testEditions, r *edition.Registry, id string) string {
				return fmt.Sprint(doctor.Examine(p.t.Context(), &doctor.Paper{
					Config: &config.Config{}, Database: p.db, Registry: r, Offline: true, MediaDir: p.t.TempDir(),
					Keys: func(string) (stripe.Keys, error) { return stripe.Keys{}, nil },
				}))
			}, "its subscriptions could not be counted",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newTestEditions(t)
			id := testkit.Name("copy")
			if out, err := p.run("", "add", p.write(id, "copy.test")); err != nil {
				t.Fatal(out, err)
			}
			c.before(p, id)
			if out, err := p.run("", "remove", id, "--yes", "--drop", "--at-once"); err == nil ||
				!strings.Contains(err.Error(), "--keep-subscriptions") {
				t.Errorf("without the word about subscriptions: got %q, %v", out, err)
			}
			r := edition.NewRegistry(p.db, "https://{host}", nil)
			if err := r.Load(t.Context()); err != nil {
				t.Fatal(err)
			}
			found := advised.FindStringSubmatch(c.advice(p, r, id))
			if found == nil {
				t.Fatal("got no advice")
			}
			out, err := p.run("", strings.Fields(found[1])...)
			if err != nil || !strings.Contains(out, id+" is removed\n") || !strings.Contains(out, c.says) {
				t.Errorf("%s: got %q, %v; want %q", found[1], out, err, c.says)
			}
			if list, err := r.List(t.Context()); err != nil || len(list) != 0 {
				t.Errorf("got %+v, %v in the registry, want nothing", list, err)
			}
		})
	}
}
