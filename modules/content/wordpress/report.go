package wordpress

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// Outcome is what happened to a thing in the file.
type Outcome string

// The outcomes.
const (
	Taken     Outcome = "taken"     // it is new here
	Changed   Outcome = "changed"   // it was here, and was different
	Unchanged Outcome = "unchanged" // it was here already, exactly like that
	Left      Outcome = "left"      // it, or a part of it, was not taken
	Noted     Outcome = "noted"     // it was taken in another form than it had
	Withdrawn Outcome = "withdrawn" // it is gone from the site, and was taken out here
)

// Entry is one line of the report.
type Entry struct {
	Line    int     `json:"line,omitempty"` // of the file
	Kind    string  `json:"kind"`           // "post", "page", "picture", "block search", …
	Title   string  `json:"title,omitempty"`
	ID      string  `json:"id,omitempty"`   // there
	Link    string  `json:"link,omitempty"` // of a site that is kept up with
	Outcome Outcome `json:"outcome"`
	Reason  string  `json:"reason,omitempty"`
	Count   int     `json:"count,omitempty"` // how many of them; 0 is one
}

// Blocks counts one type of block.
type Blocks struct {
	Taken int `json:"taken"`
	Left  int `json:"left"`
}

// Group gathers the entries of one kind that were left or changed their form for one reason.
type Group struct {
	Kind    string  `json:"kind"`
	Outcome Outcome `json:"outcome"`
	Reason  string  `json:"reason"`
	Count   int     `json:"count"`
	First   int     `json:"first_line"`
	Where   string  `json:"where,omitempty"` // title of the first
	ID      string  `json:"id,omitempty"`    // of the first
	Link    string  `json:"link,omitempty"`
}

// Report says what an import did, or would do.
type Report struct {
	Site   string                     `json:"site"` // address of the old site
	DryRun bool                       `json:"dry_run,omitempty"`
	Bytes  int64                      `json:"bytes"` // read
	Took   time.Duration              `json:"took"`
	Counts map[string]map[Outcome]int `json:"counts"` // by kind: post, page, author, category, picture, …
	Blocks map[string]Blocks          `json:"blocks"` // by the name of the block
	Groups []*Group                   `json:"groups"` // what was left, in the order of its first line

	groups map[string]*Group
	lines  *json.Encoder
	err    error
}

// maxGroups bounds what a report keeps; the lines of Options.Lines have it all.
const maxGroups = 2000

func newReport(lines io.Writer) *Report {
	r := &Report{Counts: map[string]map[Outcome]int{}, Blocks: map[string]Blocks{}, groups: map[string]*Group{}}
	if lines != nil {
		r.lines = json.NewEncoder(lines)
		r.lines.SetEscapeHTML(false)
	}
	return r
}

func (r *Report) add(e Entry) {
	if r.lines != nil && r.err == nil {
		r.err = r.lines.Encode(e)
	}
	kind, detail, _ := strings.Cut(e.Kind, " ")
	if e.Kind != kind && kind != "block" && kind != "shortcode" { // the name of a file is no kind
		if e.Reason != "" && e.Title != "" {
			e.Title += ": " + detail
		}
		e.Kind = kind
	}
	counts := r.Counts[kind]
	if counts == nil {
		counts = map[Outcome]int{}
		r.Counts[kind] = counts
	}
	n := max(1, e.Count)
	counts[e.Outcome] += n
	if e.Outcome != Left && e.Outcome != Noted {
		return
	}
	key := e.Kind + "\x00" + string(e.Outcome) + "\x00" + e.Reason
	g := r.groups[key]
	if g == nil {
		if len(r.groups) >= maxGroups {
			return
		}
		g = &Group{Kind: e.Kind, Outcome: e.Outcome, Reason: e.Reason, First: e.Line, Where: e.Title, ID: e.ID, Link: e.Link}
		r.groups[key] = g
		r.Groups = append(r.Groups, g)
	}
	g.Count += n
}

func (r *Report) block(name string, taken bool) {
	b := r.Blocks[name]
	if taken {
		b.Taken++
	} else {
		b.Left++
	}
	r.Blocks[name] = b
}

// Total counts an outcome over all kinds that are saved: posts, pages, authors, categories, pictures.
func (r *Report) Total(o Outcome) (n int) {
	for _, kind := range saved {
		n += r.Counts[kind][o]
	}
	return n
}

var saved = []string{"post", "page", "author", "category", "picture"}

// WriteTo prints the report for people.
func (r *Report) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	head := "Imported from "
	if r.DryRun {
		head = "Dry run, nothing was written: from "
	}
	fmt.Fprintf(&b, "%s%s (%.1f MB)\n\n", head, cmp.Or(r.Site, "an export without an address"), float64(r.Bytes)/1e6)
	fmt.Fprintf(&b, "  %-14s %8s %8s %10s %8s\n", "", Taken, Changed, Unchanged, Left)
	kinds := slices.Clone(saved)
	for _, kind := range slices.Sorted(maps.Keys(r.Counts)) {
		if !slices.Contains(saved, kind) && r.Counts[kind][Left] > 0 {
			kinds = append(kinds, kind)
		}
	}
	for _, kind := range kinds {
		c := r.Counts[kind]
		fmt.Fprintf(&b, "  %-14s %8d %8d %10d %8d\n", kind, c[Taken], c[Changed], c[Unchanged], c[Left])
	}
	if r.Total(Taken)+r.Total(Changed) == 0 && r.Total(Unchanged) > 0 {
		b.WriteString("\nNothing has changed: all of it was here already.\n")
	}
	if len(r.Blocks) > 0 {
		b.WriteString("\nBlocks (taken / left)\n")
		for _, name := range slices.Sorted(maps.Keys(r.Blocks)) {
			fmt.Fprintf(&b, "  %-32s %6d / %d\n", name, r.Blocks[name].Taken, r.Blocks[name].Left)
		}
	}
	if len(r.Groups) > 0 {
		b.WriteString("\nLeft, or taken in another form\n")
	}
	slices.SortStableFunc(r.Groups, func(a, b *Group) int { return cmp.Compare(a.First, b.First) })
	for _, g := range r.Groups {
		line := "       "
		if g.First > 0 {
			line = fmt.Sprintf("%7d", g.First)
		}
		times, where := "", ""
		if g.Count > 1 {
			times = fmt.Sprintf(" (%d times)", g.Count)
		}
		if g.Where != "" {
			where = " — " + g.Where
		}
		fmt.Fprintf(&b, "  line %s  %s: %s%s%s\n", line, g.Kind, g.Reason, times, where)
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}
