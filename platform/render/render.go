// Package render turns page data into HTML by running the frontend's server
// bundle in a small pool of JavaScript runtimes inside this process.
//
// The bundle is one or more scripts that together define
//
//	globalThis.__ssr = {
//	  setEdition(editionJSON),          // keeps the edition under its "id"
//	  renderPage(editionId, pageJSON),  // returns the content of #app
//	}
//
// Both are synchronous and take and give strings. Whatever goes wrong, the
// caller can serve the page with an empty #app and let the browser render it.
package render

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"time"
)

// Errors of Page besides *JSError and those of its context.
var (
	ErrBusy           = errors.New("render: no runtime became free in time")
	ErrTimeout        = errors.New("render: the page took too long")
	ErrClosed         = errors.New("render: closed")
	ErrPaused         = errors.New("render: paused after repeated failures of this route")
	ErrUnknownEdition = errors.New("render: unknown edition")
)

// JSError is an exception that the bundle threw; the runtime stays in use.
type JSError struct {
	Message string
	Stack   string // one frame per line, positions are those of the bundle
}

func (e *JSError) Error() string { return "render: " + e.Message }

// Script is one part of the bundle.
type Script struct{ Name, Source string }

// Config says what to run and within which bounds; zero values mean the defaults.
type Config struct {
	Scripts      []Script      // in order of evaluation
	Size         int           // renders at once; default GOMAXPROCS-1, at least 1, which leaves a core to cached answers
	Timeout      time.Duration // of one render, default 2 s
	QueueTimeout time.Duration // wait for a free runtime, default 3 s
	MemoryLimit  uintptr       // bytes per runtime, default 192 MiB
	MaxRenders   int           // of one runtime before a new one takes its place, default 5000
	Log          *slog.Logger
	Now          func() time.Time // clock of the circuit breaker, default time.Now

	// Route names the route of a page, for the circuit breaker; by default
	// the string under "route" at the top of the page's JSON.
	Route func(pageJSON []byte) string
}

func (c *Config) setDefaults() {
	orElse(&c.Size, max(1, runtime.GOMAXPROCS(0)-1))
	orElse(&c.Timeout, 2*time.Second)
	orElse(&c.QueueTimeout, 3*time.Second)
	orElse(&c.MemoryLimit, 192<<20)
	orElse(&c.MaxRenders, 5000)
	orElse(&c.Log, slog.Default())
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Route == nil {
		c.Route = routeOf
	}
}

func orElse[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Page renders one page of an edition and returns the content of #app.
//
// Errors: ErrBusy, ErrTimeout, ErrClosed, ErrPaused, ErrUnknownEdition,
// *JSError, the context's own, or a failure of the engine.
func (r *Renderer) Page(ctx context.Context, editionID string, pageJSON []byte) ([]byte, error) {
	if !r.begin() {
		return nil, ErrClosed
	}
	defer r.working.Done()
	if _, ok := r.editions.get(editionID); !ok {
		return nil, ErrUnknownEdition
	}
	pass, ok := r.breaker.enter(func() route { return route{editionID, r.cfg.Route(pageJSON)} })
	if !ok {
		r.count.paused.Add(1)
		return nil, ErrPaused
	}
	w, err := r.acquire(ctx)
	if err != nil {
		pass.leave(undecided)
		return nil, err
	}
	html, err := r.render(ctx, w, editionID, pageJSON)
	pass.leave(verdictOn(err))
	return html, err
}

// verdictOn tells a failing route from a caller that lost patience.
func verdictOn(err error) verdict {
	switch {
	case err == nil:
		return worked
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, ErrUnknownEdition):
		return undecided
	default:
		return failed
	}
}
