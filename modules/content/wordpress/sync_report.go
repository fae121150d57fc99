package wordpress

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// Moved reports whether a round took, changed or withdrew anything.
func (r *Report) Moved() bool {
	for _, c := range r.Counts {
		if c[Taken]+c[Changed]+c[Withdrawn] > 0 {
			return true
		}
	}
	return false
}

// WriteRound prints the report of a sync's round for people.
func (r *Report) WriteRound(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Synced with %s in %s\n", r.Site, r.Took.Round(time.Millisecond))
	if !r.Moved() {
		b.WriteString("Nothing has changed there.\n")
	} else {
		fmt.Fprintf(&b, "\n  %-14s %8s %8s %10s %8s\n", "", Taken, Changed, Withdrawn, Left)
		for _, kind := range slices.Sorted(maps.Keys(r.Counts)) {
			if c := r.Counts[kind]; c[Taken]+c[Changed]+c[Withdrawn]+c[Left] > 0 {
				fmt.Fprintf(&b, "  %-14s %8d %8d %10d %8d\n", kind, c[Taken], c[Changed], c[Withdrawn], c[Left])
			}
		}
	}
	if len(r.Groups) > 0 {
		b.WriteString("\nLeft, or taken in another form\n")
	}
	for _, g := range r.Groups {
		times := ""
		if g.Count > 1 {
			times = fmt.Sprintf(" (%d times)", g.Count)
		}
		where := strings.Join(slices.DeleteFunc([]string{g.Where, cmp.Or(g.Link, "id "+g.ID)}, func(s string) bool {
			return s == "" || s == "id "
		}), ", ")
		fmt.Fprintf(&b, "  %s: %s%s — %s\n", g.Kind, g.Reason, times, where)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
