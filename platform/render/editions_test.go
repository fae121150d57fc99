package render

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestSetEditionRefuses(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	for name, tc := range map[string]struct{ id, doc, want string }{
		"no JSON":            {"north", `{"id":`, "unexpected end"},
		"someone else's":     {"north", `{"id":"south"}`, `id is "south"`},
		"no id":              {"", `{"id":""}`, "id"},
		"the bundle objects": {"north", `{"id":"north","refuse":true}`, "no such theme"},
	} {
		if err := r.SetEdition(tc.id, []byte(tc.doc)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want it to say %q", name, err, tc.want)
		}
	}
	mustWork(t, r)
}

func TestEditionComesAndGoes(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	page := func() string {
		html, err := r.Page(t.Context(), "east", []byte(`{}`))
		if err != nil {
			return err.Error()
		}
		return string(html)
	}
	want := func(s string) {
		t.Helper()
		if got := page(); got != s {
			t.Fatalf("got %s, want %s", got, s)
		}
	}
	set := func(name string) {
		t.Helper()
		if err := r.SetEdition("east", edition("east", name)); err != nil {
			t.Fatal(err)
		}
	}
	want(ErrUnknownEdition.Error())
	set("one")
	want("<p>one: </p>")
	set("two")
	want("<p>two: </p>")
	r.RemoveEdition("east")
	want(ErrUnknownEdition.Error())
	set("three")
	want("<p>three: </p>")
	mustWork(t, r)
}

// A page that was asked for after SetEdition returned never shows an older version.
func TestEditionChangesUnderLoad(t *testing.T) {
	t.Parallel()
	r := start(t, func(c *Config) { c.Size = 3; c.MaxRenders = 25 })
	var published atomic.Int64
	var done atomic.Bool
	if err := r.SetEdition("east", edition("east", "0")); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for !done.Load() {
				least := published.Load()
				html, err := r.Page(t.Context(), "east", []byte(`{}`))
				if err != nil {
					t.Error(err)
					return
				}
				version := strings.TrimSuffix(strings.TrimPrefix(string(html), "<p>"), ": </p>")
				if n, err := strconv.ParseInt(version, 10, 64); err != nil || n < least {
					t.Errorf("version %s was rendered after %d had been set", version, least)
					return
				}
			}
		})
	}
	for i := int64(1); i <= 40; i++ {
		if err := r.SetEdition("east", edition("east", strconv.FormatInt(i, 10))); err != nil {
			t.Error(err)
		}
		published.Store(i)
	}
	r.RemoveEdition("south")
	if _, err := r.Page(t.Context(), "south", []byte(`{}`)); !errors.Is(err, ErrUnknownEdition) {
		t.Errorf("removed edition: %v", err)
	}
	done.Store(true)
	wg.Wait()
}
