package app

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5"
	goredis "github.com/redis/go-redis/v9"

	"example.org/broadsheet/platform/embedded/redis"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// redisQueue is the paper's Redis as its operator sees it.
type redisQueue struct {
	t      testing.TB
	client goredis.UniversalClient
	queues *asynq.Inspector
}

func openRedisQueue(t testing.TB, url string) *redisQueue {
	t.Helper()
	o, err := goredis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	c := &redisQueue{t: t, client: goredis.NewClient(o)}
	c.queues = asynq.NewInspectorFromRedisClient(c.client)
	t.Cleanup(func() { _ = c.client.Close() })
	return c
}

// hold lets tasks into a queue and none out.
func (c *redisQueue) hold(queue string) {
	c.t.Helper()
	if err := c.queues.PauseQueue(queue); err != nil {
		c.t.Fatal(err)
	}
}

// carries reports whether the task of an outbox row waits in a queue. It reads the list itself: who was connected
// before Redis was emptied does not enter its queues into the list of queues again.
func (c *redisQueue) carries(queue string, row int64) bool {
	c.t.Helper()
	tasks, err := c.client.LRange(context.Background(), "asynq:{"+queue+"}:pending", 0, -1).Result()
	if err != nil {
		c.t.Fatal(err)
	}
	edition, _, _ := strings.Cut(queue, ":")
	return slices.ContainsFunc(tasks, func(id string) bool {
		return strings.HasPrefix(id, fmt.Sprintf("%s:%d#", edition, row))
	})
}

// flush empties everything.
func (c *redisQueue) flush() {
	c.t.Helper()
	if err := c.client.FlushAll(context.Background()).Err(); err != nil {
		c.t.Fatal(err)
	}
}

// openRow is an outbox row of the first edition that is not done.
type openRow struct {
	ID    int64
	Event string
	About string // of a message of the payment provider: its type
}

// undone lists what waits for its work, and what was given up.
func (p *process) undone() []openRow {
	p.t.Helper()
	return ask(p, pgx.RowToStructByName[openRow], `SELECT o.id, o.event, coalesce(e.type, '') AS about FROM outbox o
		LEFT JOIN billing_events e ON e.id = o.payload->>'event_id' WHERE o.done_at IS NULL`)
}

// A Redis that is emptied costs time and nothing else: while it carries a login mail, the word that a purchase was
// paid, and the email of thanks; while the application runs on, and while it is killed as well.
func TestNothingIsLostWithRedis(t *testing.T) {
	t.Parallel()
	for name, killed := range map[string]bool{"flushed": false, "flushed and killed": true} {
		t.Run(name, func(t *testing.T) { flushRedis(t, killed) })
	}
}

func flushRedis(t *testing.T, killed bool) {
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
	const address = "flushed@example.org"
	b := p.browser()
	must := func(what string, r response) {
		if r.Status != http.StatusOK {
			t.Fatalf("%s: %d %s", what, r.Status, r.Body)
		}
	}
	stages := []struct {
		what, queue, event, about string
		begin                     func()
		done                      func() bool
	}{
		{
			"the login mail", "standard:login", string(event.LoginMail), "",
			func() {
				must("asking for a mail",
					b.post("/fns/user-login", map[string]any{"payload": map[string]string{"email": address}, "type": "registration"}))
			},
			func() bool { return len(emailsTo(t, b, address)) > 0 },
		},
		{
			"the access that was paid for", "standard:default", string(event.ProviderEvent), "checkout.session.completed",
			func() {
				code := emailsTo(t, b, address)[0].Code
				must("entering the code", b.post("/api/login-code-validation", map[string]string{"email": address, "code": code}))
				buy(t, b)
			},
			func() bool { return subscribed(b) },
		},
		{
			"the email of thanks, and the invoice", "standard:mail", string(event.PaymentThanks), "",
			func() {}, // the payment has asked for it
			func() bool { return len(emailsTo(t, b, address)) > 2 },
		},
	}
	later := func(by string) { must("letting time pass", b.post("/_dev/clock", map[string]string{"advance": by})) }
	c.hold(stages[0].queue)
	for i, s := range stages {
		s.begin()
		wait.Until(t, "Redis carries "+s.what, func() bool {
			return slices.ContainsFunc(p.undone(), func(w openRow) bool {
				return w.Event == s.event && w.About == s.about && c.carries(s.queue, w.ID)
			})
		})
		if s.done() {
			t.Fatalf("%s came while it was held back", s.what)
		}
		if killed {
			p.kill()
		}
		c.flush() // the hold is lost too
		if i+1 < len(stages) {
			c.hold(stages[i+1].queue)
		}
		if killed {
			p.start()
		}
		later("2m") // longer than the first hand-over is waited for
		wait.Until(t, s.what+" came all the same", s.done)
	}
	later("15m") // longer than the third one is
	wait.Until(t, "all work is done", func() bool { return len(p.undone()) == 0 })
	expectOneOfEach(t, b, address)
}
