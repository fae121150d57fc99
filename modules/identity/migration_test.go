package identity

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/identity/legacy"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/testkit"
)

const anna = "anna@reader.test"

// imported makes an account of the legacy site.
func (k *env) imported(email string) {
	k.t.Helper()
	list, err := legacy.Parse(strings.NewReader("user_email,display_name,user_registered\n" + email +
		",Anna.K,2019-03-01\n"))
	if err == nil {
		_, err = k.ImportLegacy(k.ctx, list, false)
	}
	if err != nil {
		k.t.Fatal(err)
	}
}

func (k *env) exec(sql string) {
	k.t.Helper()
	err := k.db.Run(k.ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(sql).Exec(ctx)
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
}

// alter changes tables, which the edition's login may not.
func (k *env) alter(sql string) {
	k.t.Helper()
	testkit.Alter(k.ctx, k.t, k.db, sql)
}

// breaks has the database refuse a step of taking an account over, and mends it.
func (k *env) breaks(step string) (mend func()) {
	k.t.Helper()
	k.alter("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$")
	k.alter("CREATE CONSTRAINT TRIGGER refuse AFTER " + step + " FOR EACH ROW EXECUTE FUNCTION refuse()")
	return func() { k.alter("DROP FUNCTION refuse CASCADE") }
}

// The steps in the order in which they are done; the last one is refused at the commit.
var migrationSteps = map[string]string{
	"the account":        "UPDATE ON identity_readers",
	"its session":        "INSERT ON identity_sessions",
	"what others are":    "INSERT ON outbox",
	"only at the commit": "INSERT ON identity_sessions DEFERRABLE INITIALLY DEFERRED",
}

// state is all that a login changes.
func (k *env) state() string {
	return fmt.Sprint(
		k.sessionsMade(), k.count("SELECT count(*) FROM outbox"),
		k.count("SELECT count(*) FROM identity_readers WHERE first_login_at IS NOT NULL OR last_login_at IS NOT NULL"),
		k.count("SELECT count(*) FROM identity_login_attempts WHERE code_used_at IS NOT NULL OR link_used_at IS NOT NULL "+
			"OR tries > 0"), len(k.begun),
	)
}

func TestAnAccountThatCanNotBeTakenOver(t *testing.T) {
	t.Parallel()
	ways := map[string]func(b *browser, l receivedEmail, plain bool) answer{
		"code": func(b *browser, l receivedEmail, plain bool) answer {
			if plain {
				return b.form("/api/login-code-validation", "email", anna, "code", l.code)
			}
			return b.do("POST", "/api/login-code-validation", fmt.Sprintf(`{"email":%q,"code":%q}`, anna, l.code))
		},
		"link": func(b *browser, l receivedEmail, plain bool) answer {
			if plain {
				return b.form("/api/security-login", "user_hash", l.link, "confirm", "1")
			}
			return b.do("POST", "/api/security-login", fmt.Sprintf(`{"user_hash":%q}`, l.link))
		},
	}
	for step, sql := range migrationSteps {
		for way, login := range ways {
			t.Run(step+", by "+way, func(t *testing.T) {
				t.Parallel()
				b := newBrowser(newEnv(t))
				b.t = t
				b.imported(anna)
				l := b.mail(anna)
				before := b.state()
				mend := b.breaks(sql)
				if a := login(b, l, false); a.Code != 409 || a.at("error") != "MIGRATION_FAILED" ||
					b.cookies["__Host-session"] != "" || b.cookies["logged_user"] != "" {
					t.Error(a.Code, a.Body, b.cookies)
				}
				if a := login(b, l, true); a.Code != 303 ||
					!strings.Contains(a.Header().Get("Location"), "status=MIGRATION_FAILED") {
					t.Error(a.Code, a.Header())
				}
				if after := b.state(); after != before {
					t.Errorf("half of it was done: %s, before it %s", after, before)
				}
				mend()
				if a := login(b, l, false); a.Code != 200 || b.cookies["__Host-session"] == "" || len(b.begun) != 1 {
					t.Error("not again", a.Code, a.Body, b.begun)
				}
				if n := b.count("SELECT count(*) FROM identity_readers WHERE email = ? AND type = 'wordpress' AND comment_name = "+
					"'Anna.K' AND first_login_at IS NOT NULL", anna); n != 1 {
					t.Error("the account is not what it was")
				}
				if n := b.count("SELECT count(*) FROM outbox WHERE event = ?", string(event.ReaderSignedIn)); n != 1 {
					t.Errorf("told %d times", n)
				}
			})
		}
	}
}

// What fails for everybody has nothing to do with the legacy site.
func TestOtherFailuresAreNoMigration(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	k.imported(anna)
	k.reads(anna)
	k.wait(time.Hour)
	for name, email := range map[string]string{"a new reader": jana, "the second login": anna} {
		l := k.ask(email)
		mend := k.breaks("INSERT ON identity_sessions")
		if _, err := k.SignIn(k.ctx, email, l.code, k.fromHome); err == nil || errors.Is(err, legacy.ErrMigration) {
			t.Errorf("%s: %v", name, err)
		}
		mend()
	}
	l := k.ask("boris@reader.test")
	k.imported("boris@reader.test")
	if _, err := k.SignIn(k.ctx, "boris@reader.test", wrong(l.code), k.fromHome); !errors.Is(err, secret.ErrInvalidCode) {
		t.Errorf("a wrong code of an imported account: %v", err)
	}
}
