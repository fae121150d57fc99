package command

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.org/broadsheet/platform/web"
)

type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}

// Lines of requests are written after 200 ms at the latest, when there are many of them, and at the end; all others are
// written at once.
func TestRequestsAreLoggedTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		out := &lockedBuffer{}
		b := &lineBuffer{out: out}
		log := slog.New(logHandler{Handler: slog.NewTextHandler(out, nil), requests: slog.NewTextHandler(b, nil)}).
			With("process", 1)
		count := func(want int) {
			t.Helper()
			if got := strings.Count(out.String(), "msg="+web.AccessMessage); got != want {
				t.Errorf("got %d lines of requests, want %d", got, want)
			}
		}
		log.Info(web.AccessMessage, "path", "/")
		log.Warn("something else")
		if !strings.Contains(out.String(), "something else") || !strings.Contains(out.String(), "process=1") {
			t.Errorf("got %q, want the other line at once", out)
		}
		count(0)
		time.Sleep(linesWait + time.Millisecond)
		count(1)
		for range linesFull / 40 {
			log.Info(web.AccessMessage, "path", "/")
		}
		if got := strings.Count(out.String(), "msg="+web.AccessMessage); got < 100 {
			t.Errorf("got %d lines, want most of %d to be written before the time", got, linesFull/40)
		}
		b.Flush()
		count(1 + linesFull/40)
		time.Sleep(linesWait + time.Millisecond)
	})
}
