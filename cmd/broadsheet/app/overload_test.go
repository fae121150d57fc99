package app

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// navigating is what a browser says of itself when it goes to a page.
var navigating = http.Header{"Accept": {"text/html,application/xhtml+xml,*/*;q=0.8"}}

// While the database is silent nobody waits for ever: pages that are there are given to everybody, at once to visitors;
// whatever else is asked for is told to come again, a person in words. When it speaks, all is as before.
func TestASilentDatabaseStopsNobodyForLong(t *testing.T) {
	p := startApp(t)
	p.publish(3, false)
	proxy := testkit.NewProxy(t, p.app.DB)
	c := p.app.DB.Config()
	t.Setenv("BROADSHEET_DATABASE_URL", proxy.DSN(c.User, c.Database))
	s := p.serve(t)
	const id = "standard"
	reader, visitor := s.browser(id), s.browser(id)
	reader.header, visitor.header = navigating, navigating
	s.signIn(reader, "reader@example.org")
	for _, path := range []string{"/", "/api/page?url=%2F"} {
		if r := visitor.get(path); r.Status != http.StatusOK {
			t.Fatalf("%s: %d", path, r.Status)
		}
	}
	proxy.Silence(true)

	var wg sync.WaitGroup
	var told, longest atomic.Int64
	one := func(fn func()) {
		wg.Go(func() {
			start := time.Now()
			fn()
			if took := int64(time.Since(start)); took > longest.Load() {
				longest.Store(took)
			}
		})
	}
	refused := func(what string, r response) {
		if r.Status != http.StatusServiceUnavailable || r.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %v %.200s", what, r.Status, r.Header, r.Body)
			return
		}
		told.Add(1)
	}
	const many = 220 // more than the places of an edition
	for i := range many {
		one(func() {
			r := s.browser(id)
			r.header = navigating
			answer := r.get(fmt.Sprintf("/%d/nowhere", 100000+i))
			refused("a page that is not there yet", answer)
			if !strings.Contains(answer.Body, "<h1>") {
				t.Errorf("a person is told %.200s", answer.Body)
			}
		})
	}
	one(func() { refused("a call", s.browser(id).get("/user/exists?email=a@example.org")) })
	one(func() {
		if r := reader.get("/"); r.Status != http.StatusOK {
			t.Errorf("a reader is refused a page that is there: %d %.200s", r.Status, r.Body)
		}
	})
	time.Sleep(time.Second)
	start := time.Now()
	for _, path := range []string{"/", "/api/page?url=%2F"} {
		if r := visitor.get(path); r.Status != http.StatusOK || r.Header.Get("X-Cache") == "miss" {
			t.Errorf("a visitor is refused %s, which is there: %d %s", path, r.Status, r.Header.Get("X-Cache"))
		}
	}
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("a visitor waits %s for what is there", took)
	}
	wg.Wait()
	if l := time.Duration(longest.Load()); l > 25*time.Second {
		t.Errorf("somebody waits %s", l)
	}
	if told.Load() < many {
		t.Errorf("%d were told to come again", told.Load())
	}
	proxy.Silence(false)
	proxy.Cut()
	wait.Until(t, "everything is as before", func() bool {
		return reader.get("/user/me/").Status == http.StatusOK &&
			visitor.get("/1/nowhere").Status != http.StatusServiceUnavailable
	})
}

// Hundreds that send the bodies of their calls byte by byte keep nobody out.
func TestSlowSendersKeepNobodyOut(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	b := p.browser("standard")
	host := strings.TrimPrefix(b.origin, "http://")
	var first net.Conn
	for range inFlight + 20 {
		conn, err := net.Dial("tcp", "127.0.0.1:"+p.port)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		if _, err := fmt.Fprintf(conn, "POST /fns/user-login HTTP/1.1\r\nHost: %s\r\nOrigin: %s\r\nContent-Type: "+
			"application/json\r\nContent-Length: 100\r\n\r\n{", host, b.origin); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = conn
		}
	}
	time.Sleep(300 * time.Millisecond)
	for _, path := range []string{"/", "/login", "/user/me/", "/user/exists?email=a@example.org"} {
		if r := b.get(path); r.Status == http.StatusServiceUnavailable {
			t.Errorf("%s is refused: %s", path, r.Body)
		}
	}
	if err := first.SetReadDeadline(time.Now().Add(2 * bodyTimeout)); err != nil {
		t.Fatal(err)
	}
	said, err := io.ReadAll(first)
	if err != nil || !strings.HasPrefix(string(said), "HTTP/1.1 400") {
		t.Errorf("a slow sender hears %q, %v", said, err)
	}
}
