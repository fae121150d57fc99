package command

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

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
	p.in(id, `INSERT INTO billing_subscriptions (reader_id, provider_id, product, status, amount, paid, currency,
		period_start, period_end, started_at, updated_at) SELECT n, 'sub_' || n, 'product_monthly', status, 796, 796, 'eur',
		?0, ?1, ?0, ?0 FROM (VALUES (1, 'active'), (2, 'past_due'), (3, 'canceled')) s (n, status)`, p.db.Now(), end)
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
