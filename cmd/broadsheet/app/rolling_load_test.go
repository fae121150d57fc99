package app

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit/wait"
)

// The load of the normal tests is light; `make rolling` asks for more.
var (
	rollingRate   = flag.Int("rolling.rate", 100, "requests a second that TestARollingRestartUnderLoad begins")
	rollingFor    = flag.Duration("rolling.for", 0, "how long it asks at least")
	rollingRounds = flag.Int("rolling.rounds", 1, "how often it restarts both serve")
)

// atOnce bounds the requests that are under way. A machine that is too slow for the rate is asked less, and the report
// says so.
const atOnce = 150

// openLoad begins requests at a fixed rate, whether or not earlier ones were answered.
type openLoad struct {
	rate    int
	clients []*http.Client
	host    string
	reader  string // Cookie of somebody who may read everything

	mu     sync.Mutex
	took   []time.Duration // from when each was due
	failed map[string]int
	posts  int // that were answered 200
	lasted time.Duration
}

// run asks until stop is closed.
func (l *openLoad) run(stop <-chan struct{}) {
	began, places := time.Now(), make(chan struct{}, atOnce)
	var all sync.WaitGroup
	skipped := time.Duration(0) // for which nothing was begun, as all places were taken
	for n := 0; ; n++ {
		due := began.Add(skipped + time.Duration(n)*time.Second/time.Duration(l.rate))
		select {
		case <-stop:
			all.Wait()
			l.lasted = time.Since(began)
			return
		case <-time.After(time.Until(due)):
		}
		places <- struct{}{}
		if late := time.Since(due); late > time.Second {
			skipped += late
			due = due.Add(late)
		}
		all.Go(func() {
			problem := l.ask(n)
			<-places
			l.mu.Lock()
			defer l.mu.Unlock()
			l.took = append(l.took, time.Since(due))
			if problem != "" {
				l.failed[problem]++
			}
		})
	}
}

// ask is the n-th request: 40 % visitors' pages, 45 % a reader's, 10 % data and searches, 5 % POSTs that write a row.
// It returns what is wrong with the answer, or "".
func (l *openLoad) ask(n int) string {
	method, path, body := http.MethodGet, "/", ""
	network := fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255)
	header := http.Header{"User-Agent": {userAgent}, "X-Forwarded-For": {network}}
	switch n % 20 {
	case 0, 1, 2, 3, 4, 5, 6, 7:
		path = []string{"/", "/1/article-false-0", "/2/article-false-1", "/4/article-true-0"}[n%20%4]
	case 8, 9, 10, 11, 12, 13, 14, 15, 16:
		path = []string{"/", "/4/article-true-0", "/1/article-false-0", "/5/article-true-1"}[n%20%4]
		header.Set("Cookie", l.reader)
	case 17:
		path = "/api/page?url=" + url.QueryEscape("/2/article-false-1")
	case 18:
		path = "/content/post/1"
		if n/20%5 == 0 {
			path = fmt.Sprintf("/content/search/word%d", n)
		}
	case 19:
		method, path, body = http.MethodPost, "/api/set-gdpr-consent-cookie", `{"consent":"necessary"}`
		header.Set("Content-Type", "application/json")
		header.Set("Origin", "https://"+l.host)
	}
	r, err := http.NewRequest(method, "https://"+l.host+path, strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	r.Header = header
	res, err := l.clients[n%len(l.clients)].Do(r)
	if err != nil {
		return method + " " + err.Error()
	}
	defer res.Body.Close() //nolint:errcheck // read to the end
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return method + " " + err.Error()
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Sprintf("%s %s %d", method, strings.TrimRight(path, "0123456789"), res.StatusCode)
	}
	if method == http.MethodPost {
		l.mu.Lock()
		l.posts++
		l.mu.Unlock()
	}
	return ""
}

// failures is how many requests failed.
func (l *openLoad) failures() (n int) {
	for _, of := range l.failed {
		n += of
	}
	return n
}

