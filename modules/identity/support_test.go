package identity

import (
	"errors"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/platform/audit"
	"example.org/broadsheet/platform/testkit"
)

// actionGift is an action of another module.
var actionGift = audit.WithReason("test-gift")

// What support did is written down before it is done, and stays: only the house's own clearing away of what is three
// years old removes a line, and it has to say so.
func TestTheAuditLogIsNotChanged(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	_, id := k.reads(leaver)
	entry := audit.Entry{Operator: "command:jana", Action: ActionShow, ReaderID: id, Reason: "asked by " + leaver}
	if err := audit.Write(k.ctx, k.db, entry); err != nil {
		t.Fatal(err)
	}
	for name, wrong := range map[string]audit.Entry{
		"nobody":           {Action: ActionShow, ReaderID: id},
		"a gift, no why":   {Operator: "x", Action: actionGift, ReaderID: id, Reason: " "},
		"an end, no why":   {Operator: "x", Action: ActionErase, ReaderID: id},
		"what nobody does": {Operator: "x", ReaderID: id},
	} {
		if err := audit.Write(k.ctx, k.db, wrong); err == nil {
			t.Errorf("%s is written down", name)
		}
	}
	owner := testkit.OwnerOf(k.ctx, t, k.db) // not even who owns the tables
	for _, statement := range []string{
		"UPDATE identity_audit SET reason = ''", "DELETE FROM identity_audit", "TRUNCATE identity_audit",
		"SELECT set_config('identity.kept_since', '2000-01-01', true); DELETE FROM identity_audit",
		"SELECT set_config('identity.kept_since', '9999-01-01', true); UPDATE identity_audit SET reason = ''",
		"SELECT set_config('identity.kept_since', '9999-01-01', true); TRUNCATE identity_audit",
	} {
		_, err := owner.ExecContext(k.ctx, statement)
		if err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", statement, err)
		}
	}
	lines := func() int { return k.count("SELECT count(*) FROM identity_audit WHERE reason = 'asked by -@-'") }
	for _, step := range []struct {
		wait time.Duration
		left int
	}{{audit.Kept - time.Hour, 1}, {2 * time.Hour, 0}} {
		k.wait(step.wait)
		testkit.Retain(k.ctx, t, k.db, audit.Retentions())
		if lines() != step.left {
			t.Errorf("%d lines are left, want %d", lines(), step.left)
		}
	}
	if _, err := FindAccount(k.ctx, k.db, 987654); !errors.Is(err, reader.ErrUserNotExists) {
		t.Error(err)
	}
}
