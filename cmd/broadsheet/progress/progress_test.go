package progress

import (
	"strings"
	"testing"
	"time"
)

func TestLinesHaveARateAndAnEnd(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	var out strings.Builder
	l := newLine(&out, "articles", func() time.Time { return now }, false)
	for i := range 101 {
		l.At(200+i*10, 1200)
		now = now.Add(100 * time.Millisecond)
	}
	l.End()
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 5 || lines[0] != "400 of 1200 articles, 33 %, 100/s, done at 12:00:10" {
		t.Errorf("lines: %q", lines)
	}
	if last := lines[len(lines)-1]; last != "1200 of 1200 articles, 100 %, 100/s" {
		t.Errorf("last line: %q", last)
	}
}

func TestMoreThanWasEstimated(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	var out strings.Builder
	l := newLine(&out, "rows", func() time.Time { return now }, false)
	for i := range 50 {
		l.At(i*10, 100)
		now = now.Add(100 * time.Millisecond)
	}
	l.End()
	want := "100 of 100 rows, 100 %, 100/s\n300 rows, 100/s\n"
	if got := out.String(); got != want {
		t.Errorf("lines: %q, want %q", got, want)
	}
}

func TestATerminalHasOneLine(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	var out strings.Builder
	l := newLine(&out, "rows", func() time.Time { return now }, true)
	for i := range 11 {
		l.At(i, 0)
		now = now.Add(200 * time.Millisecond)
	}
	l.End()
	if n := strings.Count(out.String(), "\n"); n != 1 || !strings.HasSuffix(out.String(), clearLine+"10 rows, 5.0/s\n") {
		t.Errorf("%d lines: %q", n, out.String())
	}
	var none *Line
	none.At(1, 2)
	none.End()
}
