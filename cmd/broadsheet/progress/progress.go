// Package progress shows how far a long command is: one line that is rewritten on a terminal, plain lines otherwise.
package progress

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

const (
	terminalEvery = 200 * time.Millisecond
	linesEvery    = 2 * time.Second
	rateNeeds     = time.Second // before that a rate says nothing
	clearLine     = "\r\x1b[K"
)

// Line is the progress of one command. It may be used by several goroutines. A nil Line shows nothing.
type Line struct {
	out      io.Writer
	unit     string
	now      func() time.Time
	terminal bool

	mu    sync.Mutex
	began time.Time
	first int // items that were done when the first report came: a run that is resumed has no credit for them
	shown time.Time
	any   bool // whether something stands in the terminal's line
}

// New makes a line that counts units ("articles", "readers"). It is rewritten in place if out is a terminal.
func New(out io.Writer, unit string) *Line { return newLine(out, unit, time.Now, IsTerminal(out)) }

func newLine(out io.Writer, unit string, now func() time.Time, terminal bool) *Line {
	return &Line{out: out, unit: unit, now: now, terminal: terminal, first: -1}
}

// At says how many of all items are done. All may be an estimate, and is 0 where nobody knows it.
func (l *Line) At(done, all int) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if done > all { // the estimate was too low
		all = 0
	}
	now, every := l.now(), linesEvery
	if l.terminal {
		every = terminalEvery
	}
	if l.first < 0 {
		l.began, l.first, l.shown = now, done, now
	}
	if now.Sub(l.shown) < every && (all == 0 || done < all) {
		return
	}
	l.shown = now
	text := l.text(now, done, all)
	if l.terminal {
		l.any = true
		fmt.Fprint(l.out, clearLine, text)
		return
	}
	fmt.Fprintln(l.out, text)
}

// text is, for example, "1200 of 5000 articles, 24 %, 210/s, done at 14:32:10".
func (l *Line) text(now time.Time, done, all int) string {
	text := fmt.Sprintf("%d %s", done, l.unit)
	if all > 0 {
		text = fmt.Sprintf("%d of %d %s, %d %%", done, all, l.unit, 100*done/all)
	}
	took, did := now.Sub(l.began), done-l.first
	if took < rateNeeds || did <= 0 {
		return text
	}
	if rate := float64(did) / took.Seconds(); rate < 10 {
		text += fmt.Sprintf(", %.1f/s", rate)
	} else {
		text += fmt.Sprintf(", %.0f/s", rate)
	}
	if done < all {
		left := time.Duration(float64(took) / float64(did) * float64(all-done))
		text += ", done at " + now.Add(left).Format(time.TimeOnly)
	}
	return text
}

// End leaves the terminal's line, so that what follows begins on one of its own.
func (l *Line) End() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.any {
		fmt.Fprintln(l.out)
	}
	l.any = false
}

// Parts shows a line for each part of one command, one after the other.
type Parts struct {
	out  io.Writer
	unit string
	line *Line
}

// NewParts makes one whose lines go to out.
func NewParts(out io.Writer) *Parts { return &Parts{out: out} }

// At says how many of all items of a part are done; a part has the name of its items. A new name begins a new line.
func (p *Parts) At(unit string, done, all int) {
	if p.line == nil || unit != p.unit {
		p.line.End()
		p.line, p.unit = New(p.out, unit), unit
	}
	p.line.At(done, all)
}

// End ends the last line.
func (p *Parts) End() { p.line.End() }

// IsTerminal reports whether somebody may be watching what is written to out.
func IsTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
