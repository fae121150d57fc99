package app

import (
	"fmt"
	"strings"
	"testing"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit/wait"
)

// Work that was given up is shown without addresses, comes back by its number or as a whole, and leaves a trace of who
// did it and why.
func TestJobsCommands(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	const id = "standard"
	ed, _ := p.app.registry.Get(id)
	ctx, d := edition.With(t.Context(), ed), p.app.DB
	if err := runSQL(ctx, d, `INSERT INTO outbox (event, payload, created_at, due_at, next_at, attempts, dead_at,
		last_error)
		SELECT 'test.given_up', '{}', now(), now(), now(), 40, now(), 'no mailbox of someone@example.org' FROM
		generate_series(1, 3)`); err != nil {
		t.Fatal(err)
	}
	first := queryNumber(ctx, t, d, "SELECT min(id) FROM outbox WHERE dead_at IS NOT NULL")
	dead := func() int64 { return queryNumber(ctx, t, d, "SELECT count(*) FROM outbox WHERE dead_at IS NOT NULL") }
	entries := func() int64 { return queryNumber(ctx, t, d, "SELECT count(*) FROM identity_audit") }
	row := fmt.Sprint(first)
	for _, c := range []struct {
		args  []string
		says  string
		err   string
		dead  int64
		trace int64
	}{
		{args: []string{"list"}, says: "LAST ERROR", dead: 3},
		{args: []string{"list", "--limit", "0"}, err: "1 at least", dead: 3},
		{args: []string{"list", "--dead"}, says: "no mailbox of -@-", dead: 3},
		{args: []string{"requeue"}, err: "name the rows", dead: 3},
		{args: []string{"requeue", row, "--all"}, err: "name the rows", dead: 3},
		{args: []string{"requeue", "first"}, err: "no number", dead: 3},
		{args: []string{"requeue", row}, err: "--reason", dead: 3},
		{args: []string{"requeue", row, "999999", "--reason", "it works again"}, err: "only 1 of these 2", dead: 3},
		{args: []string{"requeue", row, "--dry-run"}, says: "1 rows would be", dead: 3},
		{args: []string{"requeue", "--all", "--dry-run"}, says: "3 rows would be", dead: 3},
		{
			args: []string{"requeue", row, "--reason", "it works again", "--operator", "jana"}, says: "1 rows are",
			dead: 2, trace: 1,
		},
		{args: []string{"requeue", row, "--reason", "it works again"}, err: "only 0 of these 1", dead: 2},
		{args: []string{"requeue", "--all", "--reason", "it works again"}, says: "2 rows are", trace: 1},
	} {
		before := entries()
		out, err := p.command(append(append([]string{"jobs"}, c.args...), "--edition", id)...)
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) ||
			!strings.Contains(out, c.says) || strings.Contains(out, "someone@") {
			t.Errorf("%v: %q, %v", c.args, out, err)
		}
		if got := entries() - before; got != c.trace || dead() != c.dead {
			t.Errorf("%v leaves %d traces and %d rows that were given up", c.args, got, dead())
		}
	}
	wait.Until(t, "what came back is done", func() bool {
		return queryNumber(ctx, t, d,
			"SELECT count(*) FROM outbox WHERE event = 'test.given_up' AND done_at IS NOT NULL") == 3
	})
	if n := queryNumber(ctx, t, d, "SELECT count(*) FROM identity_audit WHERE operator = 'command:jana' AND action = "+
		"'jobs-requeue' AND detail = ?", "rows "+row); n != 1 {
		t.Error("the audit log does not say who brought what back")
	}
}
