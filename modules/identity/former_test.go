package identity

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"example.org/broadsheet/modules/identity/help"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/privacy"
	"example.org/broadsheet/platform/retention"
	"example.org/broadsheet/platform/testkit"
)

// moves changes a reader's address, confirmed in both mailboxes.
func (k *env) moves(ctx context.Context, to string) {
	k.t.Helper()
	k.wait(secret.ResendAfter)
	k.work() // what was not sent before
	before := len(k.emails)
	if err := k.RequestAddressChange(ctx, to, "192.0.2.7"); err != nil {
		k.t.Fatal(err)
	}
	k.work()
	for _, l := range k.emails[before:] {
		if _, err := k.ConfirmAddressChangeByCode(ctx, read(l).code, "192.0.2.7", false); err != nil {
			k.t.Fatal(l.Kind, err)
		}
	}
	k.work() // the old address is told
}

// exported is all that the export of a reader has, as text.
func (k *env) exported(id int64) string {
	k.t.Helper()
	_, raw, err := k.Data.ExportOf(k.ctx, id)
	if err != nil {
		k.t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		k.t.Fatal(err)
	}
	f, err := z.Open("data.json")
	if err != nil {
		k.t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		k.t.Fatal(err)
	}
	return string(text)
}

// What is known by the addresses that a reader had before, or was about to have, is exported and forgotten too, until
// somebody else began to use them; and long after the changes.
func TestFormerAddressesAreForgotten(t *testing.T) {
	t.Parallel()
	const first, second, third, asked, elses = "first@reader.test", "second@reader.test", "third@reader.test",
		"asked@reader.test", "elses@reader.test"
	k := newEnv(t)
	delete(k.listens, string(event.ReaderErased))
	k.keep(privacy.Part{Name: "mail", Keeper: mail.Kept{DB: k.db}})
	ctx, id := k.reads(first)
	k.logs("hers: first", first)
	if err := k.help.Ask(k.ctx,
		help.Message{Name: "Eva", Email: first, Text: "I forgot it.", Network: "192.0.2.7"}); err != nil {
		t.Fatal(err)
	}
	k.moves(ctx, second)
	k.logs("hers: second", second)
	k.moves(ctx, third)
	k.logs("hers: third", third)
	testkit.Clock(k.db).Advance(2 * addressKept)
	of := slices.IndexFunc(retentions, func(r retention.Rule) bool { return r.Name == "identity_address_changes" })
	testkit.Retain(k.ctx, t, k.db, retentions[of:of+1])
	ctx, again := k.reads(third)
	if again != id {
		t.Fatal("another reader")
	}

	k.wait(secret.ResendAfter)
	if _, other := k.reads(first); other == id { // who has the first address now
		t.Fatal("no other reader")
	}
	k.logs("another's: first", first)
	if err := k.help.Ask(k.ctx,
		help.Message{Name: "Boris", Email: first, Text: "I forgot it as well.", Network: "192.0.2.7"}); err != nil {
		t.Fatal(err)
	}
	k.logs("another's: asked", asked)
	k.wait(secret.ResendAfter)
	for _, to := range []string{asked, elses} { // asked for, and never confirmed: who knows whose they are
		if err := k.RequestAddressChange(ctx, to, "192.0.2.7"); err != nil {
			t.Fatal(err)
		}
		k.work()
		change := k.count("SELECT max(id) FROM identity_address_changes")
		k.logs(fmt.Sprintf("address:%d:new", change), to)
		k.wait(secret.ResendAfter)
	}

	out := k.exported(id)
	if !strings.Contains(out, "I forgot it.") || strings.Contains(out, "as well") ||
		strings.Count(out, `"kind": "bounce"`) != 3 {
		t.Errorf("the export is %s", out)
	}
	if err := k.Data.ConfirmErasure(ctx, k.leaveMail(ctx)); err != nil {
		t.Fatal(err)
	}
	k.finishes(id)
	want := []string{"another's: first", "another's: asked"}
	if emails, reports := k.emailKeys(); !slices.Equal(emails, want) || !slices.Equal(reports, want) {
		t.Errorf("emails %v and reports %v are left, not %v", emails, reports, want)
	}
	if n := k.count("SELECT count(*) FROM identity_help_messages"); n != 1 {
		t.Errorf("%d messages to support", n)
	}
	if n := k.count("SELECT count(*) FROM identity_login_attempts WHERE email IN (?, ?, ?)", first, second,
		third); n != 1 {
		t.Errorf("%d login mails, one is another's", n)
	}
	for _, hidden := range []string{second, third, elses} {
		if n := k.count(`SELECT (SELECT count(*) FROM identity_erasures e WHERE e::text LIKE ?0) + (SELECT count(*) FROM
			identity_address_changes c WHERE c::text LIKE ?0)
			+ (SELECT count(*) FROM outbox o WHERE o::text LIKE ?0)`, "%"+hidden+"%"); n != 0 {
			t.Errorf("%s stands in %d rows", hidden, n)
		}
	}
}
