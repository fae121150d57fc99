package render

import (
	"errors"
	"sync"
	"testing"
	"time"
)

type fakeClock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *fakeClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *fakeClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

func TestBreaker(t *testing.T) {
	t.Parallel()
	clock := &fakeClock{t: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)}
	r := start(t, func(c *Config) { c.Now = clock.now })
	bad, good := []byte(`{"route":"article","do":"throw"}`), []byte(`{"route":"article"}`)
	render := func(edition string, page []byte) error {
		_, err := r.Page(t.Context(), edition, page)
		return err
	}
	isPaused := func(err error) bool { return errors.Is(err, ErrPaused) }

	for range tripAfter - 1 {
		_ = render("north", bad)
	}
	if err := render("north", good); err != nil {
		t.Fatalf("paused too early: %v", err)
	}
	for range tripAfter {
		if err := render("north", bad); isPaused(err) {
			t.Fatal("a success did not start the count anew")
		}
	}
	if !isPaused(render("north", good)) {
		t.Fatal("five failures in a row did not pause the route")
	}
	if err := render("south", good); err != nil {
		t.Errorf("another edition: %v", err)
	}
	if err := render("north", []byte(`{"route":"front"}`)); err != nil {
		t.Errorf("another route: %v", err)
	}

	clock.advance(tripPause - time.Second)
	if !isPaused(render("north", good)) {
		t.Error("the pause ended early")
	}
	clock.advance(time.Second)
	if err := render("north", bad); isPaused(err) {
		t.Fatal("the pause did not end")
	}
	if !isPaused(render("north", good)) {
		t.Fatal("a failed trial did not pause the route again")
	}
	clock.advance(tripPause)
	if err := render("north", good); err != nil {
		t.Fatalf("trial: %v", err)
	}
	if err := render("north", bad); isPaused(err) {
		t.Error("still paused after a trial that worked")
	}
	if n := r.Stats().Paused; n != 3 {
		t.Errorf("%d calls refused, want 3", n)
	}
}

func TestBreakerTrial(t *testing.T) {
	t.Parallel()
	clock := &fakeClock{t: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)}
	b := &breaker{now: clock.now, trips: map[route]*trip{}}
	find := func() route { return route{"north", "front"} }
	for range tripAfter {
		p, _ := b.enter(find)
		p.leave(failed)
	}
	clock.advance(tripPause)
	trial, ok := b.enter(find)
	if !ok {
		t.Fatal("no trial after the pause")
	}
	if _, ok := b.enter(find); ok {
		t.Fatal("two trials at once")
	}
	trial.leave(undecided)
	if _, ok := b.enter(find); !ok {
		t.Error("a trial that decided nothing used up the chance")
	}
}
