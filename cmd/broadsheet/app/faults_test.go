package app

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"syscall"
	"testing"
	"time"

	"example.org/broadsheet/platform/testkit/wait"
)

// promptly is how long what waits for nobody may take on a machine that is busy with other tests; what waits for a part
// that is away takes handlerTimeout.
const promptly = 5 * time.Second

// What the paper promises for when parts of it fail, with the processes that it consists of. The parts of this test
// follow each other in one fleet of two `serve` and two `work`.
func TestWhenPartsFail(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	serves := []*member{f.member(t, "serve"), f.member(t, "serve")}
	works := []*member{f.member(t, "work"), f.member(t, "work")}
	all := slices.Concat(serves, works)
	for _, m := range all {
		m.ready()
	}
	reader := f.browser("standard")
	f.signIn(reader, "reader@example.org")
	const article = "/1/article-false-0"
	pages := []string{"/", article}
	for _, path := range pages {
		for _, host := range f.hosts() {
			for _, m := range serves {
				if code, _ := m.get(host, path); code != http.StatusOK {
					t.Fatalf("%s%s: %d", host, path, code)
				}
			}
		}
	}

	t.Run("connections are few", func(t *testing.T) {
		most := f.watch()
		asked, bad := search(serves, f.hosts(), 16, 3*time.Second)
		if n := most(); n > 60 {
			t.Errorf("%d connections under load", n)
		}
		if len(bad) > 0 || asked < 20 {
			t.Errorf("of %d answers %v were errors", asked, bad)
		}
	})

	t.Run("a new leader leaves connections to others", func(t *testing.T) {
		wait.Until(t, "somebody leads", func() bool { return leader(works) != nil })
		before := leader(works)
		most := f.watch()
		wait.Until(t, "another leads", func() bool {
			if now := leader(works); now != nil && now != before {
				return true
			}
			f.exec(t, `SELECT count(pg_terminate_backend(l.pid)) FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE `+
				`l.locktype = 'advisory' AND a.datname = current_database()`)
			time.Sleep(90 * time.Millisecond) // for one of them to take the lead
			return false
		})
		_, bad := search(serves, f.hosts(), 4, 3*time.Second)
		if n := most(); n > 60 {
			t.Errorf("%d connections with a new leader", n)
		}
		if len(bad) > 0 {
			t.Errorf("pages with a new leader: %v", bad)
		}
	})

	t.Run("idle connections are given back", func(t *testing.T) {
		began := time.Now()
		wait.Until(t, "few connections are left", func() bool { return f.connections() <= 30 })
		if took := time.Since(began); took > 35*time.Second {
			t.Errorf("idle connections were kept for %s", took)
		}
	})

	t.Run("Redis hangs", func(t *testing.T) {
		sendSignal(t, f.redis.Process.Pid, syscall.SIGSTOP)
		for range 3 {
			for _, m := range all {
				if code, s, took := m.readyz(); code != http.StatusOK || s.Queue != "down" || took > promptly {
					t.Errorf("readyz: %d %+v after %s", code, s, took)
				}
			}
		}
		for _, host := range f.hosts() {
			if code, _ := serves[0].get(host, "/search/redis"); code != http.StatusOK {
				t.Errorf("reading while Redis hangs: %d", code)
			}
		}
		sendSignal(t, f.redis.Process.Pid, syscall.SIGCONT)
		for _, m := range all {
			wait.Until(t, "the queue is up", func() bool { _, s, _ := m.readyz(); return s.Queue == "up" })
		}
	})

	before := leader(works)
	silent := time.Now()
	f.proxy.Strand() // what is open now is dead for ever, and nobody is told
	f.proxy.Silence(true)
	t.Run("Postgres is silent", func(t *testing.T) {
		var times []time.Duration
		for range 3 {
			for _, path := range pages {
				for _, host := range f.hosts() {
					for _, m := range serves {
						code, took := m.get(host, path)
						if code != http.StatusOK || took > promptly {
							t.Errorf("%s%s, which lies in memory: %d after %s", host, path, code, took)
						}
						times = append(times, took)
					}
				}
			}
		}
		slices.Sort(times)
		if median := times[len(times)/2]; median > time.Second {
			t.Errorf("what lies in memory takes %s", median)
		}
		for _, path := range pages {
			began := time.Now()
			if r := reader.get(path); r.Status != http.StatusOK || time.Since(began) > promptly {
				t.Errorf("%s for a reader: %d after %s", path, r.Status, time.Since(began))
			}
		}
		for _, m := range all {
			wait.Until(t, "a process whose database is silent is not ready", func() bool {
				code, s, took := m.readyz()
				if took > promptly {
					t.Errorf("readyz: %d %+v after %s", code, s, took)
				}
				return code == http.StatusServiceUnavailable && !s.Ready
			})
		}
	})

	f.proxy.Silence(false)
	t.Run("connections were lost in silence", func(t *testing.T) {
		for _, m := range all {
			m.ready()
		}
		wait.Until(t, "somebody leads that speaks to Postgres", func() bool {
			n := 0
			if err := f.app.DB.Core().NewRaw(`SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE
				l.locktype = 'advisory'
				AND a.datname = current_database() AND a.state_change > clock_timestamp() - interval '5 seconds'`).
				Scan(context.Background(), &n); err != nil {
				t.Fatal(err)
			}
			return n == 1 && leader(works) != nil
		})
		if took := time.Since(silent); took > time.Minute {
			t.Errorf("nobody led for %s (%s had led)", took, before.admin)
		}
		if _, bad := search(serves, f.hosts(), 4, time.Second); len(bad) > 0 {
			t.Errorf("pages after the silence: %v", bad)
		}
		wait.Until(t, "Postgres has ended the lost sessions", func() bool { return f.connections() <= 60 })
	})
}

func leader(works []*member) *member {
	for _, m := range works {
		if m.leads() {
			return m
		}
	}
	return nil
}

func (f *fleet) exec(t *testing.T, query string) {
	t.Helper()
	if _, err := f.app.DB.Core().Exec(query); err != nil {
		t.Fatal(err)
	}
}

func sendSignal(t *testing.T, pid int, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, s); err != nil {
		t.Fatal(err)
	}
}

// A login that is wrong, or a server without a free connection, means that no page can be made, whatever the owner's
// own connection says.
func TestNotReadyWithoutConnectionsOfEditions(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	m := f.member(t, "serve")
	m.ready()
	for _, ed := range f.app.registry.All() {
		f.exec(t, fmt.Sprintf("ALTER ROLE %s CONNECTION LIMIT 0", ed.Schema))
	}
	f.exec(t, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename LIKE 'ed\\_%'")
	wait.Until(t, "the process is not ready", func() bool {
		code, s, _ := m.readyz()
		return code == http.StatusServiceUnavailable && s.Database == "down" &&
			len(s.Unreachable) == len(f.app.registry.All())
	})
	for _, ed := range f.app.registry.All()[1:] { // one of three
		f.exec(t, fmt.Sprintf("ALTER ROLE %s CONNECTION LIMIT -1", ed.Schema))
	}
	wait.Until(t, "the process is ready again", func() bool {
		code, s, _ := m.readyz()
		return code == http.StatusOK && s.Ready && len(s.Unreachable) == 1
	})
}
