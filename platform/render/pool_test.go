package render

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// fakeEngine forgets interrupts that come between calls, as the real one does.
type fakeEngine struct{ interrupted atomic.Bool }

func (*fakeEngine) setEdition(string) error { return nil }
func (*fakeEngine) limit(time.Duration)     {}
func (e *fakeEngine) interrupt()            { e.interrupted.Store(true) }
func (*fakeEngine) close()                  {}

func (e *fakeEngine) renderPage(_, page string) (string, error) {
	e.interrupted.Store(false)
	for began := time.Now(); time.Since(began) < 20*time.Microsecond; {
		if page == "panic" {
			panic("engine broken")
		}
	}
	// A page of the impatient may be done just as its caller leaves.
	if page == "patient" && e.interrupted.Load() {
		return "", errInterrupted
	}
	return page, nil
}

func fakePool(t *testing.T) *Renderer {
	t.Helper()
	r := start(t, nil)
	w := <-r.idle
	w.close()
	r.start = func() (engine, error) { return &fakeEngine{}, nil }
	w, err := r.newWorker()
	if err != nil {
		t.Fatal(err)
	}
	r.idle <- w
	return r
}

// A caller that leaves as its page is done must not interrupt the page after it.
func TestInterruptHitsNoOtherPage(t *testing.T) {
	t.Parallel()
	r := fakePool(t)
	for i := range 20_000 {
		ctx, cancel := context.WithCancel(t.Context())
		leave := time.AfterFunc(time.Duration(i%40)*time.Microsecond, cancel)
		_, _ = r.Page(ctx, "north", []byte("impatient"))
		if _, err := r.Page(t.Context(), "north", []byte("patient")); err != nil {
			t.Fatalf("round %d: %v", i, err)
		}
		leave.Stop()
		cancel()
	}
}

func TestEnginePanicCostsOneRuntime(t *testing.T) {
	t.Parallel()
	r := fakePool(t)
	if _, err := r.Page(t.Context(), "north", []byte("panic")); err == nil || errors.Is(err, ErrTimeout) {
		t.Fatalf("got %v", err)
	}
	if html, err := r.Page(t.Context(), "north", []byte("patient")); err != nil || string(html) != "patient" {
		t.Errorf("got %q, %v", html, err)
	}
	if s := r.Stats(); s.Recycled != 1 || s.Failures != 1 {
		t.Errorf("stats %+v", s)
	}
}
