package identity

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/privacy"
)

// erasing is a desk whose erasures are stuck until the drawer opens; the test runs them itself.
func erasing(t *testing.T) (*env, *fakeHolder) {
	t.Helper()
	k := newEnv(t)
	delete(k.listens, string(event.ReaderErased))
	stuck := &fakeHolder{broken: true}
	k.keep(privacy.Part{Name: "stuck", Keeper: stuck}, privacy.Part{Name: "mail", Keeper: mail.Kept{DB: k.db}})
	return k, stuck
}

// leaves signs in, deletes the account, and lets the erasure get stuck.
func (k *env) leaves(email string) (id int64) {
	k.t.Helper()
	k.wait(secret.ResendAfter)
	ctx, id := k.reads(email)
	if err := k.Data.ConfirmErasure(ctx, k.leaveMail(ctx)); err != nil {
		k.t.Fatal(err)
	}
	if err := k.Data.Finish(k.ctx, event.Erased{ReaderID: id}); err == nil {
		k.t.Fatal("it is not stuck")
	}
	return id
}

// logs writes a line into the log of emails, as sending one does.
func (k *env) logs(key, address string) {
	k.t.Helper()
	k.wait(time.Second)
	k.change("INSERT INTO mail_log (dedupe_key, kind, recipient, message_id, state, created_at, claimed_at) VALUES (?0, "+
		"'login', ?1, ?0, 'sent', ?2, ?2)", key, address, k.db.Now())
	k.change("INSERT INTO mail_reports (dedupe_key, kind, hard, address, letter, message_id, at) VALUES (?0, 'bounce', "+
		"false, ?1, 'login', ?0, ?2)", key, address, k.db.Now())
	k.wait(time.Second)
}

func (k *env) change(query string, args ...any) {
	k.t.Helper()
	if err := k.db.Run(k.ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(query, args...).Exec(ctx)
		return err
	}); err != nil {
		k.t.Fatal(err)
	}
}

func (k *env) emailKeys() (emails, reports []string) {
	k.t.Helper()
	if err := k.db.Run(k.ctx, func(ctx context.Context, tx db.Tx) error {
		return errors.Join(
			tx.NewRaw("SELECT dedupe_key FROM mail_log ORDER BY id").Scan(ctx, &emails),
			tx.NewRaw("SELECT dedupe_key FROM mail_reports ORDER BY id").Scan(ctx, &reports),
		)
	}); err != nil {
		k.t.Fatal(err)
	}
	return emails, reports
}

func (k *env) finishes(id int64) {
	k.t.Helper()
	if err := k.Data.Finish(k.ctx, event.Erased{ReaderID: id}); err != nil {
		k.t.Fatal(err)
	}
	if k.count("SELECT count(*) FROM identity_erasures WHERE reader_id = ? AND finished_at IS NOT NULL AND email = ''",
		id) != 1 {
		k.t.Error("it is not finished")
	}
}

// An erasure that ends late lets be what came to the address when it was somebody else's.
func TestALateErasureKnowsWhoseAnAddressIs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		uses func(k *env) // what makes the address somebody's
		want []string
	}{
		"nobody's":      {func(*env) {}, nil},
		"a new reader":  {func(k *env) { k.wait(secret.ResendAfter); k.reads(leaver) }, []string{"hers"}},
		"asking for it": {func(k *env) { k.wait(secret.ResendAfter); k.ask(leaver) }, []string{"hers"}},
		"to be another's": {func(k *env) {
			ctx, _ := k.reads("boris@reader.test")
			if err := k.RequestAddressChange(ctx, leaver, "192.0.2.7"); err != nil {
				k.t.Fatal(err)
			}
		}, []string{"hers"}},
		"somebody's who has left too": {func(k *env) { k.leaves(leaver) }, []string{"hers"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k, stuck := erasing(t)
			k.logs("his", leaver)
			id := k.leaves(leaver)
			k.logs("on its way when he left", leaver)
			k.logs("a stranger's", "stranger@reader.test")
			c.uses(k)
			k.logs("hers", leaver)
			stuck.broken = false
			k.finishes(id)
			want := append([]string{"a stranger's"}, c.want...)
			if emails, reports := k.emailKeys(); !slices.Equal(emails, want) || !slices.Equal(reports, want) {
				t.Errorf("emails %v and reports %v are left, not %v", emails, reports, want)
			}
		})
	}
}

// Two erasures of one address, one after the other, end both, in any order, with a receipt each.
func TestTwoErasuresOfOneAddress(t *testing.T) {
	t.Parallel()
	for name, order := range map[string][]int{"in turn": {0, 1}, "the later one first": {1, 0}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k, stuck := erasing(t)
			ids := []int64{k.leaves(leaver), k.leaves(leaver)}
			k.logs("her receipt", leaver)
			stuck.broken = false
			sent := len(k.emails)
			k.finishes(ids[order[0]])
			if emails, _ := k.emailKeys(); order[0] == 0 && !slices.Equal(emails, []string{"her receipt"}) {
				t.Errorf("the first one has left %v of the second one's emails", emails)
			}
			k.finishes(ids[order[1]])
			if emails, reports := k.emailKeys(); len(emails)+len(reports) != 0 {
				t.Errorf("%v and %v are left", emails, reports)
			}
			if len(k.emails) != sent+2 || k.emails[sent].Key == k.emails[sent+1].Key {
				t.Errorf("%d receipts", len(k.emails)-sent)
			}
		})
	}
}

// Whoever asks for an address that has become free keeps the change, however late the erasure of its former reader
// ends.
func TestALateErasureLeavesAChangeOfAddress(t *testing.T) {
	t.Parallel()
	k, stuck := erasing(t)
	boris, borisID := k.reads("boris@reader.test")
	early, earlyID := k.reads("early@reader.test")
	if err := k.RequestAddressChange(early, leaver, "192.0.2.7"); err != nil { // nobody has it yet
		t.Fatal(err)
	}
	k.work()
	k.wait(secret.ResendAfter)
	ctx, id := k.reads(leaver)
	if err := k.RequestAddressChange(boris, leaver, "192.0.2.7"); err != nil { // it is hers: he cannot have it
		t.Fatal(err)
	}
	if err := k.Data.ConfirmErasure(ctx, k.leaveMail(ctx)); err != nil {
		t.Fatal(err)
	}
	changes := func(readerID int64) int {
		return k.count("SELECT count(*) FROM identity_address_changes WHERE reader_id = ? AND new_email = ?",
			readerID, leaver)
	}
	if changes(borisID) != 0 || changes(earlyID) != 1 {
		t.Errorf("%d changes are left of who asked for her address, %d of who asked before her", changes(borisID),
			changes(earlyID))
	}
	k.wait(secret.ResendAfter)
	if err := k.RequestAddressChange(boris, leaver, "192.0.2.7"); err != nil { // now he can
		t.Fatal(err)
	}
	stuck.broken = false
	k.finishes(id)
	if changes(borisID) != 1 || changes(earlyID) != 1 {
		t.Error("a change that waits for its reader is gone")
	}
}
