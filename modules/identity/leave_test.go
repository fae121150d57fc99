package identity

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"example.org/broadsheet/modules/identity/personaldata"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/privacy"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// fakeHolder keeps nothing and remembers who was forgotten.
type fakeHolder struct {
	broken  bool
	forgets []privacy.Reader
	until   time.Time
	erasing func() // happens meanwhile
}

func (d *fakeHolder) Export(context.Context, privacy.Reader) ([]privacy.Table, error) {
	return []privacy.Table{{Name: "drawer", Columns: []string{"a"}, Rows: [][]any{{"b"}}}}, nil
}

func (d *fakeHolder) Erase(_ context.Context, r privacy.Reader) error {
	d.forgets = append(d.forgets, privacy.Reader{ID: r.ID, Email: r.Email})
	d.until = r.Until
	if d.erasing != nil {
		d.erasing()
	}
	if d.broken {
		return errors.New("the drawer is stuck")
	}
	return nil
}

const leaver = "leaver@reader.test"

// reads signs in and returns a context that speaks for the reader.
func (k *env) reads(email string) (context.Context, int64) {
	k.t.Helper()
	o, err := k.SignIn(k.ctx, email, k.ask(email).code, k.fromHome)
	if err != nil {
		k.t.Fatal(err)
	}
	s, ok, err := k.Sessions.Authenticate(k.ctx, o.Token)
	if err != nil || !ok {
		k.t.Fatal(ok, err)
	}
	return session.With(k.ctx, s), s.ReaderID
}

func (k *env) keep(parts ...privacy.Part) {
	k.dataHolders = slices.Concat(parts, []privacy.Part{{Name: "identity", Keeper: k.Data}})
}

// leaveMail asks for the code and returns it.
func (k *env) leaveMail(ctx context.Context) string {
	k.t.Helper()
	k.wait(secret.ResendAfter)
	if err := k.Data.RequestErasure(ctx); err != nil {
		k.t.Fatal(err)
	}
	k.work()
	l := k.emails[len(k.emails)-1]
	if l.Kind != "leave" {
		k.t.Fatalf("the email is %q", l.Kind)
	}
	return read(l).code
}

