package edition_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// An edition that one process adds is served by the others without a restart, and gone from them when it is removed.
func TestOtherProcessesFollow(t *testing.T) {
	t.Parallel()
	d := testkit.Empty(t)
	other := testkit.Process(t, d)
	served := registry(t, other)
	hub := notify.NewHub(other, nil)
	ctx, cancel := context.WithCancel(context.Background())
	hub.Follow(ctx, served)
	var listening sync.WaitGroup
	listening.Go(func() { hub.Listen(ctx) })
	t.Cleanup(func() { cancel(); listening.Wait() })

	eventually := func(what string, is func(*edition.Edition, bool) bool) {
		t.Helper()
		wait.Until(t, what, func() bool { return is(served.Lookup("one.test")) })
	}
	r := registry(t, d)
	id, text := newspaper(t, "one.test")
	dropLater(t, d, id)
	if _, err := r.ApplyText(t.Context(), "x.yaml", []byte(text)); err != nil {
		t.Fatal(err)
	}
	eventually("served", func(e *edition.Edition, ok bool) bool { return ok && e.Meter.Limit == 3 })
	if _, err := other.Pool(id); err != nil {
		t.Error(err)
	}
	if _, err := r.ApplyText(t.Context(), "x.yaml",
		[]byte(strings.Replace(text, "limit: 3,", "limit: 5,", 1))); err != nil {
		t.Fatal(err)
	}
	eventually("changed", func(e *edition.Edition, ok bool) bool { return ok && e.Meter.Limit == 5 })
	if err := r.Remove(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	eventually("removed", func(_ *edition.Edition, ok bool) bool { return !ok })
}
