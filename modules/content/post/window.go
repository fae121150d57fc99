package post

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"example.org/broadsheet/platform/web"
)

const (
	// MaxOffset bounds what is skipped by number, which costs the more the further it goes. Beyond it a list is
	// followed by its cursors, which cost the same everywhere.
	MaxOffset = 1000
	// MaxFollow bounds the number of stories that a cursor says were shown before it.
	MaxFollow = 1_000_000
)

// cursor is the last story of a page: the next page begins after it, whatever was published meanwhile.
type cursor struct {
	at time.Time
	id int64
}

func (c cursor) zero() bool { return c.id == 0 }

func (c cursor) String() string {
	if c.zero() {
		return ""
	}
	return strconv.FormatInt(c.at.UnixMicro(), 36) + "-" + strconv.FormatInt(c.id, 36)
}

func parseCursor(s string) (c cursor, ok bool) {
	at, id, found := strings.Cut(s, "-")
	micro, err := strconv.ParseInt(at, 36, 64)
	if !found || err != nil {
		return c, false
	}
	c.id, err = strconv.ParseInt(id, 36, 64)
	c.at = time.UnixMicro(micro).UTC()
	return c, err == nil && c.id > 0 && c.at.Year() > 0 && c.at.Year() < 10_000
}

// Window is the part of a list that is asked for: Limit stories after the one that After names, or else after the
// first Offset.
type Window struct {
	Limit  int
	Offset int // with After, only told on
	After  string
	after  cursor
}

// Skip is how many stories the store has to pass over.
func (w Window) Skip() int {
	if w.after.zero() {
		return w.Offset
	}
	return 0
}

// Parse reads After; false when the window makes no sense.
func (w Window) Parse() (Window, bool) {
	most := MaxOffset
	if w.After != "" {
		var ok bool
		if w.after, ok = parseCursor(w.After); !ok {
			return w, false
		}
		most = MaxFollow
	}
	return w, w.Offset >= 0 && w.Offset <= most && w.Limit > 0
}

// First reports whether the window is the beginning of its list.
func (w Window) First() bool { return w.Offset == 0 && w.after.zero() }

// ReadWindow reads the address of a page of a list; one that makes no sense is a page that is not there.
func ReadWindow(q url.Values, first, later int) (Window, error) {
	w := Window{Limit: first, After: q.Get("after")}
	if s := q.Get("offset"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			return w, web.ErrNotFound
		}
		w.Offset = n
	}
	w, ok := w.Parse()
	if !ok {
		return w, web.ErrNotFound
	}
	if !w.First() {
		w.Limit = later
	}
	return w, nil
}

// Part is a part of a list that was read.
type Part struct {
	IDs  []int64
	More bool
	Last cursor
}

// Next is where the list goes on: how many were shown until there, and the address; 0 and "" at the end.
func (w Window) Next(path string, r Part) (offset int, address string) {
	if !r.More {
		return 0, ""
	}
	offset = w.Offset + len(r.IDs)
	return offset, fmt.Sprintf("%s?offset=%d&after=%s", path, offset, r.Last)
}

// Canonical is the address of a page of a list, for search engines.
func (w Window) Canonical(address string) string {
	if w.First() {
		return address
	}
	address += fmt.Sprintf("?offset=%d", w.Offset)
	if w.Offset > MaxOffset {
		address += "&after=" + w.After
	}
	return address
}
