package wordpress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"example.org/broadsheet/modules/content/wordpress/site"

	"example.org/broadsheet/platform/db"
)

const (
	syncBatch  = 20 // posts read whole at once
	maxSettled = 10_000
	newestPage = 20 // posts that every round looks at, whatever their dates say
	// form is raised when texts are converted in another way, so that all of them are taken again.
	form = 2
)

// mark is what a post was taken for: what the site's list said, and how it is read here. Changes that WordPress does
// not date, such as a category or a picture that was deleted, show in it too.
func (s *Syncer) mark(l *restListed) string {
	return digest([]any{form, l, s.o.Locked, s.o.Variants, s.o.Category, s.site.LoggedIn()})
}

// visible asks for what readers see, now or at its time.
func (s *Syncer) visible(pairs ...string) map[string][]string {
	q := site.Query(pairs...)
	if s.site.LoggedIn() {
		q.Set("context", "edit")
		q.Set("status", "publish,future")
	}
	return q
}

// postScan is one round's search for what has changed among the posts of a kind.
type postScan struct {
	k      kind
	listed map[int64]*restListed
	force  map[int64]bool // to be read even if nothing seems to have changed
	rows   map[int64]*syncItem
}

func (h *postScan) add(list []restListed) {
	for i := range list {
		h.listed[list[i].ID] = &list[i]
	}
}

// latest is the time of the last change in a list. A post that is dated in the future can be said to be changed then.
func latest(list []restListed, now time.Time) time.Time {
	at := time.Unix(0, 0).UTC()
	for i := range list {
		if m := list[i].modified(); m.After(at) && !m.After(now) {
			at = m
		}
	}
	return at
}

// posts brings one kind up to date. First all lists are read and then the posts: what is stored as seen was read after
// the last second that the lists report.
func (s *Syncer) posts(ctx context.Context, k kind, full bool) error {
	if len(s.settled) > maxSettled {
		clear(s.settled)
	}
	h := &postScan{k: k, listed: map[int64]*restListed{}, force: map[int64]bool{}}
	cursor, err := s.cursor(ctx, k)
	if err != nil {
		return err
	}
	route := "/wp/v2/" + k.route
	recent, _, err := site.List[restListed](ctx, s.site, route,
		s.visible("_fields", listedFields, "modified_after", stampOf(cursor.Add(-overlap)), "orderby", "modified",
			"order", "desc"))
	if err != nil {
		return err
	}
	h.add(recent)
	head := latest(recent, s.site.Now)
	for i := range recent {
		h.force[recent[i].ID] = !s.settled[s.mark(&recent[i])]
	}
	// Many that were changed within one second have no order that pages could keep.
	full = full || len(recent) >= site.PerPage
	newest, total, err := s.newest(ctx, route)
	if err != nil {
		return err
	}
	h.add(newest)
	if !full {
		if full, err = s.countDiffers(ctx, h, total); err != nil {
			return err
		}
	}
	var gone []int64
	if full {
		if gone, err = s.walkAll(ctx, h, route); err != nil {
			return err
		}
	}
	todo, err := s.candidates(ctx, h, full)
	if err != nil {
		return err
	}
	if err := s.withdraw(ctx, k, gone); err != nil {
		return err
	}
	done := 0
	for some := range slices.Chunk(todo, syncBatch) {
		if err := s.read(ctx, h, some); err != nil {
			return err
		}
		if done += len(some); s.o.Progress != nil {
			s.o.Progress(k.route, done, len(todo))
		}
	}
	return s.update(ctx, func(ctx context.Context, tx db.Tx) error { return saveCursor(ctx, tx, s.source, k.route, head) })
}

// cursor is where the last round came to. The first sets it at once: what is changed while all is taken is found by
// the next, also when this one is killed.
func (s *Syncer) cursor(ctx context.Context, k kind) (at time.Time, err error) {
	err = s.view(ctx, func(ctx context.Context, tx db.Tx) error {
		at, err = findCursor(ctx, tx, s.source, k.route)
		return err
	})
	if err != nil || !at.IsZero() {
		return at, err
	}
	list, _, err := site.Page[restListed](ctx, s.site, "/wp/v2/"+k.route,
		s.visible("_fields", listedFields, "orderby", "modified", "order", "desc", "per_page", "5"))
	if err != nil {
		return at, err
	}
	at = latest(list, s.site.Now)
	return at, s.update(ctx, func(ctx context.Context, tx db.Tx) error {
		return saveCursor(ctx, tx, s.source, k.route, at)
	})
}

// newest lists the latest by date: a scheduled post that goes out is not dated as changed then. total counts all.
func (s *Syncer) newest(ctx context.Context, route string) (list []restListed, total int, err error) {
	return site.Page[restListed](ctx, s.site, route,
		s.visible("_fields", listedFields, "orderby", "date", "order", "desc", "per_page", strconv.Itoa(newestPage)))
}

// countDiffers reports whether the site has another number of posts than this side knows of; then all ids are compared.
func (s *Syncer) countDiffers(ctx context.Context, h *postScan, total int) (bool, error) {
	var n int
	err := s.view(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if n, err = countItems(ctx, tx, s.source, h.k.route); err != nil {
			return err
		}
		h.rows, err = findSome(ctx, tx, s.source, h.k.route, slices.Collect(maps.Keys(h.listed)))
		return err
	})
	for id := range h.listed {
		if h.rows[id] == nil {
			n++
		}
	}
	return total >= 0 && total-s.skew[h.k.route] != n, err
}

