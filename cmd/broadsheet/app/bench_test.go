package app

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.org/broadsheet/platform/paper/edition"
)

// BenchmarkServe measures what readers get over HTTP, beside a static file of the same bytes that Go's own
// http.ServeContent answers in the same run. The client shares the machine, so the ratios count.
func BenchmarkServe(b *testing.B) {
	p := startApp(b)
	p.publish(12, true)
	const id = "standard"
	ed, _ := p.app.registry.Get(id)
	visitor := p.browser(id)
	path := p.firstArticle(b, visitor, id)

	member := p.browser(id)
	p.signIn(member, "reader@example.org")
	subscriber := p.browser(id)
	if _, err := p.app.Billing.Subscriptions.GrantTrials(edition.With(context.Background(), ed), false,
		"subscriber@example.org"); err != nil {
		b.Fatal(err)
	}
	p.signIn(subscriber, "subscriber@example.org") // the promised time begins: all may be read
	page := visitor.get(path)
	static := serveStatic(b, []byte(page.Body))

	b.Run("static file", func(b *testing.B) { load(b, static, "static.test", "/article.html", nil) })
	b.Run("cached article", func(b *testing.B) { load(b, "127.0.0.1:"+p.port, ed.Hosts[0], path, nil) })
	b.Run("cached article, subscriber", func(b *testing.B) {
		load(b, "127.0.0.1:"+p.port, ed.Hosts[0], path, cookies(subscriber))
	})
	b.Run("cached article, reader who opened it", func(b *testing.B) {
		member.get(path) // opens it, for a credit
		load(b, "127.0.0.1:"+p.port, ed.Hosts[0], path, cookies(member))
	})
	b.Run("cached front page", func(b *testing.B) { load(b, "127.0.0.1:"+p.port, ed.Hosts[0], "/", nil) })
	b.Run("json of an article", func(b *testing.B) {
		load(b, "127.0.0.1:"+p.port, ed.Hosts[0], "/api/page?url="+path, nil)
	})
	b.Run("cold article", func(b *testing.B) { cold(b, p, visitor, id, path) })
	b.Run("cold front page", func(b *testing.B) { cold(b, p, visitor, id, "/") })
}

func (p *testApp) firstArticle(tb testing.TB, b *browser, id string) string {
	tb.Helper()
	ed, _ := p.app.registry.Get(id)
	var list []struct {
		URL string `json:"post_url"`
	}
	b.get("/content/posts/by_category/"+ed.Categories[0].Slug+"?per_page=1").json(tb, &list)
	if len(list) == 0 {
		tb.Fatal("no article")
	}
	req, err := http.NewRequest(http.MethodGet, list[0].URL, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return req.URL.Path
}

func cookies(b *browser) []*http.Cookie {
	req, err := http.NewRequest(http.MethodGet, b.origin+"/", nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.client.Jar.Cookies(req.URL)
}

// serveStatic serves bytes as http.ServeContent does, on a listener of its own.
func serveStatic(tb testing.TB, body []byte) string {
	tb.Helper()
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	at := time.Now()
	s := server(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "article.html", at, bytes.NewReader(body))
	}))
	go func() { _ = s.Serve(l) }()
	tb.Cleanup(func() { _ = s.Close() })
	return l.Addr().String()
}

// load asks for one address over eight connections, as browsers do: with compression accepted.
func load(b *testing.B, address, host, path string, ck []*http.Cookie) {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{
		MaxIdleConnsPerHost: 64, DisableCompression: true,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
	}}
	var mu sync.Mutex
	var all []time.Duration
	b.SetParallelism(4)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		var took []time.Duration
		for pb.Next() {
			req, err := http.NewRequest(http.MethodGet, "http://"+host+path, nil)
			if err != nil {
				b.Error(err)
				return
			}
			req.Header.Set("Accept-Encoding", "gzip, br")
			for _, c := range ck {
				req.AddCookie(c)
			}
			start := time.Now()
			res, err := client.Do(req)
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
			took = append(took, time.Since(start))
			if res.StatusCode != http.StatusOK {
				b.Errorf("%s: %d", path, res.StatusCode)
				return
			}
		}
		mu.Lock()
		all = append(all, took...)
		mu.Unlock()
	})
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
	percentiles(b, all)
}

func percentiles(b *testing.B, all []time.Duration) {
	if len(all) == 0 {
		return
	}
	b.ReportMetric(quantile(all, .50), "p50-ms")
	b.ReportMetric(quantile(all, .95), "p95-ms")
	b.ReportMetric(quantile(all, .99), "p99-ms")
}

// quantile sorts times and returns the one below which a part of them lies, in milliseconds.
func quantile(all []time.Duration, q float64) float64 {
	slices.Sort(all)
	return float64(all[min(len(all)-1, int(q*float64(len(all))))].Microseconds()) / 1000
}

// cold asks for a page that no cache has.
func cold(b *testing.B, p *testApp, v *browser, id, path string) {
	b.Helper()
	timed(b, func() {
		p.app.cache.PurgeEdition(id)
		if r := v.get(path); r.Status != http.StatusOK {
			b.Fatalf("%s: %d", path, r.Status)
		}
	})
}

// timed does a thing b.N times, one after the other.
func timed(b *testing.B, do func()) {
	b.Helper()
	var all []time.Duration
	before := ownCPU(b)
	for range b.N {
		start := time.Now()
		do()
		all = append(all, time.Since(start))
	}
	b.ReportMetric(float64((ownCPU(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
	percentiles(b, all)
}

// ownCPU is what this process has used, the client in it too, and no database.
func ownCPU(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
