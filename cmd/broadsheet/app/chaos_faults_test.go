package app

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"example.org/broadsheet/platform/sandbox/mailbox"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
	"example.org/broadsheet/platform/testkit/wait"
)

// draw is what chance says about a fault: whom it meets, and how much of it there is (0 to 1).
type draw struct {
	whom int
	much float64
}

func (d draw) of(ms []*member) *member { return ms[d.whom%len(ms)] }

// between is a time from least to most.
func (d draw) between(least, most time.Duration) time.Duration {
	return least + time.Duration(d.much*float64(most-least))
}

// mishap is one thing that goes wrong, and is mended before it returns.
type mishap struct {
	name string
	make func(*storm, draw)
}

var mishaps = []mishap{
	{"serve killed", func(s *storm, d draw) { s.kill(d.of(s.serves)) }},
	{"work killed", func(s *storm, d draw) { s.kill(d.of(s.works)) }},
	{"every process killed", func(s *storm, _ draw) { s.kill(s.members()...) }},
	{"Postgres killed", func(s *storm, _ draw) { s.killPostgres() }},
	{"Postgres, a serve and a work killed", func(s *storm, d draw) {
		s.killPostgres()
		s.kill(d.of(s.serves), d.of(s.works))
	}},
	{"Redis killed", func(s *storm, d draw) { s.redisAway(d.between(0, 3*time.Second)) }},
	{"Redis emptied", func(s *storm, _ draw) { s.flush() }},
	{"Redis emptied, and both works killed", func(s *storm, _ draw) { s.flush(); s.kill(s.works...) }},
	{"a serve stopped", func(s *storm, d draw) { s.freeze(d.of(s.serves).cmd.Process.Pid, d) }},
	{"a work stopped", func(s *storm, d draw) { s.freeze(d.of(s.works).cmd.Process.Pid, d) }},
	{"Redis stopped", func(s *storm, d draw) { s.freeze(s.redis.Process.Pid, d) }},
	{"Postgres silent", func(s *storm, d draw) {
		s.proxy.Silence(true)
		time.Sleep(d.between(2*time.Second, 8*time.Second))
		s.proxy.Silence(false)
	}},
	{"connections to Postgres lost in silence", func(s *storm, d draw) {
		s.proxy.Strand()
		time.Sleep(d.between(time.Second, 3*time.Second))
	}},
	{"connections to Postgres cut", func(s *storm, _ draw) { s.proxy.Cut() }},
	{"Postgres far away", func(s *storm, d draw) {
		s.proxy.Delay(d.between(50*time.Millisecond, time.Second))
		time.Sleep(d.between(2*time.Second, 6*time.Second))
		s.proxy.Delay(0)
	}},
	{"clock of a process set", func(s *storm, d draw) {
		by := d.between(-2*time.Minute, 2*time.Minute)
		file := s.clocks[d.of(s.members())]
		stepClock(s.t, file, by)
		time.Sleep(2 * time.Second)
		stepClock(s.t, file, 0)
	}},
	{"few file descriptors", fewFiles},
	{"slow senders", slowSenders},
	{"bodies that are too much", bombs},
	{"mail server refuses", func(s *storm, d draw) {
		s.mail.SetFault(mailbox.Fault{Code: []int{421, 451}[d.whom%2]})
		time.Sleep(d.between(time.Second, 4*time.Second))
		s.mail.SetFault(mailbox.Fault{})
	}},
	{"payment provider fails", func(s *storm, d draw) {
		s.provider(sandbox.Faults{API: []string{"500", "timeout"}[d.whom%2]})
		time.Sleep(d.between(time.Second, 4*time.Second))
		s.provider(sandbox.Faults{API: "none"})
	}},
	{"webhooks twice and in any order", func(s *storm, d draw) {
		s.provider(sandbox.Faults{Webhooks: []string{"duplicate", "shuffle"}[d.whom%2]})
		time.Sleep(d.between(time.Second, 4*time.Second))
		s.provider(sandbox.Faults{Webhooks: "none"})
	}},
}

// kill ends processes as the power does, and starts them again at once.
func (s *storm) kill(ms ...*member) {
	s.t.Helper()
	for _, m := range ms {
		_ = m.cmd.Process.Kill()
		<-m.ended //nolint:errcheck // a process that is killed ends with an error
	}
	began := time.Now()
	for _, m := range ms {
		m.start()
	}
	for _, m := range ms {
		s.readySince(began, m)
		s.took(m.role+" restarted", time.Since(began))
	}
}

