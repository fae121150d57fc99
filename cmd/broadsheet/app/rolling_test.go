package app

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.org/broadsheet/platform/testkit/wait"
)

// Two `serve` behind a proxy that knows nothing of /readyz, and leaves a server out for ten seconds when that refuses a
// connection, are restarted three seconds after each other: no request is lost.
func TestARollingUpdateLosesNothing(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	ms := []*member{f.member(t, "serve"), f.member(t, "serve")}
	for _, m := range ms {
		m.ready()
	}
	proxy := startNginx(t, ms[0].site, ms[1].site)
	host := f.hosts()[0]
	end := make(chan struct{})
	var visitors sync.WaitGroup
	var mu sync.Mutex
	asked, lost := 0, map[string]int{}
	for v := range 6 {
		visitors.Go(func() {
			for n := v; ; n++ {
				select {
				case <-end:
					return
				case <-time.After(50 * time.Millisecond):
				}
				answer := visit(proxy, host, n)
				mu.Lock()
				asked++
				if answer != "" {
					lost[answer]++
				}
				mu.Unlock()
			}
		})
	}

	old := ms[0].ended
	ms[0].signal(syscall.SIGTERM)
	wait.Until(t, "who was told to stop is not ready", func() bool {
		code, s, _ := ms[0].readyz()
		return code == http.StatusServiceUnavailable && s.Stopping
	})
	if code, _ := ms[0].get(host, "/"); code != http.StatusOK {
		t.Errorf("who was told to stop serves no more: %d", code)
	}
	ms[0].start() // by whoever does not wait for the old one's end: it waits itself
	ms[0].ready()
	if err := <-old; err != nil {
		t.Errorf("the old process ended with %v", err)
	}
	time.Sleep(3 * time.Second)
	ms[1].end()
	ms[1].start()
	ms[1].ready()
	time.Sleep(time.Second)
	close(end)
	visitors.Wait()
	if len(lost) > 0 || asked < 300 {
		t.Errorf("of %d requests %v", asked, lost)
	}
	if !strings.Contains(ms[0].log.String(), "waiting for the process that has the address to end") {
		t.Error("the new process did not say that it waits")
	}
}

// visit is one request through the proxy; what is wrong with its answer, or "".
func visit(proxy, host string, n int) string {
	method, path, body := http.MethodGet, "/", io.Reader(nil)
	switch n % 10 {
	case 1, 2, 3:
		path = "/1/article-false-0"
	case 4:
		path = fmt.Sprintf("/search/word%d", n)
	case 5:
		method, path, body = http.MethodPost, "/api/logout", strings.NewReader("{}")
	}
	r, err := http.NewRequest(method, "http://"+proxy+path, body)
	if err != nil {
		return err.Error()
	}
	r.Host, r.Close = host, true
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return method + " " + err.Error()
	}
	defer res.Body.Close() //nolint:errcheck // read to the end
	if _, err := io.ReadAll(res.Body); err != nil {
		return method + " " + err.Error()
	}
	if res.StatusCode >= http.StatusInternalServerError {
		return fmt.Sprintf("%s %d", method, res.StatusCode)
	}
	return ""
}