func TestLeaveTakesTheNewestCode(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	k.keep()
	ctx, id := k.reads(leaver)
	if err := k.Data.ConfirmErasure(ctx, "123456"); !errors.Is(err, secret.ErrInvalidCode) {
		t.Errorf("without a mail: %v", err)
	}
	first := k.leaveMail(ctx)
	sent := len(k.emails)
	if err := k.Data.RequestErasure(ctx); err != nil {
		t.Fatal(err)
	}
	if k.work(); len(k.emails) != sent {
		t.Error("asked twice within a minute, it mails twice")
	}
	second := k.leaveMail(ctx)
	if n := k.count("SELECT count(*) FROM identity_leaves WHERE superseded_at IS NULL"); n != 1 {
		t.Errorf("%d codes are open", n)
	}
	// And were it not so, the newest alone would count.
	if err := k.db.InTx(k.ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw("UPDATE identity_leaves SET superseded_at = NULL").Exec(ctx)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		code string
		want error
	}{
		"an earlier one": {first, secret.ErrInvalidCode}, "a wrong one": {wrong(second), secret.ErrInvalidCode},
		"none": {"abc", secret.ErrInvalidCode},
	} {
		if err := k.Data.ConfirmErasure(ctx, c.code); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := k.Data.ConfirmErasure(k.ctx, second); !errors.Is(err, web.ErrNotSignedIn) {
		t.Errorf("without a session: %v", err)
	}
	other, _ := k.reads("other@reader.test")
	if err := k.Data.ConfirmErasure(other, second); !errors.Is(err, secret.ErrInvalidCode) {
		t.Errorf("somebody else's code: %v", err)
	}
	k.wait(secret.TTL)
	if err := k.Data.ConfirmErasure(ctx, second); !errors.Is(err, personaldata.ErrNotDeleted) {
		t.Errorf("too late: %v", err)
	}
	third := k.leaveMail(ctx)
	for range secret.MaxTries {
		_ = k.Data.ConfirmErasure(ctx, wrong(third))
	}
	if err := k.Data.ConfirmErasure(ctx, third); !errors.Is(err, secret.ErrTooManyAttempts) {
		t.Errorf("after %d wrong ones: %v", secret.MaxTries, err)
	}
	if n := k.count("SELECT count(*) FROM identity_readers WHERE erased_at IS NOT NULL"); n != 0 {
		t.Fatal("an account was deleted")
	}
	fourth := k.leaveMail(ctx)
	if err := k.Data.ConfirmErasure(ctx, fourth[:3]+" "+fourth[3:]); err != nil {
		t.Fatal(err)
	}
	if n := k.count("SELECT count(*) FROM identity_readers WHERE id = ? AND email = 'erased:' || id AND erased_at IS "+
		"NOT NULL", id); n != 1 {
		t.Error("the account is there")
	}
}

// What one part cannot forget now, it forgets later; the others are not asked again, and the receipt comes once, at
// the end.
func TestErasureGoesOnUntilItIsDone(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	delete(k.listens, string(event.ReaderErased)) // the test does it itself
	stuck, fine := &fakeHolder{broken: true}, &fakeHolder{}
	k.keep(privacy.Part{Name: "stuck", Keeper: stuck}, privacy.Part{Name: "fine", Keeper: fine})
	ctx, id := k.reads(leaver)
	code := k.leaveMail(ctx)
	if err := k.Data.ConfirmErasure(ctx, code); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := k.Sessions.Authenticate(k.ctx, "x"); ok || k.sessionsMade() != 0 {
		t.Error("a session is left")
	}
	emails := len(k.emails)
	for range 2 {
		if err := k.Data.Finish(k.ctx, event.Erased{ReaderID: id}); err == nil {
			t.Fatal("it is said to be done")
		}
	}
	want := privacy.Reader{ID: id, Email: leaver}
	if len(stuck.forgets) != 2 || !slices.Equal(fine.forgets, []privacy.Reader{want}) || len(k.emails) != emails {
		t.Errorf("stuck %v, fine %v, %d emails", stuck.forgets, fine.forgets, len(k.emails)-emails)
	}
	again, newID := k.reads(leaver)
	if newID == id {
		t.Error("who registers with the address is the one who left")
	}
	stuck.broken = false
	emails = len(k.emails)
	if err := k.Data.Resume(k.ctx); err != nil || len(stuck.forgets) != 2 {
		t.Errorf("%v: the outbox is still at it, and was not waited for", err)
	}
	k.wait(2 * time.Hour)
	for range 2 {
		if err := k.Data.Resume(k.ctx); err != nil {
			t.Fatal(err)
		}
		if err := k.Data.Finish(k.ctx, event.Erased{ReaderID: id}); err != nil {
			t.Fatal(err)
		}
	}
	if len(stuck.forgets) != 3 || len(fine.forgets) != 1 || len(k.emails) != emails+1 ||
		k.emails[emails].Kind != "erased" || k.emails[emails].To != leaver {
		t.Errorf("stuck %v, fine %v, emails %v", stuck.forgets, fine.forgets, k.emails[emails:])
	}
	if n := k.count("SELECT count(*) FROM identity_erasures WHERE email = '' AND finished_at IS NOT NULL"); n != 1 {
		t.Error("the address is kept")
	}
	if err := k.Data.ConfirmErasure(again, k.leaveMail(again)); err != nil { // the same address a second time
		t.Error(err)
	}
	if n := k.count("SELECT count(*) FROM identity_tombstones"); n != 1 {
		t.Errorf("%d tombstones of one address", n)
	}
}

// The one who registers with the address while the account is still being erased gets a mail, and in.
func TestRegisteringWhileBeingErased(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	delete(k.listens, string(event.ReaderErased)) // the test does it itself
	var asked receivedEmail
	other := &fakeHolder{erasing: func() {
		k.wait(time.Second)
		asked = k.ask(leaver)
	}}
	k.keep(privacy.Part{Name: "other", Keeper: other})
	ctx, id := k.reads(leaver)
	if err := k.Data.ConfirmErasure(ctx, k.leaveMail(ctx)); err != nil {
		t.Fatal(err)
	}
	if err := k.Data.Finish(k.ctx, event.Erased{ReaderID: id}); err != nil {
		t.Fatal(err)
	}
	if _, err := k.SignIn(k.ctx, leaver, asked.code, k.fromHome); err != nil {
		t.Errorf("the code that was asked for: %v", err)
	}
}

// A login that was under way when its account was taken down opens nothing.
func TestLoginMailsDieWithTheAccount(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	k.keep()
	ctx, _ := k.reads(leaver)
	code := k.leaveMail(ctx)
	k.wait(secret.ResendAfter)
	login := k.ask(leaver)
	if err := k.Data.ConfirmErasure(ctx, code); err != nil {
		t.Fatal(err)
	}
	if _, err := k.SignIn(k.ctx, leaver, login.code, k.fromHome); !errors.Is(err, secret.ErrInvalidCode) {
		t.Errorf("the code: %v", err)
	}
	if _, _, err := k.OpenLink(k.ctx, login.link, true, k.fromHome); !errors.Is(err, secret.ErrInvalidHash) {
		t.Errorf("the link: %v", err)
	}
}

func TestExportNeedsAFreshLogin(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	k.keep(privacy.Part{Name: "drawer", Keeper: &fakeHolder{}})
	ctx, _ := k.reads(leaver)
	name, zip, err := k.Data.OwnExport(ctx)
	if err != nil || len(zip) == 0 || name == "" {
		t.Fatal(name, err)
	}
	for range personaldata.ExportsADay.Max - 1 {
		if _, _, err := k.Data.OwnExport(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := k.Data.OwnExport(ctx); !errors.Is(err, web.ErrTooMany) {
		t.Errorf("one more: %v", err)
	}
	k.wait(sessions.FreshLogin + time.Second)
	if _, _, err := k.Data.OwnExport(ctx); !errors.Is(err, sessions.ErrLoginTooOld) {
		t.Errorf("a day later: %v", err)
	}
	if _, _, err := k.Data.OwnExport(k.ctx); !errors.Is(err, web.ErrNotSignedIn) {
		t.Errorf("a visitor: %v", err)
	}
}

// The tombstone tells an address only to whoever has the key, and differs between editions.
func TestTombstone(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	if bytes.Equal(k.secrets.Tombstone("a", leaver), k.secrets.Tombstone("b", leaver)) ||
		bytes.Contains(k.secrets.Tombstone("a", leaver), []byte(leaver)) {
		t.Error("it tells")
	}
}
