package identity

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// profileOf is the data of the profile page as a session's reader gets it.
func (b *browser) profileOf() map[string]any {
	b.t.Helper()
	s, ok, err := b.Sessions.Authenticate(b.ctx, b.cookies["__Host-session"])
	if !ok || err != nil {
		b.t.Fatal("not signed in", err)
	}
	b.profile = b.Profile
	p, err := b.Pages()[edition.Profile].Load(session.With(b.ctx, s),
		&page.Request{Edition: testkit.EditionOf(b.ctx, b.t), Route: edition.Profile, Path: "/account/profile"})
	if err != nil {
		b.t.Fatal(err)
	}
	text, err := json.Marshal(p.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	var data map[string]any
	if err := json.Unmarshal(text, &data); err != nil {
		b.t.Fatal(err)
	}
	return data
}

func (b *browser) sessionList() []any {
	b.t.Helper()
	l, _ := b.do("GET", "/user/sessions", "").at("sessions").([]any)
	return l
}

func TestSessionsEndByForms(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	if a := b.form("/user/sessions/end", "others", "1"); a.Code != 303 ||
		a.Header().Get("Location") != "/account/login?referrer=%2Faccount%2Fprofile&status=INVALID_TOKEN" {
		t.Fatal("a visitor", a.Code, a.Header())
	}
	b.login(jana)
	phone, tablet, boris := b.another(), b.another(), b.another()
	phone.login(jana)
	tablet.login(jana)
	boris.login("boris@example.org")

	if l, _ := b.profileOf()["sessions"].([]any); len(l) != 3 || l[2].(map[string]any)["current"] != true {
		t.Fatalf("%v", b.profileOf())
	}
	for name, id := range map[string]string{"somebody else's": "4", "none": "99", "no number": "x", "nothing": ""} {
		if a := b.form("/user/sessions/end", "id", id); a.Header().Get("Location") != "/account/profile?status=INVALID_ARGS" {
			t.Errorf("%s: %v", name, a.Header())
		}
	}
	if a := b.form("/user/sessions/end", "id", "2"); a.Header().Get("Location") != "/account/profile" ||
		len(b.sessionList()) != 2 {
		t.Error("one session", a.Header())
	}
	if a := phone.do("GET", "/user/sessions", ""); a.Code != 401 {
		t.Error("an ended session lists", a.Body)
	}
	if a := b.do("POST", "/user/sessions/end", `{"others":true}`); a.Code != 200 || len(b.sessionList()) != 1 {
		t.Error("all others", a.Body)
	}
	if a := tablet.do("GET", "/user/sessions", ""); a.Code != 401 {
		t.Error("the other session lives", a.Body)
	}
	if len(boris.sessionList()) != 1 {
		t.Error("another reader's session has ended too")
	}
	a := b.form("/user/sessions/end", "id", "1")
	if a.Header().Get("Location") != "/" || b.cookies["__Host-session"] != "" || a.Header().Get("Clear-Site-Data") == "" {
		t.Error("one's own session", a.Header())
	}
}

// What one process ends, another one that remembers it hears of within a second.
func TestEndedSessionsAreToldToOtherProcesses(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	far := newEnvOn(k.ctx, t, testkit.Process(t, k.db))
	ed, _ := edition.From(k.ctx)
	far.db.Attach(ed.ID, ed.Schema)
	hub := notify.NewHub(far.db, nil)
	hub.On(notify.Reader, func(m notify.Message) { far.Sessions.Forget(m.Keys...) })
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() { hub.Listen(ctx) })
	t.Cleanup(func() { cancel(); done.Wait() })
	wait.Until(t, "the hub is connected", hub.Connected)

	in := func() (OpenedSession, context.Context) {
		t.Helper()
		o, err := k.SignIn(k.ctx, jana, k.ask(jana).code, k.fromHome)
		if err != nil {
			t.Fatal(err)
		}
		s, ok, err := far.Sessions.Authenticate(k.ctx, o.Token)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		return o, session.With(k.ctx, s)
	}
	first, _ := in()
	_, second := in()
	far.Sessions.ForgetAll() // from now on it remembers the session for as long as it ever does
	if _, ok, err := far.Sessions.Authenticate(k.ctx, first.Token); !ok || err != nil {
		t.Fatal(ok, err)
	}
	forgotten := time.Now().Add(sessions.CacheTTL)
	if n, err := k.LogOutElsewhere(second, false); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	wait.Until(t, "the ended session is heard of", func() bool {
		_, ok, err := far.Sessions.Authenticate(k.ctx, first.Token)
		return !ok && err == nil
	})
	if !time.Now().Before(forgotten) {
		t.Error("it was not told, but forgot by itself")
	}
	if n, err := k.LogOutElsewhere(second, false); n != 0 || err != nil {
		t.Error("ended twice", n, err)
	}
	if _, err := k.LogOutElsewhere(k.ctx, false); err == nil || !strings.HasPrefix(err.Error(), "INVALID_TOKEN") {
		t.Error(err)
	}
}
