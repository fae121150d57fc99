package app

import (
	"context"
	"strings"
	"testing"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// Withdrawals that nobody has confirmed are listed, and confirmed for their sender with a trace.
func TestWithdrawalCommands(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	const id = "standard"
	ed, _ := p.app.registry.Get(id)
	ctx, d := edition.With(t.Context(), ed), p.app.DB
	if err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(`INSERT INTO billing_withdrawals (name, email, contract, created_at, received_at, state)
			VALUES (?, 'eva@example.org', 'gift', now(), now(), 'received')`, "Eva\n\x1b[2JNová").Exec(ctx)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args  []string
		says  string
		err   string
		trace int64
	}{
		{args: []string{"list"}, says: "eva@example.org  Eva [2JNová"},
		{args: []string{"confirm", "x", "--reason", "r"}, err: "withdrawal list"},
		{args: []string{"confirm", "99", "--reason", "r"}, err: "has this number"},
		{args: []string{"confirm", "1"}, err: "--reason"},
		{
			args: []string{"confirm", "1", "--reason", "showed the invoice", "--dry-run"},
			says: "nothing is changed: withdrawal 1",
		},
		{
			args: []string{"confirm", "1", "--reason", "showed the invoice", "--operator", "jana"},
			says: "withdrawal 1 (gift) is confirmed", trace: 1,
		},
		{args: []string{"confirm", "1", "--reason", "again"}, err: "has this number"},
		{args: []string{"list", "--all"}, says: "eva@example.org"},
	} {
		count := func() int64 {
			return queryNumber(ctx, t, d, "SELECT count(*) FROM identity_audit WHERE operator = 'command:jana' AND action = "+
				"'withdrawal-confirm' AND reason = 'showed the invoice'")
		}
		before := count()
		out, err := p.command(append(append([]string{"withdrawal"}, c.args...), "--edition", id)...)
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) ||
			!strings.Contains(out, c.says) {
			t.Errorf("%v: %q, %v", c.args, out, err)
		}
		if got := count() - before; got != c.trace {
			t.Errorf("%v leaves %d traces, not %d", c.args, got, c.trace)
		}
	}
	if out, err := p.command("withdrawal", "list", "--edition", id); err != nil || strings.Contains(out, "eva@") {
		t.Errorf("%q, %v", out, err)
	}
}
