package app

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit/wait"
)

// Support shows, logs out, gives access, exports and erases, says in a dry run what it would do, and leaves a trace
// each time.
func TestSupportCommands(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	const id, address = "standard", "supported@example.org"
	ed, _ := p.app.registry.Get(id)
	ctx, d := edition.With(t.Context(), ed), p.app.DB
	b := p.browser(id)
	p.signIn(b, address)
	reader := queryNumber(ctx, t, d, "SELECT id FROM identity_readers WHERE email = ?", address)
	day := time.Now().AddDate(0, 0, 30).Format(time.DateOnly)
	file := filepath.Join(t.TempDir(), "export.zip")
	signedIn := func() bool { return strings.Contains(b.get("/user/me/").Body, "user_id") }
	entries := func() int64 { return queryNumber(ctx, t, d, "SELECT count(*) FROM identity_audit") }
	byID, byAddress := fmt.Sprintf("--id=%d", reader), "--email="+address
	for _, c := range []struct {
		args  []string
		says  string
		err   string
		trace int64
		after func() bool
	}{
		{args: []string{"show"}, err: "name the reader"},
		{args: []string{"show", byID, byAddress}, err: "name the reader"},
		{args: []string{"show", "--email=nobody@example.org"}, err: "USER_NOT_EXISTS"},
		{args: []string{"show", "--id=999"}, err: "USER_NOT_EXISTS"},
		{args: []string{"show", byAddress, "--dry-run"}, says: "dry run, nothing is changed: reader"},
		{args: []string{"show", byAddress}, says: "address\t" + address, trace: 1},
		{args: []string{"show", byID}, says: "access\tnone", trace: 1},
		{args: []string{"grant", byID, "--until", day}, err: "--reason"},
		{args: []string{"grant", byID, "--until", "soon", "--reason", "a prize"}, err: "such as 2027-01-31"},
		{args: []string{"grant", byID, "--until", "2020-01-01", "--reason", "a prize"}, err: "is over"},
		{args: []string{"grant", byID, "--until", "2040-01-01", "--reason", "a prize"}, err: "two years"},
		{args: []string{"grant", byID, "--until", day, "--reason", "a prize", "--dry-run"}, says: "would have access"},
		{
			args: []string{"grant", byID, "--until", day, "--reason", "a prize for " + address, "--operator", "jana"},
			says: "has access until the end of " + day, trace: 1, after: func() bool {
				var me struct{ Expiration int64 }
				b.get("/user/me/").json(t, &me)
				return me.Expiration > time.Now().AddDate(0, 0, 29).Unix()
			},
		},
		{args: []string{"show", byID}, says: "access\tuntil ", trace: 1},
		{args: []string{"export", byID, "--file", file, "--dry-run"}, says: "would be written"},
		{args: []string{"export", byID, "--file", file}, says: "is in " + file, trace: 1},
		{args: []string{"export", byID, "--file", file}, err: "exists", trace: 1},
		{args: []string{"end-sessions", byID, "--dry-run"}, says: "1 sessions", after: signedIn},
		{args: []string{"end-sessions", byID}, says: "1 sessions of reader", trace: 1, after: func() bool {
			return !signedIn()
		}},
		{args: []string{"erase", byID}, err: "--reason"},
		{
			args: []string{"erase", byID, "--reason", "asked by letter", "--dry-run"},
			says: "would be erased and lose access until",
		},
		{args: []string{"erase", byID, "--reason", "asked by letter"}, says: "is being erased", trace: 1, after: func() bool {
			return queryNumber(ctx, t, d, "SELECT count(*) FROM identity_erasures WHERE reader_id = ? AND finished_at IS NOT "+
				"NULL",
				reader) == 1
		}},
		{args: []string{"erase", byID, "--reason", "asked by letter"}, says: "was erased before", trace: 1},
		{args: []string{"grant", byID, "--until", day, "--reason", "a prize"}, err: "was erased"},
		{args: []string{"show", byAddress}, err: "USER_NOT_EXISTS"},
	} {
		before := entries()
		out, err := p.command(append(append([]string{"reader"}, c.args...), "--edition", id)...)
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) ||
			!strings.Contains(out, c.says) {
			t.Errorf("%v: %q, %v", c.args, out, err)
		}
		if got := entries() - before; got != c.trace {
			t.Errorf("%v leaves %d traces, not %d", c.args, got, c.trace)
		}
		if c.after != nil {
			wait.Until(t, strings.Join(c.args, " ")+" counts", c.after)
		}
	}
	if n := queryNumber(ctx, t, d, "SELECT count(*) FROM identity_audit WHERE operator = 'command:jana' AND action = "+
		"'grant' "+
		"AND reason = 'a prize for -@-' AND detail = ?", "until "+day); n != 1 {
		t.Error("the audit log does not say who gave access, and why, without the address")
	}
	for _, q := range []string{
		"UPDATE identity_audit SET reason = ''", "DELETE FROM identity_audit",
		"TRUNCATE identity_audit",
	} {
		if err := runSQL(ctx, d, q); err == nil {
			t.Errorf("%s is possible", q)
		}
	}
}
