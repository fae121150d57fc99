package app

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"example.org/broadsheet/platform/embedded/redis"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// texts asks the database of the paper for one column.
func (p *process) texts(query string, args ...any) []string {
	p.t.Helper()
	return ask(p, pgx.RowTo[string], query, args...)
}

// leavingReader is a reader of a paper that is killed.
type leavingReader struct {
	t       *testing.T
	p       *process
	b       *browser
	address string
}

func (l leavingReader) must(what string, r response) {
	l.t.Helper()
	if r.Status != http.StatusOK {
		l.t.Fatalf("%s: %d %s", what, r.Status, r.Body)
	}
}

func (l leavingReader) later(by string) {
	l.must("letting time pass", l.b.post("/_dev/clock", map[string]string{"advance": by}))
}

// code waits for an email with one, after so many others; emails without one may come between.
func (l leavingReader) code(before int) (code string) {
	l.t.Helper()
	wait.Until(l.t, "a code for "+l.address, func() bool {
		list := emailsTo(l.t, l.b, l.address) // the newest first
		for _, m := range list[:max(0, len(list)-before)] {
			code = cmp.Or(code, m.Code)
		}
		return code != ""
	})
	return code
}

func (l leavingReader) registers() {
	l.t.Helper()
	before := len(emailsTo(l.t, l.b, l.address))
	l.must("asking for a mail",
		l.b.post("/fns/user-login", map[string]any{"payload": map[string]string{"email": l.address}, "type": "registration"}))
	l.must("entering the code",
		l.b.post("/api/login-code-validation", map[string]string{"email": l.address, "code": l.code(before)}))
}

// leaves deletes the account; hold comes before what the workers have to do.
func (l leavingReader) leaves(hold func()) {
	l.t.Helper()
	before := len(emailsTo(l.t, l.b, l.address))
	l.must("asking to leave", l.b.post("/user/leave/ask", map[string]any{}))
	code := l.code(before)
	hold()
	l.must("leaving", l.b.post("/user/leave", map[string]string{"code": code}))
}

func (l leavingReader) receipts() (n int) {
	for _, m := range emailsTo(l.t, l.b, l.address) {
		if m.Code == "" && strings.Contains(m.Subject, "zruš") {
			n++
		}
	}
	return n
}

// isForgotten waits for the end of all erasures, and looks for the one receipt.
func (l leavingReader) isForgotten(erasures string) {
	l.t.Helper()
	wait.Until(l.t, "the erasure of "+l.address+" is finished", func() bool {
		return slices.Equal(l.p.texts("SELECT count(*)::text FROM identity_erasures WHERE finished_at IS NOT NULL AND "+
			"email = ''"), []string{erasures})
	})
	if n := l.receipts(); n != 1 {
		l.t.Errorf("%d receipts of %s", n, l.address)
	}
	if r := l.b.get("/user/me/"); strings.Contains(r.Body, "user_id") {
		l.t.Errorf("%s is signed in: %s", l.address, r.Body)
	}
}

// An erasure survives that the paper is killed and Redis emptied: before any part has forgotten the reader, and when
// all but one have. Meanwhile somebody else may have begun to use the address.
func TestAnErasureSurvives(t *testing.T) {
	t.Parallel()
	server, err := redis.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	c := openRedisQueue(t, server.URL())
	p := &process{
		t: t, dir: dataFolder(t), port: testkit.FreePort(t), env: []string{"BROADSHEET_REDIS_URL=" + server.URL()},
	}
	p.start()
	killed := func() { p.kill(); c.flush(); p.start() }
	const queue = "standard:default"

	first := leavingReader{t, p, p.browser(), "first@example.org"}
	first.registers()
	first.leaves(func() { c.hold(queue) })
	wait.Until(t, "Redis carries the erasure", func() bool {
		return slices.ContainsFunc(p.undone(), func(w openRow) bool {
			return w.Event == string(event.ReaderErased) && c.carries(queue, w.ID)
		})
	})
	if done := p.texts("SELECT unnest(done) FROM identity_erasures"); len(done) != 0 {
		t.Fatalf("%v have forgotten the reader already", done)
	}
	killed()
	first.later("2m") // longer than the first hand-over is waited for
	first.isForgotten("1")

	payer := leavingReader{t, p, p.browser(), "payer@example.org"}
	payer.registers()
	buy(t, payer.b)
	wait.Until(t, "the reader has what was paid for", func() bool { return subscribed(payer.b) })
	payer.leaves(func() {
		payer.must("taking the provider away", payer.b.post("/_dev/stripe/faults", map[string]string{"api": "500"}))
	})
	wait.Until(t, "all but one part have forgotten the reader", func() bool {
		done := p.texts("SELECT unnest(done) FROM identity_erasures WHERE finished_at IS NULL")
		return len(done) == 7 && !slices.Contains(done, "billing")
	})
	heir := leavingReader{t, p, p.browser(), payer.address}
	heir.later("2m") // one mail a minute
	heir.registers()
	killed()
	heir.later("1h")
	payer.isForgotten("2")
	if r := heir.b.get("/user/me/"); !strings.Contains(r.Body, heir.address) {
		t.Errorf("who uses the address now is not signed in: %s", r.Body)
	}
	if kinds := p.texts("SELECT kind FROM mail_log WHERE recipient = $1", heir.address); len(kinds) != 1 {
		t.Errorf("the emails to who uses the address now are %v", kinds)
	}
	if states := p.texts("SELECT status FROM billing_subscriptions"); !slices.Equal(states, []string{"canceled"}) {
		t.Errorf("the subscription is %v", states)
	}
	wait.Until(t, "all work is done", func() bool { return len(p.undone()) == 0 })
}