// killPostgres kills the server, and waits for the one that its supervisor starts.
func (s *storm) killPostgres() {
	s.t.Helper()
	old := s.server.Restarts()
	if err := syscall.Kill(s.server.Pid(), syscall.SIGKILL); err != nil {
		s.t.Fatal(err)
	}
	began := time.Now()
	wait.Until(s.t, "Postgres is back", func() bool { return s.server.Restarts() > old })
	s.took("Postgres restarted by its supervisor", time.Since(began))
}

// redisAway kills Redis, starts an empty one after a while, and sees how soon what had waited for it is done.
func (s *storm) redisAway(lasts time.Duration) {
	s.t.Helper()
	_ = s.redis.Process.Kill()
	_ = s.redis.Wait()
	time.Sleep(lasts)
	s.runRedis(s.t, s.redisAt)
	back := time.Now()
	waiting := s.waiting(back)
	for len(waiting) > 0 && time.Since(back) < time.Minute {
		time.Sleep(100 * time.Millisecond)
		waiting = s.stillDue(waiting)
	}
	if len(waiting) > 0 {
		s.breaks("%d jobs were not done a minute after Redis' return", len(waiting))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drained = append(s.drained, time.Since(back))
}

func (s *storm) flush() {
	s.t.Helper()
	c := goredis.NewClient(&goredis.Options{Addr: "127.0.0.1:" + s.redisAt})
	defer c.Close() //nolint:errcheck // it was asked one thing
	if err := c.FlushAll(context.Background()).Err(); err != nil {
		s.t.Fatal(err)
	}
}

// freeze stops a process for a while: it holds its connections and answers nothing.
func (s *storm) freeze(pid int, d draw) {
	s.t.Helper()
	for _, step := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
		if err := syscall.Kill(pid, step); err != nil {
			s.t.Fatal(err)
		}
		if step == syscall.SIGSTOP {
			time.Sleep(d.between(time.Second, 6*time.Second))
		}
	}
}

func (s *storm) provider(f sandbox.Faults) {
	s.t.Helper()
	if err := s.stripe.SetFaults(f); err != nil {
		s.t.Fatal(err)
	}
}

// fewFiles runs a serve that may have few files open, with more connections than that.
func fewFiles(s *storm, d draw) {
	m := d.of(s.serves)
	m.files = 80
	s.kill(m)
	var idle []net.Conn
	for range 120 {
		if c, err := net.DialTimeout("tcp", m.site, time.Second); err == nil {
			idle = append(idle, c)
		}
	}
	time.Sleep(d.between(time.Second, 4*time.Second))
	for _, c := range idle {
		_ = c.Close()
	}
	m.files = 0
	s.kill(m)
}

// slowSenders open many calls and send their bodies not at all.
func slowSenders(s *storm, d draw) {
	m, ed := d.of(s.serves), s.app.registry.All()[0]
	for range 150 {
		c, err := net.DialTimeout("tcp", m.site, time.Second)
		if err != nil {
			continue
		}
		defer c.Close() //nolint:errcheck // it said what it had to
		fmt.Fprintf(c, "POST /fns/user-login HTTP/1.1\r\nHost: %s\r\nOrigin: %s\r\nContent-Type: application/json\r\n"+
			"Content-Length: 100\r\n\r\n{", ed.Hosts[0], ed.Origin)
	}
	time.Sleep(d.between(time.Second, 4*time.Second))
}

// bombs sends bodies that are long, deep, or small and long when they are unpacked; none may be taken.
func bombs(s *storm, d draw) {
	m, ed := d.of(s.serves), s.app.registry.All()[0]
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(make([]byte, 20<<20))
	_ = z.Close()
	for name, body := range map[string]io.Reader{
		"long": strings.NewReader(`{"payload":"` + strings.Repeat("a", 20<<20) + `"}`),
		"deep": strings.NewReader(strings.Repeat(`{"payload":`, 100000)),
		"zip":  bytes.NewReader(packed.Bytes()),
		"wide": strings.NewReader("{" + strings.Repeat(`"a":1,`, 10000) + `"b":1}`),
	} {
		r, err := http.NewRequest(http.MethodPost, "http://"+m.site+"/fns/user-login", body)
		if err != nil {
			s.t.Fatal(err)
		}
		r.Host, r.Close = ed.Hosts[0], true
		r.Header.Set("Origin", ed.Origin)
		r.Header.Set("Content-Type", "application/json")
		if name == "zip" {
			r.Header.Set("Content-Encoding", "gzip")
		}
		res, err := (&http.Client{Timeout: 20 * time.Second}).Do(r)
		if err != nil {
			continue // it hangs up instead of reading on
		}
		_ = res.Body.Close()
		if res.StatusCode < http.StatusBadRequest {
			s.breaks("a body that is %s was taken: %d", name, res.StatusCode)
		}
	}
}
