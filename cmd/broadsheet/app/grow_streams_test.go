package app

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// source is what a browser's EventSource is: a stream of a discussion that opens again when it ends.
type source struct {
	events  chan string
	opened  atomic.Int64 // how often
	open    atomic.Bool
	changes atomic.Int64
	refused atomic.Int64 // answers that were no stream
}

// follow opens a stream, until the test ends.
func (b *browser) follow(t *testing.T, post int) *source {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := &source{events: make(chan string, 1000)}
	var done sync.WaitGroup
	done.Go(func() {
		for ctx.Err() == nil {
			again := s.read(ctx, b, fmt.Sprintf("%s/api/discussion/%d/live", b.origin, post))
			s.open.Store(false)
			select {
			case <-ctx.Done():
			case <-time.After(again):
			}
		}
	})
	t.Cleanup(func() { cancel(); done.Wait() })
	return s
}

// read reads a stream to its end, and returns when to open it again.
func (s *source) read(ctx context.Context, b *browser, address string) (again time.Duration) {
	again = time.Second
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return again
	}
	r.Header = b.header.Clone()
	client := *b.client
	client.Timeout = 0
	res, err := client.Do(r)
	if err != nil || res.StatusCode != http.StatusOK {
		if ctx.Err() == nil {
			s.refused.Add(1)
		}
		if err == nil {
			_ = res.Body.Close()
		}
		return again
	}
	defer res.Body.Close() //nolint:errcheck // cut off
	for in := bufio.NewScanner(res.Body); in.Scan(); {
		if text, ok := strings.CutPrefix(in.Text(), "retry: "); ok {
			n, _ := strconv.Atoi(text)
			again = time.Duration(n) * time.Millisecond
		}
		name, ok := strings.CutPrefix(in.Text(), "event: ")
		if !ok {
			continue
		}
		switch name {
		case "open":
			s.opened.Add(1)
			s.open.Store(true)
		case "change":
			s.changes.Add(1)
		}
		select {
		case s.events <- name:
		default: // nobody reads them here
		}
	}
	return again
}

// next waits for an event of a stream.
func next(t *testing.T, where string, events <-chan string, want string) {
	t.Helper()
	select {
	case got := <-events:
		if got != want {
			t.Errorf("%s: the stream says %q, want %q", where, got, want)
		}
	case <-time.After(time.Minute):
		t.Errorf("%s: the stream did not say %q in a minute", where, want)
	}
}

func (s *several) streamsHear(t *testing.T) {
	const address, post = "writes@example.org", 1
	b := s.reader("192.0.2.6")
	s.subscribe(t, b, address, "Writes.Here")
	listeners := map[string]*browser{
		"the first process":  s.reader("192.0.2.7").at(s.serves[0]),
		"the second process": s.reader("192.0.2.8").at(s.serves[1]),
		"nginx":              s.reader("192.0.2.9"),
		"nginx again":        s.reader("192.0.2.10"),
	}
	streams := map[string]*source{}
	for where, l := range listeners {
		streams[where] = l.follow(t, post)
		next(t, where, streams[where].events, "open")
	}
	for i, m := range s.serves {
		text := fmt.Sprintf("Written at process %d", i)
		b.at(m).say(post, text)
		for where, stream := range streams {
			next(t, fmt.Sprintf("%s, after a comment at process %d", where, i), stream.events, "change")
		}
		for where, l := range listeners { // who was told asks at once
			if r := l.get(s.ed.DiscussionPath(post)); where[:5] != "nginx" && !strings.Contains(r.Body, text) {
				t.Errorf("%s: a reader heard of a comment and does not find it: %d", where, r.Status)
			}
		}
	}
}
