package app

import (
	"context"
	"net/http"
	"testing"
	"time"

	"example.org/broadsheet/cmd/broadsheet/devstate"
	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

const month = 30 * 24 * time.Hour

// A command beside `dev` writes the date that `dev` has, and the machine's where none runs.
func TestCommandsHaveTheClockOfDev(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	ed, _ := p.app.registry.Get("standard")
	ctx, d := edition.With(t.Context(), ed), p.app.DB
	b := p.browser("standard")
	if r := b.post("/_dev/clock", map[string]string{"advance": month.String()}); r.Status != http.StatusOK {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	before := time.Now()
	storeInvoice(ctx, t, d)
	for _, args := range [][]string{
		{"invoice", "correct", oldInvoice, "--company", "Lipa", "--reason", "asked", "--edition", "standard"},
		{"seed", "--edition", "standard"},
	} {
		if out, err := p.command(args...); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	for what, query := range map[string]string{
		"the newest document": "SELECT max(issued_at) FROM billing_documents WHERE source LIKE 'correct:%'",
		"the newest post":     newestPost,
	} {
		if at := queryTime(ctx, t, d, query); at.Before(before.Add(month-48*time.Hour)) || at.After(p.clock.Now()) {
			t.Errorf("%s beside dev: got %s, want about %s", what, at, before.Add(month))
		}
	}
	p.stop()
	seededNow(t, p, "standard_at")

	// What a `dev` has left that was killed counts for nothing.
	d, stop := openFolder(t, p)
	if err := devstate.Store(t.Context(), d, devstate.State{PublicURL: "http://{host}:1", Ahead: month}); err != nil {
		t.Fatal(err)
	}
	stop()
	seededNow(t, p, "standard_com")
}

const newestPost = "SELECT max(published_at) FROM content_posts"

// seededNow seeds an edition while no `dev` runs, and wants the machine's date.
func seededNow(t *testing.T, p *testApp, id string) {
	t.Helper()
	if out, err := p.command("seed", "--edition", id); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	d, stop := openFolder(t, p)
	defer stop()
	r := edition.NewRegistry(d, "https://{host}", nil)
	if err := r.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	ed, _ := r.Get(id)
	at := queryTime(edition.With(t.Context(), ed), t, d, newestPost)
	if now := time.Now(); at.After(now) || at.Before(now.Add(-48*time.Hour)) {
		t.Errorf("the newest post without dev: got %s, want about %s", at, now)
	}
	if s, err := devstate.Load(t.Context(), d); err != nil || s != (devstate.State{}) {
		t.Errorf("state without dev: got %+v, %v, want none", s, err)
	}
}

// openFolder starts the database of a paper that has ended.
func openFolder(t *testing.T, p *testApp) (*db.DB, func()) {
	t.Helper()
	d, _, stop, err := OpenDatabase(t.Context(), p.cfg, &clock.Clock{}, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d, stop
}

func queryTime(ctx context.Context, t *testing.T, d *db.DB, query string) (at time.Time) {
	t.Helper()
	err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error { return tx.NewRaw(query).Scan(ctx, &at) })
	if err != nil {
		t.Fatal(err)
	}
	return at
}
