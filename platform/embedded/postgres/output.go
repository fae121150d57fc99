package postgres

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
)

const (
	tailLines   = 8
	lineSizeMax = 8 << 10
)

// logWriter turns the lines that the server prints into log records, and remembers the last ones to explain a failure.
type logWriter struct {
	log  *slog.Logger
	mu   sync.Mutex
	rest []byte
	last []string
}

var severities = []struct {
	prefix string
	level  slog.Level
}{
	{"PANIC:", slog.LevelError},
	{"FATAL:", slog.LevelWarn},
	{"ERROR:", slog.LevelWarn},
	{"WARNING:", slog.LevelWarn},
}

func (w *logWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rest = append(w.rest, b...)
	for {
		line, rest, found := bytes.Cut(w.rest, []byte{'\n'})
		if !found && len(line) < lineSizeMax {
			return len(b), nil
		}
		w.rest = rest
		w.line(strings.TrimSpace(string(line)))
	}
}

func (w *logWriter) line(text string) {
	if text == "" {
		return
	}
	w.last = append(w.last, text)
	w.last = w.last[max(0, len(w.last)-tailLines):]
	level := slog.LevelDebug
	for _, s := range severities {
		if strings.HasPrefix(text, s.prefix) {
			level = s.level
		}
	}
	w.log.Log(context.Background(), level, text, "from", "postgres")
}

// tail is the last of what was printed, on one line.
func (w *logWriter) tail() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	lines := w.last
	if len(w.rest) > 0 {
		lines = append(lines[:len(lines):len(lines)], strings.TrimSpace(string(w.rest)))
	}
	return strings.Join(lines, "; ")
}
