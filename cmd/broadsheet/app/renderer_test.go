package app

import (
	"errors"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/render"
	"example.org/broadsheet/tenants"
)

// What the settings say of rendering counts.
func TestRenderingKeepsToItsSettings(t *testing.T) {
	t.Parallel()
	if _, _, _, err := openFrontend(config.Render{Runtimes: 1, MemoryMB: 1}); err == nil ||
		!strings.Contains(err.Error(), "does not run") {
		t.Errorf("the bundle runs in a megabyte: %v", err)
	}
	text, err := tenants.FS.ReadFile("standard.yaml")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := edition.Parse("standard.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	ed, err := edition.New(*doc, "http://{host}")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		bounds config.Render
		size   int
		err    error
	}{
		{config.Render{Runtimes: 3, Timeout: 30 * time.Second, MemoryMB: 192}, 3, nil},
		{config.Render{Runtimes: 2, Timeout: time.Nanosecond, MemoryMB: 192}, 2, render.ErrTimeout},
	} {
		r, _, _, err := openFrontend(c.bounds)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(r.Close)
		if err := r.SetEdition(ed.ID, ed.Public); err != nil {
			t.Fatal(err)
		}
		_, err = r.Page(t.Context(), ed.ID,
			[]byte(`{"url":"/nowhere","route":"not_found","status":404,"params":{},"data":{},"meta":{"title":""},`+
				`"tier":"anonymous","today":"2027-01-31"}`))
		if !errors.Is(err, c.err) {
			t.Errorf("%+v: %v", c.bounds, err)
		}
		if got := r.Stats().Size; got != c.size {
			t.Errorf("%+v: %d runtimes", c.bounds, got)
		}
	}
}
