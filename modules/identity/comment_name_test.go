package identity

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"example.org/broadsheet/modules/identity/commentname"
	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
)

// reader registers an address and returns its reader.
func (k *env) reader(email string) (id int64) {
	k.t.Helper()
	if err := k.db.InTx(k.ctx, func(ctx context.Context, tx db.Tx) error {
		r, err := reader.Upsert(ctx, tx, email)
		if err == nil {
			id = r.ID
		}
		return err
	}); err != nil {
		k.t.Fatal(err)
	}
	return id
}

func codeOf(err error) string {
	if err == nil {
		return ""
	}
	return fault.From(err).Code
}

func TestParseCommentName(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Jana": "Jana", " Jana.N ": "Jana.N", "Ján.Kováč2": "Ján.Kováč2", "Müller": "Müller", "Groß": "Groß",
		"C\u030cech": "Čech", strings.Repeat("a", 30): strings.Repeat("a", 30),
		"": "", "J": "", "..": "", "12": "", "Jana N": "", "jana_n": "", "jana-n": "", "jana@n": "", "<b>": "", "Јаnа": "",
		"Ja\u00adna\u200b": "Jana", "\ufeffJana\x00": "Jana", "Jana\u202e": "Jana", "Jana\ufe0f": "Jana",
		"яна": "", "\u200b\u200b": "", "a\xffb": "", strings.Repeat("a", 31): "", "😀😀": "",
	} {
		got, err := commentname.Parse(in)
		if got != want || (err == nil) != (want != "") || (err != nil && !errors.Is(err, commentname.ErrInvalid)) {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
}

func TestCommentName(t *testing.T) {
	t.Parallel()
	b := newEnv(t)
	jana, peter := b.reader("jana@example.org"), b.reader("peter@example.org")
	for _, c := range []struct {
		name   string
		reader int64
		typed  string
		code   string
	}{
		{"nothing", jana, " ", "INVALID_REQUIREMENT"},
		{"a wrong one", jana, "Jana!", "INVALID_COMMENT_NAME"},
		{"a good one", jana, "Jana.N", ""},
		{"her own again", jana, "jana.n", ""},
		{"hers", peter, "JANA.N", "COMMENT_NAME_EXISTS"},
		{"hers without the period", peter, "JanaN", "COMMENT_NAME_EXISTS"},
		{"another", peter, "Peter", ""},
		{"she takes a new one", jana, "Jana.2", ""},
		{"which frees the old one", peter, "Jana.N", ""},
		{"nobody's", 999, "Nobody", "INVALID_TOKEN"},
	} {
		if got := codeOf(b.names.Set(b.ctx, c.reader, c.typed)); got != c.code {
			t.Errorf("%s: %q, want %q", c.name, got, c.code)
		}
	}
	names, err := b.names.List(b.ctx, []int64{jana, peter, 999})
	if err != nil || fmt.Sprint(names) != fmt.Sprint(map[int64]string{jana: "Jana.2", peter: "Jana.N"}) {
		t.Errorf("%v %v", names, err)
	}
}

func TestOneNameForOneReader(t *testing.T) {
	t.Parallel()
	b := newEnv(t)
	var readers []int64
	for i := range 20 {
		readers = append(readers, b.reader(fmt.Sprintf("r%d@example.org", i)))
	}
	var wg sync.WaitGroup
	var won, lost atomic.Int32
	for _, id := range readers {
		wg.Go(func() {
			switch err := b.names.Set(b.ctx, id, "Wanted"); {
			case err == nil:
				won.Add(1)
			case errors.Is(err, commentname.ErrExists):
				lost.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 || lost.Load() != 19 {
		t.Errorf("%d have it, %d were told so", won.Load(), lost.Load())
	}
}

func TestRoles(t *testing.T) {
	t.Parallel()
	b := newEnv(t)
	jana := b.reader("jana@example.org")
	if id, err := Find(b.ctx, b.db, " Jana@Example.org "); err != nil || id != jana {
		t.Errorf("%d %v", id, err)
	}
	if _, err := Find(b.ctx, b.db, "nobody@example.org"); !errors.Is(err, reader.ErrUserNotExists) {
		t.Error(err)
	}
	if _, err := Find(b.ctx, b.db, "nobody"); !errors.Is(err, emailaddr.ErrInvalid) {
		t.Error(err)
	}
	for _, step := range []struct{ has, changed bool }{{false, false}, {true, true}, {true, false}, {false, true}} {
		changed, err := SetRole(b.ctx, b.db, jana, reader.Moderator, step.has)
		has, err2 := b.HasRole(b.ctx, jana, reader.Moderator)
		if err != nil || err2 != nil || changed != step.changed || has != step.has {
			t.Errorf("%+v: %t %t %v %v", step, changed, has, err, err2)
		}
	}
}

// A session that was stolen before does not become a moderator's.
func TestARoleTakesANewLogin(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.login(jana)
	boris := b.another()
	boris.login("boris@example.org")
	id, err := Find(b.ctx, b.db, jana)
	if err != nil {
		t.Fatal(err)
	}
	set := func(has bool) {
		t.Helper()
		if changed, err := SetRole(b.ctx, b.db, id, reader.Moderator, has); !changed || err != nil {
			t.Fatal(changed, err)
		}
		b.Sessions.ForgetAll()
	}
	set(true)
	if a := b.do("GET", "/user/sessions", ""); a.Code != 401 {
		t.Error("the session of before is a moderator's", a.Body)
	}
	if len(boris.sessionList()) != 1 {
		t.Error("another reader was logged out")
	}
	b.wait(secret.ResendAfter)
	b.login(jana)
	if changed, err := SetRole(b.ctx, b.db, id, reader.Moderator, true); changed || err != nil {
		t.Error(changed, err)
	}
	set(false)
	if len(b.sessionList()) != 1 {
		t.Error("who has the role already, or loses it, is logged out")
	}
}
