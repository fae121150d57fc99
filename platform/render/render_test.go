package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
)

const prelude = `globalThis.base = { hello: (name) => "<p>" + name + "</p>" };`

// bundle obeys the command in the page's "do" and prints the edition's name otherwise.
const bundle = `
const editions = {};
let renders = 0;
globalThis.__ssr = {
  setEdition(json) {
    const e = JSON.parse(json);
    if (e.refuse) throw new RangeError("no such theme");
    editions[e.id] = e;
  },
  renderPage(id, json) {
    const page = JSON.parse(json);
    renders++;
    switch (page.do) {
      case "loop": for (;;);
      case "regex": return String(/^(a+)+$/.test("a".repeat(40) + "!"));
      case "eat": { const a = []; for (;;) a.push(new Array(1e4).fill(a.length)); }
      case "dive": return (function f(n) { return f(n + 1) + 1; })(0);
      case "throw": throw new TypeError("boom " + page.text);
      case "number": return 7;
      case "talk": for (let i = 0; i < 1000; i++) console.error("line", i); return "";
      case "count": return String(renders);
      case "cards": {
        let s = "";
        for (let i = 0; i < page.n; i++) s += "<article><a href=\"/a/" + i + "\"><h3>" + ` +
	`base.hello(editions[id].name) + "</h3></a></article>";
        return s;
      }
    }
    return base.hello(editions[id].name + ": " + (page.text || ""));
  },
};`

var scripts = []Script{{"prelude.js", prelude}, {"server.js", bundle}}

func start(t testing.TB, change func(*Config)) *Renderer {
	t.Helper()
	cfg := Config{
		Scripts: scripts, Size: 1, Timeout: 20 * time.Second, QueueTimeout: 20 * time.Second,
		Log: slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&cfg)
	}
	r, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	for _, id := range []string{"north", "south"} {
		if err := r.SetEdition(id, edition(id, id)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func edition(id, name string) []byte { return fmt.Appendf(nil, `{"id":%q,"name":%q}`, id, name) }

func command(do string) []byte { return fmt.Appendf(nil, `{"route":%q,"do":%q}`, do, do) }

// mustWork proves that the pool still renders.
func mustWork(t *testing.T, r *Renderer) {
	t.Helper()
	html, err := r.Page(t.Context(), "north", []byte(`{"text":"ščť 😀"}`))
	if err != nil || string(html) != "<p>north: ščť 😀</p>" {
		t.Fatalf("got %q, %v", html, err)
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	mustWork(t, r)
	for name, page := range map[string]string{
		"throws": `{"do":"throw","text":"x"}`, "bad JSON": `{`,
		"not a string": `{"do":"number"}`,
	} {
		_, err := r.Page(t.Context(), "north", []byte(page))
		var thrown *JSError
		if !errors.As(err, &thrown) {
			t.Errorf("%s: %v", name, err)
		}
		if name == "throws" &&
			(!strings.Contains(thrown.Message, "boom x") || !strings.Contains(thrown.Stack, "renderPage")) {
			t.Errorf("message %q stack %q", thrown.Message, thrown.Stack)
		}
	}
	if _, err := r.Page(t.Context(), "nowhere", []byte(`{}`)); !errors.Is(err, ErrUnknownEdition) {
		t.Errorf("unknown edition: %v", err)
	}
	// Exceptions keep the runtime: it has counted every page so far.
	if html, _ := r.Page(t.Context(), "north", command("count")); string(html) != "4" {
		t.Errorf("the runtime was replaced, count %s", html)
	}
	if s := r.Stats(); s.Renders != 5 || s.Failures != 3 || s.Recycled != 0 {
		t.Errorf("stats %+v", s)
	}
}

func TestRunaway(t *testing.T) {
	t.Parallel()
	for _, do := range []string{"loop", "regex"} {
		t.Run(do, func(t *testing.T) {
			t.Parallel()
			r := start(t, func(c *Config) { c.Timeout = 200 * time.Millisecond })
			if _, err := r.Page(t.Context(), "north", command(do)); !errors.Is(err, ErrTimeout) {
				t.Fatal(err)
			}
			if s := r.Stats(); s.Timeouts != 1 || s.Recycled != 1 {
				t.Errorf("stats %+v", s)
			}
		})
	}
	for _, do := range []string{"eat", "dive"} {
		t.Run(do, func(t *testing.T) {
			t.Parallel()
			r := start(t, func(c *Config) { c.MemoryLimit = 24 << 20 })
			_, err := r.Page(t.Context(), "north", command(do))
			var thrown *JSError
			if err == nil || errors.As(err, &thrown) || errors.Is(err, ErrTimeout) {
				t.Fatalf("want an engine error, got %v", err)
			}
			mustWork(t, r)
			if s := r.Stats(); s.Failures != 1 || s.Recycled != 1 {
				t.Errorf("stats %+v", s)
			}
		})
	}
}

func TestCallerLeaves(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := r.Page(ctx, "north", command("loop")); !errors.Is(err, context.Canceled) || errors.Is(err, ErrTimeout) {
		t.Fatalf("cancelled: %v", err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := r.Page(ctx, "north", command("loop")); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("deadline: %v", err)
	}
	if _, err := r.Page(ctx, "north", command("count")); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("already over: %v", err)
	}
	mustWork(t, r)
}

func TestQueue(t *testing.T) {
	t.Parallel()
	r := start(t, func(c *Config) { c.QueueTimeout = 30 * time.Millisecond })
	ctx, cancel := context.WithCancel(t.Context())
	busy := make(chan error, 1)
	go func() { _, err := r.Page(ctx, "north", command("loop")); busy <- err }()
	for r.Stats().Idle > 0 {
		time.Sleep(time.Millisecond)
	}
	if _, err := r.Page(t.Context(), "north", command("count")); !errors.Is(err, ErrBusy) {
		t.Errorf("no runtime free: %v", err)
	}
	cancel()
	if err := <-busy; !errors.Is(err, context.Canceled) {
		t.Errorf("the page that kept it busy: %v", err)
	}
	if s := r.Stats(); s.Busy != 1 || s.Waiting != 0 {
		t.Errorf("stats %+v", s)
	}
}

func TestClose(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	running, waiting := make(chan error, 1), make(chan error, 1)
	go func() { _, err := r.Page(ctx, "north", command("loop")); running <- err }()
	for r.Stats().Idle > 0 {
		time.Sleep(time.Millisecond)
	}
	go func() { _, err := r.Page(t.Context(), "north", command("count")); waiting <- err }()
	for r.Stats().Waiting == 0 {
		time.Sleep(time.Millisecond)
	}
	closed := make(chan struct{})
	go func() { r.Close(); close(closed) }()
	if err := <-waiting; !errors.Is(err, ErrClosed) {
		t.Errorf("waiting caller: %v", err)
	}
	select {
	case <-closed:
		t.Error("closed while a page was being rendered")
	default:
	}
	cancel()
	if err := <-running; !errors.Is(err, context.Canceled) {
		t.Errorf("the running page: %v", err)
	}
	<-closed
	r.Close()
	if _, err := r.Page(t.Context(), "north", command("count")); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if err := r.SetEdition("north", edition("north", "x")); !errors.Is(err, ErrClosed) {
		t.Errorf("SetEdition after Close: %v", err)
	}
}

func TestRecycling(t *testing.T) {
	t.Parallel()
	r := start(t, func(c *Config) { c.MaxRenders = 3 })
	var seen []string
	for range 7 {
		html, err := r.Page(t.Context(), "north", command("count"))
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, string(html))
	}
	if got := strings.Join(seen, " "); got != "1 2 3 1 2 3 1" {
		t.Errorf("renders per runtime: %s", got)
	}
}

func TestBadBundleStopsTheStart(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ source, want string }{
		"does not parse":     {`globalThis.__ssr = {`, "server.js"},
		"throws when loaded": {`throw new Error("no fonts")`, "no fonts"},
		"no contract":        {`globalThis.__ssr = {renderPage() {}}`, "__ssr.setEdition"},
		"nothing":            {``, "__ssr"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := New(Config{Scripts: []Script{{"server.js", tc.source}}})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want it to name %q", err, tc.want)
			}
		})
	}
}

