package wordpress

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/advisory"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

var blockMarks = regexp.MustCompile(`<!--.*?-->`)

// newSync is an edition beside a site.
func newSync(t *testing.T) (*house, *press, SyncOptions) {
	t.Helper()
	h, p := newHouse(t), newPress(t)
	p.users[5] = &restUser{ID: 5, Name: "Hana Brezová", Slug: "hana", Description: "Píše o rieke."}
	return h, p, SyncOptions{
		Library: h.module, Images: h.o.Images, DB: h.db, URL: p.url,
		wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
}

// start opens a sync as a process of its own; kill ends it without a word.
func (h *house) start(ctx context.Context, o SyncOptions) (s *Syncer, kill func(), err error) {
	h.t.Helper()
	d := testkit.Process(h.t, h.db)
	ed := editionOf(h.t, h.ctx)
	d.Attach(ed.ID, ed.Schema)
	o.DB = d
	for { // the server sees a moment later that a killed one is gone
		if s, err = OpenSync(ctx, o); !errors.Is(err, ErrSyncing) {
			break
		}
		runtime.Gosched()
	}
	if err != nil {
		return nil, func() { _ = d.Detach(ed.ID) }, err
	}
	holder, err := advisory.HolderOf(h.ctx, h.db.Core(), lockName(ed.ID))
	if err != nil {
		h.t.Fatal(err)
	}
	return s, func() {
		if _, err := h.db.Core().NewRaw("SELECT pg_terminate_backend(?)", holder.PID).Exec(h.ctx); err != nil {
			h.t.Error(err)
		}
		_ = d.Detach(ed.ID)
	}, nil
}

// round makes rounds of a new process, and wants them to go well.
func (h *house) round(o SyncOptions, rounds int) (r *Report) {
	h.t.Helper()
	s, kill, err := h.start(h.ctx, o)
	if err != nil {
		h.t.Fatal(err)
	}
	defer kill()
	for range rounds {
		if r, err = s.Round(h.ctx); err != nil {
			h.t.Fatal(err)
		}
	}
	return r
}

func paragraph(text string) string {
	return "<!-- wp:paragraph -->\n<p>" + text + "</p>\n<!-- /wp:paragraph -->\n"
}

func imageBlock(m *pressMedia, url string) string {
	return fmt.Sprintf("<!-- wp:image {\"id\":%d} -->\n<figure class=\"wp-block-image\"><img src=\"%s\" alt=\"\" "+
		"class=\"wp-image-%d\"/></figure>\n<!-- /wp:image -->\n", m.id, url+m.path, m.id)
}

// versions lists when each row was last written.
func (h *house) versions() string {
	var all []string
	for _, table := range []string{
		"content_posts", "content_bodies", "content_post_authors", "content_post_categories", "content_redirects",
		"content_tags", "content_post_tags", "content_authors", "content_categories",
		"content_pictures", "content_imported_pictures", "content_sync_items", "content_sync_cursors",
	} {
		all = append(all, table+" "+h.value("SELECT ctid, ctid::text || xmin::text FROM "+table))
	}
	return strings.Join(all, "\n")
}

func editionOf(t *testing.T, ctx context.Context) *edition.Edition {
	t.Helper()
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return ed
}

// listen counts the notices of changed content from now until the function returned is called.
func (h *house) listen() (count func() int) {
	hub := notify.NewHub(h.db, nil)
	heard := make(chan notify.Message, 100)
	hub.On(notify.Content, func(m notify.Message) { heard <- m })
	ctx, stop := context.WithCancel(h.ctx)
	done := make(chan struct{})
	go func() { defer close(done); hub.Listen(ctx) }()
	for !hub.Connected() {
		runtime.Gosched()
	}
	for len(heard) > 0 { // the word that the line is new
		<-heard
	}
	return func() (n int) {
		defer func() { stop(); <-done }()
		err := h.db.InTx(h.ctx, func(ctx context.Context, tx db.Tx) error {
			return notify.Tell(ctx, tx, notify.Content, "last")
		})
		if err != nil {
			h.t.Fatal(err)
		}
		for m := range heard {
			if slices.Equal(m.Keys, []string{"last"}) {
				return n
			}
			n++
		}
		return n
	}
}
