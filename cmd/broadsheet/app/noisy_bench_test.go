package app

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/platform/testkit"
)

// How much an edition is read in this benchmark, in requests a second: of twenty, nineteen are for what is in memory,
// and one is a search for words that nobody has asked for. The noisy one has ten times as many.
const (
	usualRate = 20
	noise     = 10
	listening = 30 * time.Second
	noisy     = "sk.localhost"
)

var inMemory = []string{"/", "/rss", "/content/posts/latest", "/api/page?url=/"}

// BenchmarkNoisyEdition measures what readers of two editions wait while all three have their usual load, and while the
// third has ten times as much.
func BenchmarkNoisyEdition(b *testing.B) {
	if b.N > 1 {
		b.Skip("once says it all")
	}
	p := &process{
		t: b, dir: dataFolder(b), port: testkit.FreePort(b), sample: true,
		env: []string{"BROADSHEET_RENDER_TIMEOUT=10s", "BROADSHEET_WEB_TRUSTED_PROXIES=127.0.0.1"},
	}
	p.start()
	c := crowd{address: "127.0.0.1:" + p.port, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}}
	others := []string{"at.localhost", "ch.localhost"}
	table := "\n| Load of the third | Requests | Errors | p50 ms | p99 ms |\n|---|---|---|---|---|\n"
	for _, host := range append(others, noisy) {
		for _, path := range inMemory {
			c.ask(host, path, 0)
		}
	}
	for _, times := range []int{1, noise} {
		var all sync.WaitGroup
		all.Go(func() { c.read(b, noisy, usualRate*times) })
		var mu sync.Mutex
		var took []time.Duration
		failed := 0
		for _, host := range others {
			all.Go(func() {
				one, errs := c.read(b, host, usualRate)
				mu.Lock()
				defer mu.Unlock()
				took, failed = append(took, one...), failed+errs
			})
		}
		all.Wait()
		slices.Sort(took)
		at := func(q float64) float64 { return float64(took[int(q*float64(len(took)))].Microseconds()) / 1000 }
		b.ReportMetric(at(.99), fmt.Sprintf("p99-ms-beside-%d", times))
		table += fmt.Sprintf("| × %d | %d | %d | %.1f | %.1f |\n", times, len(took), failed, at(.5), at(.99))
	}
	fmt.Println(table)
}

// crowd asks at times that do not depend on the answers.
type crowd struct {
	address string
	client  *http.Client
}

// read asks an edition for a while and returns the times of all answers, and how many failed.
func (c crowd) read(b *testing.B, host string, rate int) (took []time.Duration, failed int) {
	b.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	tick := time.NewTicker(time.Second / time.Duration(rate))
	defer tick.Stop()
	for n := range int(listening.Seconds()) * rate {
		<-tick.C
		path := inMemory[n%len(inMemory)]
		if n%20 == 19 {
			path = "/search/" + url.PathEscape(newTerm(host, rate*int(listening.Seconds())+n))
		}
		all.Go(func() {
			start := time.Now()
			ok := c.ask(host, path, n)
			mu.Lock()
			defer mu.Unlock()
			took = append(took, time.Since(start))
			if !ok {
				failed++
			}
		})
	}
	all.Wait()
	return took, failed
}

// newTerm is a word that finds something, with marks behind it that are different each time.
func newTerm(host string, n int) string {
	word := "regierung"
	if host == noisy {
		word = "vláda"
	}
	return word + " " + strings.NewReplacer("0", "-", "1", ".").Replace(strconv.FormatInt(int64(n), 2))
}

func (c crowd) ask(host, path string, n int) bool {
	req, err := http.NewRequest(http.MethodGet, "http://"+c.address+path, nil)
	if err != nil {
		return false
	}
	req.Host = host
	req.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64)")
	req.Header.Set("X-Forwarded-For", fmt.Sprintf("10.%d.%d.1", n>>8&255, n&255))
	res, err := c.client.Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close() //nolint:errcheck // it was read
	_, err = io.Copy(io.Discard, res.Body)
	return err == nil && res.StatusCode == http.StatusOK
}
