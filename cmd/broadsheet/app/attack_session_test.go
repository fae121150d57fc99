package app

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/testkit/wait"
)

// personal are the calls that answer a reader with what a visitor does not get.
func (a *target) personal(t *testing.T, b *browser) (paths []string) {
	t.Helper()
	for _, c := range a.calls() {
		if c.method != http.MethodGet || strings.HasSuffix(c.path, "/live") ||
			strings.Contains(c.path, "remove-user-subscription-cookie") {
			continue
		}
		path, _ := c.request(func(name string) (any, bool) {
			v, ok := map[string]any{
				"url": "/account/profile", "session_id": a.victim.checkout, "user_hash": "", "id": 1,
				"slug": "leak", "term": "paragraph",
			}[name]
			return v, ok
		})
		if r := b.get(path); r.Status == http.StatusOK && r.Body != a.away().get(path).Body &&
			strings.HasPrefix(r.Header.Get("Cache-Control"), "private") {
			paths = append(paths, path)
		}
	}
	return append(paths, "/account/profile")
}

// A session that was in the browser before its reader came is not the reader's afterwards.
func (a *target) plantSession(t *testing.T) {
	const address = "planted@example.org"
	b := a.away()
	u, _ := url.Parse(b.origin)
	for _, planted := range []string{strings.Repeat("A", 43), a.cookiesOf(a.attacker)["session"]} {
		before := a.attacker.who()
		b.client.Jar.SetCookies(u,
			[]*http.Cookie{{Name: "session", Value: planted, Path: "/"}, {Name: "logged_user", Value: "planted", Path: "/"}})
		a.advance(2 * time.Minute)
		a.login(b, address)
		got := a.cookiesOf(b)
		if got["session"] == planted || got["logged_user"] == "planted" || b.who() != address {
			t.Errorf("after a login the browser has %v and is %q", got, b.who())
		}
		thief := a.away()
		thief.client.Jar.SetCookies(u, []*http.Cookie{{Name: "session", Value: planted, Path: "/"}})
		if who := thief.who(); who == address {
			t.Errorf("who has planted a session is %s (and was %s)", who, before)
		}
	}
	a.advance(2 * time.Minute)
	a.attacker = a.away() // the login has ended the session that was planted
	a.login(a.attacker, "attacker@example.org")
}

// What was copied of a session is worth nothing once it was left, ended from another device, or replaced by a login, or
// the account was deleted; the reader's other device stays.
func (a *target) replaySession(t *testing.T) {
	const address = "copied@example.org"
	first, second := a.away(), a.away()
	a.next(time.Hour)
	a.login(first, address)
	a.advance(2 * time.Minute)
	a.login(second, address)
	mine := a.personal(t, first)
	if len(mine) < 4 {
		t.Fatalf("only %v return data about the reader, want more", mine)
	}
	never := a.away()
	never.header.Set("Cookie", "session="+strings.Repeat("A", 43)) // one that has never been
	dead := func(how string, copied *browser) {
		t.Helper()
		if who := copied.who(); who != "" {
			t.Errorf("%s: still %s", how, who)
		}
		for _, path := range mine {
			if got, want := copied.get(path), never.get(path); got.Status != want.Status ||
				withoutRequestID(got) != withoutRequestID(want) {
				t.Errorf("%s: %s answers %d %.200s", how, path, got.Status, got.Body)
			}
		}
		if r := copied.post("/fns/user-comment-name",
			map[string]string{"comment_name": "Copied"}); r.Status != http.StatusUnauthorized {
			t.Errorf("%s: a name can be set: %d %s", how, r.Status, r.Body)
		}
	}
	var list struct {
		Sessions []struct {
			ID      int64 `json:"id"`
			Current bool  `json:"current"`
		} `json:"sessions"`
	}
	second.get("/user/sessions").json(t, &list)
	i := slices.IndexFunc(list.Sessions, func(s struct {
		ID      int64 `json:"id"`
		Current bool  `json:"current"`
	},
	) bool {
		return !s.Current
	})
	if len(list.Sessions) != 2 || i < 0 {
		t.Fatalf("sessions: %+v", list)
	}
	if r := second.post("/user/sessions/end", map[string]any{"id": list.Sessions[i].ID}); r.Status != http.StatusOK {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	dead("ended from another device", first)
	if second.who() != address {
		t.Error("the other device has lost its session too")
	}
	copied := a.copyOf(second)
	a.advance(2 * time.Minute)
	a.login(second, address) // in the same browser: the session before is replaced
	dead("replaced by a login", copied)
	copied = a.copyOf(second)
	if copied.who() != address {
		t.Fatal("a copy of a live session is none: nothing below would be shown")
	}
	if r := second.post("/api/logout", map[string]string{}); r.Status != http.StatusOK {
		t.Fatal(r.Status)
	}
	dead("logged out", copied)
	a.advance(2 * time.Minute)
	a.login(second, address)
	copied = a.copyOf(second)
	asked := time.Now()
	if r := second.post("/user/leave/ask", map[string]string{}); r.Status != http.StatusOK {
		t.Fatal(r.Status)
	}
	if r := deleteAccount(second, a.mailWithCode(address, asked).Code); r.Status != http.StatusOK {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	dead("the account is deleted", copied)
}

// A role that was taken away is gone in the session that had it, in the next call.
func (a *target) keepRight(t *testing.T) {
	const address = "moderates@example.org"
	b := a.away()
	a.next(time.Hour)
	a.login(b, address)
	hide := func() int {
		return b.post(fmt.Sprintf("/api/comment/%d/restore", a.victim.comment), map[string]string{}).Status
	}
	appoint := func(args ...string) {
		t.Helper()
		if out, err := a.command(append([]string{"discussion", "moderator", address, "--edition", a.id},
			args...)...); err != nil {
			t.Fatal(err, out)
		}
	}
	if got := hide(); got != http.StatusForbidden {
		t.Errorf("a reader moderates: %d", got)
	}
	appoint()
	// The command is a process of its own; its notice takes a moment to get here.
	wait.Until(t, "the session of before has ended", func() bool { return hide() == http.StatusUnauthorized })
	a.login(b, address)
	if got := hide(); got == http.StatusForbidden {
		t.Errorf("a moderator does not moderate: %d", got)
	}
	appoint("--remove")
	if got := hide(); got != http.StatusForbidden {
		t.Errorf("who was a moderator still moderates: %d", got)
	}
}