// walkAll lists all ids, and returns those that are gone, after the site was asked for each of them: in a list that
// becomes shorter while it is read, some are passed over.
func (s *Syncer) walkAll(ctx context.Context, h *postScan, route string) (gone []int64, err error) {
	all, total, err := site.List[restListed](ctx, s.site, route,
		s.visible("_fields", listedFields, "orderby", "id", "order", "asc"))
	if err != nil {
		return nil, err
	}
	h.add(all)
	if total >= 0 {
		s.skew[h.k.route] = total - len(all) // it counts what it does not list
	}
	err = s.view(ctx, func(ctx context.Context, tx db.Tx) error {
		h.rows, err = findItems(ctx, tx, s.source, h.k.route)
		return err
	})
	if err != nil {
		return nil, err
	}
	for id := range h.rows {
		if h.listed[id] == nil {
			gone = append(gone, id)
		}
	}
	slices.Sort(gone)
	there, err := site.Named[restListed](ctx, s.site, route, gone, s.visible("_fields", listedFields))
	if err != nil {
		return nil, err
	}
	for i := range there {
		h.listed[there[i].ID] = &there[i]
		gone = slices.DeleteFunc(gone, func(id int64) bool { return id == there[i].ID })
	}
	return gone, nil
}

// candidates are the posts to be read: new ones, those that look different, that are asked for, or that may have
// changed twice in a second.
func (s *Syncer) candidates(ctx context.Context, h *postScan, full bool) (ids []int64, err error) {
	if h.rows == nil {
		err = s.view(ctx, func(ctx context.Context, tx db.Tx) error {
			h.rows, err = findSome(ctx, tx, s.source, h.k.route, slices.Collect(maps.Keys(h.listed)))
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	for id, l := range h.listed {
		row := h.rows[id]
		if row == nil || row.Mark != s.mark(l) || h.force[id] || full && row.Retry {
			ids = append(ids, id)
		}
	}
	for id, row := range h.rows {
		if row.Mark == "" && h.listed[id] == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// read takes some posts, in halves where the site fails on them together: one that it cannot show holds up no other.
func (s *Syncer) read(ctx context.Context, h *postScan, ids []int64) error {
	k := h.k
	list, err := site.Named[restPost](ctx, s.site, "/wp/v2/"+k.route, ids, s.visible("_embed", "author"))
	if err != nil {
		if !site.IsOfOnePost(err) || ctx.Err() != nil {
			return err
		}
		if half := len(ids) / 2; half > 0 {
			return errors.Join(s.read(ctx, h, ids[:half]), s.read(ctx, h, ids[half:]))
		}
		return s.deferPost(ctx, h, ids[0], err)
	}
	now := s.site.Now
	slices.SortFunc(list, func(a, b restPost) int { return cmp.Compare(a.ID, b.ID) }) // numbers here follow those there
	there := map[int64]bool{}
	for i := range list {
		there[list[i].ID] = true
	}
	if err := s.take(ctx, k, list, now); err != nil {
		return err
	}
	var gone []int64
	for _, id := range ids {
		if !there[id] {
			gone = append(gone, id)
		}
	}
	return s.withdraw(ctx, k, gone)
}

// deferPost writes down that the site cannot show a post: it is asked for again when it is changed, or all ids are
// compared.
func (s *Syncer) deferPost(ctx context.Context, h *postScan, id int64, reason error) error {
	row := &syncItem{Source: s.source, Kind: h.k.route, Number: id, Mark: "left", Retry: true}
	e := Entry{Kind: h.k.name, ID: strconv.FormatInt(id, 10), Outcome: Left, Reason: "the site cannot show it"}
	if l := h.listed[id]; l != nil {
		row.Mark, e.Link = s.mark(l), l.Link
		s.settled[row.Mark] = s.site.Now.Sub(l.modified()) >= overlap
	}
	if was := h.rows[id]; was != nil {
		row.Uses = was.Uses
	}
	e.Title = reason.Error()
	s.report.add(e)
	return s.update(ctx, func(ctx context.Context, tx db.Tx) error { return saveItems(ctx, tx, []*syncItem{row}) })
}

// withdraw takes out what is gone from the site.
func (s *Syncer) withdraw(ctx context.Context, k kind, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	var n int
	err := s.view(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		n, err = countItems(ctx, tx, s.source, k.route)
		return err
	})
	if err != nil {
		return err
	}
	before := n + s.gone
	if s.gone += len(ids); !s.o.Emptied && s.gone > 20 && 2*s.gone > before {
		return fmt.Errorf("%d of %d are gone from the site at once, and were not withdrawn: if that is meant, run it once "+
			"with --emptied", s.gone, before)
	}
	for some := range slices.Chunk(ids, site.PerPage) {
		names := make([]string, len(some))
		for i, id := range some {
			names[i] = strconv.FormatInt(id, 10)
		}
		if _, err := s.o.Library.Withdraw(ctx, s.source, names); err != nil {
			return fmt.Errorf("withdraw: %w", err)
		}
		err := s.update(ctx, func(ctx context.Context, tx db.Tx) error { return dropItems(ctx, tx, s.source, k.route, some) })
		if err != nil {
			return err
		}
		for _, name := range names {
			s.report.add(Entry{Kind: k.name, ID: name, Outcome: Withdrawn})
		}
	}
	return nil
}