func TestConsoleIsLoggedWithinBounds(t *testing.T) {
	t.Parallel()
	var buf bytes.Buffer
	r := start(t, func(c *Config) { c.Log = slog.New(slog.NewTextHandler(&buf, nil)) })
	for range 2 {
		if _, err := r.Page(t.Context(), "north", command("talk")); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(buf.String(), "level=error message=\"line "); n != 2*logLines {
		t.Errorf("%d lines logged:\n%s", n, buf.String())
	}
}

func TestParallelWithImpatientCallers(t *testing.T) {
	t.Parallel()
	r := start(t, func(c *Config) { c.Size = 3; c.MaxRenders = 40; c.Route = func(p []byte) string { return string(p) } })
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			for i := range 50 {
				id := []string{"north", "south"}[(g+i)%2]
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+i%9)*time.Millisecond)
				do := "cards"
				if i%10 == 0 {
					do = "loop"
				}
				html, err := r.Page(ctx, id, fmt.Appendf(nil, `{"do":%q,"n":20}`, do))
				switch {
				case err == nil && strings.Count(string(html), "<p>"+id+"</p>") != 20:
					t.Errorf("wrong page for %s: %s", id, html)
				case err != nil && ctx.Err() == nil && !errors.Is(err, ErrTimeout):
					t.Errorf("an error without a reason: %v", err)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	mustWork(t, r)
}

func BenchmarkPage(b *testing.B) {
	r := start(b, nil)
	for _, n := range []int{1, 120} {
		page := fmt.Appendf(nil, `{"do":"cards","n":%d}`, n)
		b.Run(fmt.Sprintf("cards=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Page(b.Context(), "north", page); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		r, err := New(Config{Scripts: scripts, Size: 1, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
}
