package command

import (
	"strings"
	"testing"
	"time"
)

func TestProgressSpeaksNowAndThen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		step time.Duration // between two items
		all  int
		want string
	}{
		{"quick", 0, 25_000, "10000 of 25000 items, 40 %\n20000 of 25000 items, 80 %\n25000 of 25000 items, 100 %\n"},
		{"slow", 700 * time.Millisecond, 7, "3 of 7 items, 42 %\n6 of 7 items, 85 %\n7 of 7 items, 100 %\n"},
		{"short", 0, 3, "3 of 3 items, 100 %\n"},
		{"empty", 0, 0, ""},
	} {
		var out strings.Builder
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		p := newProgress(&out, func() time.Time { return at })
		for done := 1; done <= c.all; done++ {
			at = at.Add(c.step)
			p.report(done, c.all)
		}
		if out.String() != c.want {
			t.Errorf("%s:\n%s", c.name, out.String())
		}
	}
}
