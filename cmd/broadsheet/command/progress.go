package command

import (
	"fmt"
	"io"
	"os"
	"time"
)

// How often a long run says how far it is: after so much time or so many items, whichever comes first.
const (
	progressTime  = 2 * time.Second
	progressItems = 10_000
)

// progress writes a line now and then, and one at the end.
type progress struct {
	out  io.Writer
	now  func() time.Time
	last time.Time // of the last line
	said int       // items in it
}

func newProgress(out io.Writer, now func() time.Time) *progress {
	return &progress{out: out, now: now, last: now()}
}

// report is told how many of all items have been seen to.
func (p *progress) report(done, all int) {
	now := p.now()
	if done < all && now.Sub(p.last) < progressTime && done-p.said < progressItems {
		return
	}
	p.last, p.said = now, done
	fmt.Fprintf(p.out, "%d of %d items, %d %%\n", done, all, 100*done/max(all, 1))
}

// onTerminal reports whether somebody may be watching.
func onTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
