package command

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/web"
)

// startLog makes the log of the process as the settings say. Lines of requests are written together, all others at
// once.
func startLog(cfg *config.Config, f *flags) error {
	var level slog.Level
	if err := level.UnmarshalText([]byte(cfg.Log.Level)); err != nil {
		return fmt.Errorf("log.level: %w", err)
	}
	handler := func(w io.Writer) slog.Handler {
		if cfg.Log.Format == "json" {
			return slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level})
		}
		return slog.NewTextHandler(w, &slog.HandlerOptions{Level: level})
	}
	f.log.out = os.Stderr
	slog.SetDefault(slog.New(logHandler{Handler: app.LogHandler(handler(os.Stderr)), requests: handler(&f.log)}))
	return nil
}

// logHandler gives the lines of requests to a handler of their own.
type logHandler struct {
	slog.Handler
	requests slog.Handler
}

// Handle implements slog.Handler.
func (h logHandler) Handle(ctx context.Context, r slog.Record) error {
	if r.Message == web.AccessMessage && r.Level == slog.LevelInfo {
		return h.requests.Handle(ctx, r)
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return logHandler{h.Handler.WithAttrs(attrs), h.requests.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h logHandler) WithGroup(name string) slog.Handler {
	return logHandler{h.Handler.WithGroup(name), h.requests.WithGroup(name)}
}

// How long, and how many bytes of, lines wait to be written together.
const (
	linesWait = 200 * time.Millisecond
	linesFull = 32 << 10
)

// lineBuffer writes many lines at once: a call of the system for each costs as much as an answer from memory. What a
// killed process had not written is lost.
type lineBuffer struct {
	mu      sync.Mutex
	out     io.Writer
	lines   []byte
	waiting bool // to be flushed
}

// Write implements io.Writer for whole lines.
func (b *lineBuffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines = append(b.lines, line...)
	switch {
	case len(b.lines) >= linesFull:
		b.flush()
	case !b.waiting:
		b.waiting = true
		time.AfterFunc(linesWait, b.Flush)
	}
	return len(line), nil
}

// Flush writes what waits.
func (b *lineBuffer) Flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = false
	b.flush()
}

func (b *lineBuffer) flush() {
	if len(b.lines) > 0 {
		_, _ = b.out.Write(b.lines) // nobody could be told that the log has no room
		b.lines = b.lines[:0]
	}
}