func (l *openLoad) String() string {
	slices.Sort(l.took)
	at := func(p int) time.Duration { return l.took[len(l.took)*p/1000].Round(100 * time.Microsecond) }
	text := fmt.Sprintf("%d requests in %.0f s, %.0f a second of %d asked for: %d failed; p50 %s, p99 %s, p99.9 %s, "+
		"longest %s; %d writes", len(l.took), l.lasted.Seconds(), float64(len(l.took))/l.lasted.Seconds(), l.rate,
		l.failures(), at(500), at(990), at(999), l.took[len(l.took)-1].Round(time.Millisecond), l.posts)
	for _, what := range slices.Sorted(maps.Keys(l.failed)) {
		text += fmt.Sprintf("\n  %d × %s", l.failed[what], what)
	}
	return text
}

// Both `serve` behind nginx with configs/nginx are restarted one after the other, the second one as soon as the first
// is ready again, under a load that does not wait: no request fails, what was written stands once, and streams come
// back by themselves.
func TestARollingRestartUnderLoad(t *testing.T) {
	t.Parallel()
	s := newSeveral(t)
	const post = 1
	b := s.reader("192.0.2.1")
	s.subscribe(t, b, "subscriber@example.org", "Rolls.On")
	l := &openLoad{rate: *rollingRate, host: s.ed.Hosts[0], failed: map[string]int{}}
	for range 8 {
		l.clients = append(l.clients, s.nginx())
	}
	for _, c := range cookies(b) {
		l.reader += c.Name + "=" + c.Value + "; "
	}
	var readers []*source
	for i := range 6 {
		readers = append(readers, s.reader(fmt.Sprintf("192.0.2.%d", 100+i)).follow(t, post))
	}
	for _, r := range readers {
		wait.Until(t, "the streams are open", func() bool { return r.opened.Load() > 0 })
	}

	stop, ended := make(chan struct{}), make(chan struct{})
	began := time.Now()
	go func() { defer close(ended); l.run(stop) }()
	var restarts []time.Duration
	for range *rollingRounds {
		for _, m := range s.serves {
			at := time.Now()
			m.end()
			m.start()
			m.ready()
			restarts = append(restarts, time.Since(at).Round(100*time.Millisecond))
		}
	}
	time.Sleep(max(time.Second, *rollingFor-time.Since(began)))
	close(stop)
	<-ended

	report := fmt.Sprintf("%d restarts, each took %v\n%s\n", len(restarts), restarts, l)
	for i, r := range readers {
		wait.Until(t, "a stream comes back", func() bool { return r.open.Load() })
		heard := r.changes.Load()
		b.say(post, fmt.Sprintf("After the restarts, number %d", i))
		wait.Until(t, "a stream that came back hears of a comment", func() bool { return r.changes.Load() > heard })
		if n := r.refused.Load(); n > 0 {
			t.Errorf("stream %d was refused %d times", i, n)
		}
		if n := r.opened.Load(); n <= int64(*rollingRounds) {
			t.Errorf("stream %d was opened %d times, and each of its servers ended", i, n)
		}
		report += fmt.Sprintf("stream %d was opened %d times, refused %d times\n", i, r.opened.Load(), r.refused.Load())
	}
	var rows int
	if err := s.app.DB.Core().NewRaw("SELECT count(*) FROM "+s.ed.Schema+".consent_log").
		Scan(t.Context(), &rows); err != nil {
		t.Fatal(err)
	}
	if rows != l.posts || l.posts == 0 {
		t.Errorf("%d writes were confirmed, %d rows stand", l.posts, rows)
	}
	if l.failures() > 0 {
		t.Error("requests failed")
	}
	t.Log(report)
	if file := os.Getenv("ROLLING_REPORT"); file != "" {
		if err := os.WriteFile(file, []byte(report), 0o600); err != nil {
			t.Error(err)
		}
	}
}

// subscribe signs a reader in who may read everything and write under a name.
func (s *several) subscribe(t testing.TB, b *browser, address, name string) {
	t.Helper()
	if _, err := s.app.Billing.Subscriptions.GrantTrials(edition.With(t.Context(), s.ed), false, address); err != nil {
		t.Fatal(err)
	}
	s.signIn(b, address)
	if r := b.post("/fns/user-comment-name", map[string]string{"comment_name": name}); r.Status != http.StatusOK {
		t.Fatalf("the name %s: %d %s", name, r.Status, r.Body)
	}
}
